/// A name as ``Redaction`` compares it: only its letters and digits, in lower case.
struct SecretName {
    /// The whole name.
    let whole: String

    /// The whole name in UTF-8.
    let bytes: [UInt8]

    /// The names inside of the name, separated by anything but `-` and `_`; empty for ASCII letters and digits alone.
    private(set) var parts: [String] = []

    /// The names inside of the name, separated by anything; empty for ASCII letters and digits alone.
    private(set) var segments: [String] = []

    init(_ name: String) {
        self.init(Array(name.utf8)[...])
    }

    /// Creates a name from UTF-8.
    init(_ name: ArraySlice<UInt8>) {
        if name.allSatisfy(URIEncoding.isAlphanumeric) {
            bytes = name.map(Self.small)
            whole = String(decoding: bytes, as: UTF8.self)
            return
        }
        if name.allSatisfy({ $0 < 0x80 }) {
            let ascii = name.map(Self.small)
            let isBetween = { (byte: UInt8) in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") }
            let words = ascii.split { !URIEncoding.isAlphanumeric($0) && !isBetween($0) }
            parts = words.map { word in String(decoding: word.filter { !isBetween($0) }, as: UTF8.self) }
            segments = ascii.split { !URIEncoding.isAlphanumeric($0) }.map { String(decoding: $0, as: UTF8.self) }
        } else {
            let small = String(decoding: name, as: UTF8.self).lowercased()
            parts = small.unicodeScalars.filter { $0 != "-" && $0 != "_" }
                .split { !Self.isAlphanumeric($0) }.map(String.init)
            // No parts: no letter and no digit. The search for the ends of characters takes most of the time.
            segments = parts.isEmpty ? [] : small.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        whole = parts.joined()
        bytes = Array(whole.utf8)
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return URIEncoding.isAlphanumeric(UInt8(truncatingIfNeeded: scalar.value)) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns the letters and digits of an ASCII name, in lower case; nil if the name is not ASCII.
    static func letters(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if name.allSatisfy({ URIEncoding.isAlphanumeric($0) && small($0) == $0 }) { return name }
        var letters: [UInt8] = []
        letters.reserveCapacity(name.count)
        for byte in name {
            if byte >= 0x80 { return nil }
            if URIEncoding.isAlphanumeric(byte) { letters.append(small(byte)) }
        }
        return letters[...]
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
