public import Foundation

extension Redaction {
    /// A payload on one line: its text up to `limit` bytes, the credentials in it redacted, or how many bytes it has if it
    /// is none.
    ///
    /// Values are hidden by their names in JSON and forms, which are known by their type or by how they begin, and in URLs
    /// anywhere. Of a text of another kind nothing is known.
    public func shown(payload: Data, mediaType: MediaType?, limit: Int) -> String {
        let beginning = payload.prefix(max(0, limit))
        let read = PayloadText(beginning, mediaType, isCut: beginning.count < payload.count)
        guard let text = read, text.isReadable else {
            return "\(payload.count) bytes that are no text"
        }
        let more = payload.count - text.bytes.count
        let shown = String(decoding: text.hiding(by: self, folding: true), as: UTF8.self).onOneLine
        return shown + (more > 0 ? "… and \(more) more bytes" : "")
    }

    /// A payload with the credentials in it replaced, if it is a text, and all else of it as it was.
    ///
    /// Of JSON and forms that can't be read, as where they are compressed, nothing is left.
    package func hiding(payload: Data, mediaType: MediaType?) -> Data {
        if payload.withUnsafeBytes({ showsAll(of: $0, mediaType) }) { return payload }
        return Data(hiding(payload: Array(payload)[...], mediaType: mediaType))
    }

    /// The same for a payload, or a part of one, that is bytes already.
    package func hiding(payload: ArraySlice<UInt8>, mediaType: MediaType?) -> ArraySlice<UInt8> {
        if showsAll(of: payload, mediaType) { return payload }
        let readings = PayloadText.readings(of: payload, mediaType)
        if readings.isEmpty, PayloadText.tellsSecretsByName(mediaType) { return Array(Self.placeholder.utf8)[...] }
        return readings.reduce(payload) { hiding(payload: $0, read: $1, mediaType) }
    }

    /// Whether nothing in a payload can be secret.
    private func showsAll(of payload: some Sequence<UInt8>, _ mediaType: MediaType?) -> Bool {
        hidesNothing || mediaType == nil && !payload.contains(where: PayloadText.mayTell)
    }

    private func hiding(
        payload: ArraySlice<UInt8>,
        read reading: PayloadText.Reading,
        _ mediaType: MediaType?
    ) -> ArraySlice<UInt8> {
        guard case .encoded(let encoding) = reading else {
            return PayloadText(Array(payload), mediaType).hiding(by: self, folding: false)[...]
        }
        guard let text = String(data: Data(payload), encoding: encoding).map({ Array($0.utf8) }) else { return payload }
        let hidden = PayloadText(text, mediaType).hiding(by: self, folding: false)
        if hidden == text { return payload }
        let encoded = Charset.data(String(decoding: hidden, as: UTF8.self), in: encoding)
        return Array(encoded ?? Data(Self.placeholder.utf8))[...]
    }
}

/// A payload that is text.
struct PayloadText {
    private enum Kind {
        case json
        case form
        case other

        /// What a type says; nil if that is nothing of JSON or forms.
        init?(_ mediaType: MediaType?) {
            guard let type = mediaType?.beginning else { return nil }
            if type.isSame(as: MediaType.form.rawValue) {
                self = .form
            } else if Array(type.utf8).holds("json") {
                self = .json
            } else {
                return nil
            }
        }
    }

    /// The text, in UTF-8 or in bytes that are as in UTF-8 where they are ASCII.
    let bytes: [UInt8]

    /// Whether it holds no control characters, so that people can read it.
    let isReadable: Bool
    private let kind: Kind

    /// Reads bytes as UTF-8; nil if they are something else.
    ///
    /// - Parameter isCut: whether there were more bytes, and the last character may be incomplete.
    init?(_ bytes: Data, _ mediaType: MediaType?, isCut: Bool) {
        let all = Array(bytes)
        let cuts = isCut ? 0...min(3, all.count) : 0...0
        let texts = cuts.lazy.map { all.dropLast($0) }
        guard let text = texts.first(where: { String(validating: $0, as: UTF8.self) != nil }) else { return nil }
        self.init(isCut ? Array(Self.withoutOpenAuthority(text)) : all, mediaType)
    }

    /// Takes a text in which at least what is ASCII is as in UTF-8.
    init(_ bytes: [UInt8], _ mediaType: MediaType?) {
        self.bytes = bytes
        isReadable = !bytes.contains(where: Self.isControl)
        let first = bytes.first { !Self.isLayout($0) && $0 != UInt8(ascii: " ") }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        kind = Kind(mediaType) ?? (isJSON ? .json : .other)
    }

    /// Whether a type says that names in the payload tell what is secret.
    static func tellsSecretsByName(_ mediaType: MediaType?) -> Bool {
        Kind(mediaType) != nil
    }

    /// Whether a byte may belong to a secret where no type tells of one.
    ///
    /// Names stand in quotes, or in front of a `=`, and user information in front of an `@`, in UTF-16 and UTF-32 too. Most
    /// small parts of forms have none of these.
    static func mayTell(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || Redaction.mayTell(byte)
    }

    /// The text without what is secret in it.
    func hiding(by redaction: Redaction, folding: Bool) -> [UInt8] {
        switch kind {
        case .json: redaction.hiding(json: bytes[...], folding: folding)
        case .form: redaction.hiding(form: bytes[...])
        case .other: redaction.hiding(text: Self.hidingForm(in: hidingJSON(by: redaction), by: redaction))
        }
    }

    /// A text of another kind may be a form whose type nobody said: its first line, if that begins with `name=`.
    private static func hidingForm(in text: [UInt8], by redaction: Redaction) -> [UInt8] {
        let name = text.prefix(while: isOfFormName)
        guard !name.isEmpty, text[name.endIndex...].first == UInt8(ascii: "=") else { return text }
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return redaction.hiding(form: line) + text[line.endIndex...]
    }

    private static func isOfFormName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: RFC3986.isUnreserved(byte) || byte >= 0x80
        }
    }

    /// A text of another kind may hold JSON, as events do: in a line, where a quote in another line does not count, or
    /// in several.
    private func hidingJSON(by redaction: Redaction) -> [UInt8] {
        bytes.contains(UInt8(ascii: "\"")) ? redaction.hiding(json: redaction.hiding(jsonInLinesOf: bytes)[...]) : bytes
    }

    /// A text that was cut off without the URL at its end, if that may have been cut in a password: `https://me:hun`.
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

    /// Whether a byte stands in no text for people.
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !isLayout(byte) || byte == 0x7F
    }

    /// Whether a byte is a tab or belongs to the end of a line.
    private static func isLayout(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension MediaType {
    /// The type without parameters, as far as it can be read, for it may be no legal one: what is ASCII in small letters,
    /// since no type has others.
    package var beginning: String {
        // By scalars: a semicolon with an accent on it is another `Character`, and the same to a server.
        let scalars = rawValue.unicodeScalars.drop(while: \.isWhitespace)
        let type = Substring(scalars.prefix { $0 != ";" && $0 != "," && !$0.isWhitespace })
        return String(decoding: type.utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}
