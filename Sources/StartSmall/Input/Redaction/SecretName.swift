/// A name as ``Redaction`` compares it: letters and digits alone, in small letters.
struct SecretName {
    /// All of it.
    let whole: String

    /// The names in it, apart where anything but `-` and `_` is between; empty if it is one.
    private(set) var parts: [String] = []

    /// The names in it, apart where anything is between; empty if it is one.
    private(set) var segments: [String] = []

    private let bytes: [UInt8]

    init(_ name: String) {
        if name.utf8.allSatisfy(RFC3986.isAlphanumeric) {
            bytes = name.utf8.map(Self.small)
            whole = String(decoding: bytes, as: UTF8.self)
            return
        }
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            let ascii = name.utf8.map(Self.small)
            let isBetween = { (byte: UInt8) in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") }
            let words = ascii.split { !RFC3986.isAlphanumeric($0) && !isBetween($0) }
            parts = words.map { word in String(decoding: word.filter { !isBetween($0) }, as: UTF8.self) }
            segments = ascii.split { !RFC3986.isAlphanumeric($0) }.map { String(decoding: $0, as: UTF8.self) }
        } else {
            let small = name.lowercased()
            parts = small.unicodeScalars.filter { $0 != "-" && $0 != "_" }
                .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map(String.init)
            segments = small.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        whole = parts.joined()
        bytes = Array(whole.utf8)
    }

    /// Whether a word stands anywhere in it.
    func holds(_ word: String) -> Bool {
        let word = word.utf8
        guard let first = word.first else { return true }
        guard bytes.count >= word.count else { return false }
        return (0...(bytes.count - word.count)).contains { bytes[$0] == first && bytes[$0...].starts(with: word) }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
