import Foundation
import StartSmall

/// The text of a payload, with the encoding in which it was sent.
struct EncodedText {
    let encoding: String.Encoding

    /// Whether the encoding is declared or detected: false for a text in an unknown encoding, and for non-text bytes.
    let isKnown: Bool

    /// The text after the byte order mark.
    let text: String
    private let mark: String

    /// Decodes bytes; returns nil for bytes that are neither a text nor declared as one by a media type.
    ///
    /// Without a media type, a control character distinguishes bytes in no known encoding from a text, as in the
    /// payload handling of ``StartSmall/Redaction``.
    ///
    /// The encoding is the first of these that decodes a text whose encoding gives exactly these bytes: the encoding
    /// detected from the first bytes, the encoding of the media type, UTF-8. A text in an unknown encoding has one
    /// character per byte, so that its ASCII parts are readable.
    init?(_ data: Data, _ mediaType: MediaType?) {
        let named = mediaType?.encoding
        let encodings = [Self.encoding(beginning: data, as: named), named, .utf8].compactMap { $0 }
        let found = encodings.lazy.compactMap { encoding in Self.text(data, encoding).map { (encoding, $0) } }.first
        guard found != nil || mediaType?.isText ?? !Self.hasControl(data) else { return nil }
        let (encoding, text) = found ?? (.isoLatin1, Charset.text(data, in: .isoLatin1) ?? "")
        (self.encoding, isKnown) = (encoding, found != nil)
        mark = isKnown && text.unicodeScalars.first == Self.mark ? String(Character(Self.mark)) : ""
        self.text = mark.isEmpty ? text : String(text.unicodeScalars.dropFirst())
    }

    /// Returns the bytes of another text in this encoding; `?` replaces characters that the encoding lacks.
    func bytes(of text: String) -> Data {
        let whole = mark + text
        if encoding == .utf8 { return Data(whole.utf8) }
        if let bytes = Charset.data(whole, in: encoding) { return bytes }
        let shown = whole.map { Charset.data(String($0), in: encoding) == nil ? "?" : $0 }
        return Charset.data(String(shown), in: encoding) ?? Data()
    }

    /// The whole text and the name of its encoding, if the encoding is known and not UTF-8.
    var named: (text: String, charset: String)? {
        guard isKnown, encoding != .utf8, let charset = Charset.name(encoding) else { return nil }
        return (mark + text, charset)
    }

    /// Whether the text contains no control characters.
    ///
    /// Compressed data almost always contains some, unless the data is short. Therefore a short text in an unknown
    /// encoding does not count as readable.
    var isReadable: Bool {
        let isJudged = isKnown || text.unicodeScalars.count >= Self.leastJudged
        return isJudged && !text.utf8.contains(where: Self.isControl)
    }

    /// The minimum number of characters that a text in an unknown encoding needs to be judged.
    ///
    /// Of a thousand million texts of so many random bytes, one or two have no control character: 26 of 256 bytes are
    /// control characters.
    private static let leastJudged = 192

    /// The control characters that occur in texts.
    ///
    /// These are backspace, tab, line ends, form feed, the start of a color sequence, and the start of JSON in a
    /// sequence (RFC 7464 2.2).
    private static let separators: Set<UInt8> = [0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B, 0x1E]

    private static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 || byte == 0x7F) && !separators.contains(byte)
    }

    private static func hasControl(_ data: Data) -> Bool {
        data.withUnsafeBytes { $0.contains(where: isControl) }
    }

    private static func text(_ data: Data, _ encoding: String.Encoding) -> String? {
        if encoding == .utf8 { return String(validating: data, as: UTF8.self) }
        guard let text = Charset.text(data, in: encoding), Charset.data(text, in: encoding) == data else {
            return nil
        }
        return text
    }

    /// Returns the encoding detected from the first bytes.
    ///
    /// A text without a mark is in network byte order (RFC 2781 4.3).
    private static func encoding(beginning data: Data, as named: String.Encoding?) -> String.Encoding? {
        if data.starts(with: "\u{FEFF}".utf8) { return .utf8 }
        return Charset.wideEncoding(of: data)
            ?? [.utf16: .utf16BigEndian, .utf32: .utf32BigEndian][named ?? .utf8]
    }

    private static let mark: Unicode.Scalar = "\u{FEFF}"
}

extension MediaType {
    /// Whether a payload is always a text, even in an unknown encoding.
    var isText: Bool {
        guard let essence else { return true }
        return essence.hasPrefix("text/") || essence == MediaType.form.rawValue
            || ["json", "xml", "javascript"].contains { essence.contains($0) }
    }
}
