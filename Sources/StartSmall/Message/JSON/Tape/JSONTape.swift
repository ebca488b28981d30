import Foundation

/// A JSON text (RFC 8259) in UTF-8 that was read once, with one word for each of its values and names.
///
/// The words have the order of the text. The elements of an array and the members of an object follow the word of
/// their container; a name precedes its value. Strings and numbers are decoded on demand. The tape owns a copy of the
/// text, since a decoder may outlive the payload.
final class JSONTape {
    /// The text without a byte order mark; zeros follow, so that eight bytes can be read at any index.
    let bytes: UnsafePointer<UInt8>

    /// The words of the text, and after them that of a `null`.
    let words: UnsafePointer<JSONWord>

    /// The index of a `null` that is not in the text.
    let null: Int

    /// The number of nested arrays and objects at the deepest value.
    let depth: Int

    /// Whether any string has half of a UTF-16 surrogate pair.
    let hasUnpairedSurrogate: Bool

    /// The maximum length of a text in bytes: 16 MiB on platforms with 32 bits, whose memory the words of more could
    /// exhaust.
    static let maximumLength = (Int.bitWidth < 64 ? 1 << 24 : JSONWord.limit) - 1

    /// The number of zeros after the text.
    private static let padding = 8

    /// Reads a text in UTF-8, with or without a byte order mark, of at most ``maximumLength`` bytes.
    ///
    /// - Throws: The position at which the text stops being JSON.
    init(_ data: Data) throws(JSONSyntaxError) {
        guard data.count <= Self.maximumLength else { throw JSONSyntaxError(offset: nil) }
        let mark = Self.lengthOfByteOrderMark(data)
        let count = data.count - mark
        let text = UnsafeMutablePointer<UInt8>.allocate(capacity: count + Self.padding)
        data.copyBytes(to: text, from: (data.startIndex + mark)..<data.endIndex)
        (text + count).initialize(repeating: 0, count: Self.padding)
        var scanner = JSONScanner(text, count: count)
        let isValid = scanner.scan()
        bytes = UnsafePointer(text)
        words = UnsafePointer(scanner.words)
        null = scanner.wordCount - 1
        depth = scanner.deepest
        hasUnpairedSurrogate = scanner.hasUnpairedSurrogate
        guard isValid else { throw JSONSyntaxError(offset: scanner.index + mark) }
    }

    deinit {
        bytes.deallocate()
        words.deallocate()
    }

    private static func lengthOfByteOrderMark(_ data: Data) -> Int {
        data.withUnsafeBytes { $0.count >= 3 && $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF ? 3 : 0 }
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

    /// Returns the digits of a number as they are written.
    func digits(_ word: JSONWord) -> String { String(decoding: bytes(of: word), as: UTF8.self) }
}

/// The error of a text that is not JSON.
struct JSONSyntaxError: Error {
    /// The number of bytes before the first invalid one; all of them if the text ends too soon, and nil if the text is
    /// too long to be read.
    let offset: Int?
}
