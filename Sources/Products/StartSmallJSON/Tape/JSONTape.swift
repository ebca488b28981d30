import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A JSON text (RFC 8259) in UTF-8 that was read once, with one word for each of its values and names.
///
/// The words have the order of the text. The elements of an array and the members of an object follow the word of
/// their container; a name precedes its value. Strings and numbers are decoded on demand. The tape owns a copy of the
/// text, since a decoder may outlive the payload.
final class JSONTape {
    private let memory: JSONTapeMemory

    /// The words of the text, and after them that of a `null`.
    let words: UnsafePointer<JSONWord>

    /// The text without a byte order mark; zeros follow, so that eight bytes can be read at any index.
    var bytes: UnsafePointer<UInt8> { memory.bytes }

    /// The index of a `null` that is not in the text.
    let null: Int

    /// The number of nested arrays and objects at the deepest value.
    let depth: Int

    /// Whether any string has half of a UTF-16 surrogate pair.
    let hasUnpairedSurrogate: Bool

    /// Whether names were listed without one that could take long to compare, so that the decoded value is incomplete.
    var hasOmittedName = false

    /// The maximum length of a text in bytes: 16 MiB on platforms with 32 bits, whose memory the words of more could
    /// exhaust.
    static let maximumLength = (Int.bitWidth < 64 ? 1 << 24 : JSONWord.limit) - 1

    /// Reads a text in UTF-8, with or without a byte order mark, of at most ``maximumLength`` bytes.
    ///
    /// - Throws: The position at which the text stops being JSON.
    init(_ data: Data) throws(JSONSyntaxError) {
        guard data.count <= Self.maximumLength else { throw JSONSyntaxError(offset: nil, isCertain: false) }
        // Each access to a `Data` is checked for exclusivity: one is enough.
        var scanner = data.withUnsafeBytes { JSONScanner($0, mark: Self.lengthOfByteOrderMark($0)) }
        let error = scanner.scan() ? nil : scanner.error
        memory = scanner.memory
        words = UnsafePointer(scanner.words)
        null = scanner.wordCount - 1
        depth = scanner.deepest
        hasUnpairedSurrogate = scanner.hasUnpairedSurrogate
        if let error { throw error }
    }

    deinit { memory.deallocate() }

    private static func lengthOfByteOrderMark(_ data: UnsafeRawBufferPointer) -> Int {
        data.count >= 3 && data[0] == 0xEF && data[1] == 0xBB && data[2] == 0xBF ? 3 : 0
    }

    /// Returns the index of the word after a value, including all values inside of it.
    func index(after index: Int) -> Int {
        let word = words[index]
        return word.isContainer ? word.second : index + 1
    }

    /// Returns the bytes of a scalar: of a string or a name, those between the quotes.
    func bytes(of word: JSONWord) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + word.first, count: word.second)
    }

    /// Returns the text of a string or a name; nil if it has half of a surrogate pair.
    func string(_ word: JSONWord) -> String? {
        switch word.kind {
        case .ascii, .unicode: String(decoding: bytes(of: word), as: UTF8.self)
        case .escaped: JSONString.text(of: bytes(of: word))
        default: nil
        }
    }

    func digits(_ word: JSONWord) -> String { String(decoding: bytes(of: word), as: UTF8.self) }
}

extension JSONTape {
    /// Reads a text, which can also be in UTF-16 or UTF-32, as for a decoder.
    ///
    /// - Throws: The position at which the text stops being JSON.
    convenience init(anyEncoding data: Data) throws(JSONSyntaxError) {
        let text = Charset.wideEncoding(of: data).flatMap { try? Charset.text(data, in: $0) }
        try self.init(text.map { Data($0.utf8) } ?? data)
    }

    /// Returns the offset at which a text stops being JSON; nil if the whole text is JSON, or too long to be read.
    static func offsetOfError(in data: Data) -> Int? {
        do {
            _ = try JSONTape(data)
            return nil
        } catch {
            return error.offset
        }
    }
}

/// A value or a member name of a JSON text: its kind and its place, in 64 bits.
struct JSONWord {
    /// The kinds of values; a name has the kind of a string.
    enum Kind: UInt8 {
        case null, `false`, `true`

        /// A number without a fraction or an exponent, and any other number.
        case integer, real

        /// A string in ASCII without escapes, any other string without escapes, and a string with escapes.
        case ascii, unicode, escaped

        /// A string with half of a UTF-16 surrogate pair, which no text can hold.
        case unpaired

        case array, object
    }

    /// The bits of the kind, the first number and the second number: 8, 28 and 28.
    let bits: UInt64

    /// The exclusive maximum of each of the two numbers.
    static let limit = 1 << 28

    init(_ kind: Kind, _ first: Int = 0, _ second: Int = 0) {
        bits = UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: first) << 8 | UInt64(truncatingIfNeeded: second) << 36
    }

    var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .null }

    /// The offset of a scalar in the text, or the number of elements or members of a container.
    var first: Int { Int(truncatingIfNeeded: (bits >> 8) & 0xFFF_FFFF) }

    /// The length of a scalar in the text, or the index of the word after a container.
    var second: Int { Int(truncatingIfNeeded: bits >> 36) }

    var isContainer: Bool { UInt8(truncatingIfNeeded: bits) >= Kind.array.rawValue }

    /// Whether the string or name is in ASCII and without escapes.
    var isASCII: Bool { UInt8(truncatingIfNeeded: bits) == Kind.ascii.rawValue }
}
