public import Foundation

extension Redaction {
    /// Returns a payload on one line: its text with credentials redacted, or its size if it is not text.
    ///
    /// Values are redacted by their names in JSON, forms and multipart forms, which are recognised by their type or by
    /// their beginning. In any text, they are also redacted in URLs, in parameters (`name=value`, `name: "value"`) and
    /// in XML elements.
    ///
    /// - Parameters:
    ///   - payload: the bytes.
    ///   - mediaType: the media type of the payload; nil if it is not known.
    ///   - limit: the maximum number of bytes to show.
    public func shown(payload: Data, mediaType: MediaType?, limit: Int) -> String {
        let beginning = payload.prefix(max(0, limit))
        let read = PayloadText(beginning, mediaType, isCut: beginning.count < payload.count)
        guard let text = read, text.isReadable else {
            return "\(payload.count) bytes of binary data"
        }
        let more = payload.count - text.bytes.count
        var redactor = Redactor(self)
        let shown = String(decoding: text.hiding(by: &redactor, folding: true), as: UTF8.self).onOneLine
        return shown + (more > 0 ? "… and \(more) more bytes" : "")
    }

    /// Returns a payload with the credentials in it replaced, if it is text; everything else stays unchanged.
    ///
    /// JSON and forms that can't be read, such as compressed ones, are removed completely, and so is a multipart form
    /// that does not match its boundary.
    ///
    /// - Parameters:
    ///   - payload: the bytes.
    ///   - mediaType: the media type of the payload; nil if it is not known.
    package func hiding(payload: Data, mediaType: MediaType?) -> Data {
        let isPlain = mediaType == nil && !payload.withUnsafeBytes { mayReveal(in: $0) }
        if hidesNothing || isPlain { return payload }
        var redactor = Redactor(self)
        return Data(redactor.payload(Array(payload)[...], mediaType: mediaType))
    }
}

/// A payload that is text.
struct PayloadText {
    private enum Kind {
        case json
        case form
        case multipart
        case other

        /// Creates the kind of a media type; nil if the type is neither JSON nor a form.
        init?(_ mediaType: MediaType?) {
            guard let type = mediaType?.beginning else { return nil }
            if type.isSame(as: MediaType.form.rawValue) {
                self = .form
            } else if Array(type.utf8).holds("json") {
                self = .json
            } else if type.utf8.starts(with: "multipart/".utf8) {
                self = .multipart
            } else {
                return nil
            }
        }
    }

    /// The text, in UTF-8, or in bytes that equal UTF-8 where they are ASCII.
    let bytes: [UInt8]

    /// Whether the text has no control characters, so that people can read it.
    let isReadable: Bool
    private let kind: Kind
    private let beginsLikeJSON: Bool
    private let mediaType: MediaType?

    /// Whether the payload had more bytes.
    private let isCut: Bool

    /// Reads bytes as UTF-8; nil if they are not UTF-8.
    ///
    /// - Parameter isCut: whether there were more bytes, so that the last character may be incomplete.
    init?(_ bytes: Data, _ mediaType: MediaType?, isCut: Bool) {
        let all = Array(bytes)
        let cuts = isCut ? 0...min(3, all.count) : 0...0
        let texts = cuts.lazy.map { all.dropLast($0) }
        guard let text = texts.first(where: { String(validating: $0, as: UTF8.self) != nil }) else { return nil }
        self.init(isCut ? Array(Self.withoutOpenAuthority(text)) : all, mediaType, isCut: isCut)
    }

    /// Creates a text from bytes that equal UTF-8 at least where they are ASCII.
    init(_ bytes: [UInt8], _ mediaType: MediaType?, isCut: Bool = false) {
        (self.bytes, self.mediaType, self.isCut) = (bytes, mediaType, isCut)
        isReadable = !bytes.contains(where: Self.isControl)
        let first = bytes.first { !Self.isLayout($0) && $0 != UInt8(ascii: " ") }
        beginsLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let isForm = MultipartRedaction.boundaryLine(of: bytes[...]) != nil
        kind = isForm ? .multipart : Kind(mediaType) ?? (beginsLikeJSON ? .json : .other)
    }

    /// Whether names in a payload of this type determine which values are secret.
    static func tellsSecretsByName(_ mediaType: MediaType?) -> Bool {
        switch Kind(mediaType) {
        case .json, .form: true
        case .multipart, .other, nil: false
        }
    }

    /// Returns the text with its secrets redacted.
    func hiding(by redactor: inout Redactor, folding: Bool) -> [UInt8] {
        if redactor.redaction.hidesNothing, !folding { return bytes }
        redactor.begin(bytes.count)
        return redactor.forms(in: hidingNames(by: &redactor, folding: folding), isCut: isCut)
    }

    private func hidingNames(by redactor: inout Redactor, folding: Bool) -> [UInt8] {
        switch kind {
        case .json: return hidingJSON(by: &redactor, folding: folding)
        case .form:
            if !beginsLikeJSON { return redactor.form(bytes[...]) }
            // Some clients send JSON as a form, such as `curl -d`.
            let (hidden, isJSON) = redactor.payloadJSON(bytes[...], folding: folding)
            return isJSON ? hidden : redactor.form(hidden[...])
        case .multipart:
            let form = MultipartRedaction(bytes[...], mediaType, isCut: isCut)
            return form?.hidden(by: &redactor) ?? hidingText(by: &redactor)
        case .other: return hidingText(by: &redactor)
        }
    }

    /// Returns the redacted text of JSON.
    ///
    /// Names without double quotes are those of another language, such as JavaScript or Python. A text with such names
    /// is read as any other text; if it was sent as JSON, it is replaced as a whole if it may contain a secret name.
    private func hidingJSON(by redactor: inout Redactor, folding: Bool) -> [UInt8] {
        let (hidden, isJSON) = redactor.payloadJSON(bytes[...], folding: folding)
        if isJSON || redactor.redaction.hidesNothing { return hidden }
        let shown = hidingText(by: &redactor)
        let isDeclared = Kind(mediaType) == .json
        return isDeclared && redactor.redaction.isSuspect(bytes[...]) ? Array(Redaction.placeholder.utf8) : shown
    }

    /// Returns the redacted text of another kind, which may contain JSON, as events do.
    ///
    /// The JSON may be in one line, where a quote in another line does not count, or in several lines.
    private func hidingText(by redactor: inout Redactor) -> [UInt8] {
        let text = bytes.contains(UInt8(ascii: "\"")) ? redactor.jsonInLines(of: bytes) : bytes
        return redactor.text(Self.hidingForm(in: text, by: &redactor))
    }

    /// Returns a text with its first line redacted as a form if that begins with `name=`.
    ///
    /// A text of another kind may be a form whose type is not stated.
    private static func hidingForm(in text: [UInt8], by redactor: inout Redactor) -> [UInt8] {
        let name = text.prefix(while: isOfFormName)
        guard !name.isEmpty, text[name.endIndex...].first == UInt8(ascii: "=") else { return text }
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return redactor.form(line) + text[line.endIndex...]
    }

    private static func isOfFormName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: URIEncoding.isUnreserved(byte) || byte >= 0x80
        }
    }

    /// Returns a truncated text without the URL at its end if the URL may be cut inside a password: `https://me:hun`.
    private static func withoutOpenAuthority(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let slash = text.lastIndex(where: isEndOfAuthority), text[slash] == UInt8(ascii: "/"),
            ["//", #"\/\/"#].contains(where: { text[...slash].suffix($0.utf8.count).elementsEqual($0.utf8) })
        else { return text }
        return text[...slash]
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: " "):
            true
        default: isLayout(byte)
        }
    }

    /// Whether a byte does not occur in text for people.
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !isLayout(byte) || byte == 0x7F
    }

    /// Whether a byte is a tab or belongs to a line end.
    private static func isLayout(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension MediaType {
    /// The type without parameters, as far as it can be read, since the type may be illegal.
    ///
    /// ASCII letters are in lower case; a type has no others.
    package var beginning: String {
        // By scalars: a semicolon with a combining accent is another `Character`, but still a semicolon to a server.
        let scalars = rawValue.unicodeScalars.drop(while: \.isWhitespace)
        let type = Substring(scalars.prefix { $0 != ";" && $0 != "," && !$0.isWhitespace })
        return String(decoding: type.utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}
