import Foundation
import StartSmall

/// A payload as the text that it is, in the encoding in which it was sent.
struct EncodedText {
    let encoding: String.Encoding

    /// Whether it is said, or can be seen, in which encoding it is: not of a text in an unknown one, and of what is none.
    let isKnown: Bool

    /// The text behind the byte order mark.
    let text: String
    private let mark: String

    /// Reads bytes; nil if they are no text, and no media type says that they are: where there is none, a control character
    /// tells bytes in no known encoding from a text, as it does where ``StartSmall/Redaction`` reads a payload.
    ///
    /// The encoding is the first of these in which there is a text that is written as just these bytes: what they begin
    /// with says, what their media type says, UTF-8. A text in one that is not known has a character for each byte, so that
    /// what is ASCII in it can be read.
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

    /// The bytes of another text in place of this one; where the encoding has no such character, `?` stands for it.
    func bytes(of text: String) -> Data {
        let whole = mark + text
        if encoding == .utf8 { return Data(whole.utf8) }
        if let bytes = Charset.data(whole, in: encoding) { return bytes }
        let shown = whole.map { Charset.data(String($0), in: encoding) == nil ? "?" : $0 }
        return Charset.data(String(shown), in: encoding) ?? Data()
    }

    /// The whole text, and the name of its encoding, if it is known and not UTF-8.
    var named: (text: String, charset: String)? {
        guard isKnown, encoding != .utf8, let charset = Charset.name(encoding) else { return nil }
        return (mark + text, charset)
    }

    /// Whether nothing is in it that stands in no text: of what is compressed, that is hardly so, unless it is short.
    var isReadable: Bool {
        let isJudged = isKnown || text.unicodeScalars.count >= Self.leastJudged
        return isJudged && !text.utf8.contains(where: Self.isControl)
    }

    /// Of a thousand million texts of so many random bytes, one or two have no control character: 26 of 256 are such.
    private static let leastJudged = 192

    /// Backspace, tab, ends of lines and pages, what begins a colour, and what JSON in a sequence begins with (RFC 7464 2.2).
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

    /// What the first bytes tell; a text without a mark is in the order of the network (RFC 2781 4.3).
    private static func encoding(beginning data: Data, as named: String.Encoding?) -> String.Encoding? {
        if data.starts(with: "\u{FEFF}".utf8) { return .utf8 }
        return Charset.wideEncoding(of: data)
            ?? [.utf16: .utf16BigEndian, .utf32: .utf32BigEndian][named ?? .utf8]
    }

    private static let mark: Unicode.Scalar = "\u{FEFF}"
}

extension MediaType {
    /// Whether a payload is a text in any case, be it in an encoding that is not known.
    var isText: Bool {
        guard let essence else { return true }
        return essence.hasPrefix("text/") || essence == MediaType.form.rawValue
            || ["json", "xml", "javascript"].contains { essence.contains($0) }
    }
}
