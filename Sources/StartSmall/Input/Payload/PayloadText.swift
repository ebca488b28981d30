public import Foundation

extension Redaction {
    /// A payload on one line: its text up to `limit` bytes, the credentials in it redacted, or how many bytes it has if it
    /// is none.
    ///
    /// Values are hidden by their names in JSON and forms, and in URLs anywhere. Of a text of another kind nothing is known.
    public func shown(payload: Data, mediaType: MediaType?, limit: Int) -> String {
        let beginning = payload.prefix(max(0, limit))
        let read = PayloadText(Array(beginning), mediaType, isCut: beginning.count < payload.count)
        guard let text = read, text.isReadable else {
            return "\(payload.count) bytes that are no text"
        }
        let more = payload.count - text.bytes.count
        let shown = String(decoding: text.hiding(by: self, folding: true), as: UTF8.self).onOneLine
        return shown + (more > 0 ? "… and \(more) more bytes" : "")
    }

    /// A payload with the credentials in it replaced, if it is a text.
    package func hiding(payload: Data, mediaType: MediaType?) -> Data {
        Data(hiding(payload: Array(payload), mediaType: mediaType))
    }

    /// The same for a payload that is bytes already.
    package func hiding(payload: [UInt8], mediaType: MediaType?) -> [UInt8] {
        // Without a type it is no form: what is hidden stands in quotes, or behind a mark.
        let mayTell = mediaType != nil || payload.contains { $0 == UInt8(ascii: "\"") || Self.mayTell($0) }
        guard mayTell, let text = PayloadText(payload, mediaType, isCut: false) else { return payload }
        return text.hiding(by: self, folding: false)
    }
}

/// A payload that is text.
struct PayloadText {
    private enum Kind {
        case json
        case form
        case other
    }

    /// The text in UTF-8.
    let bytes: [UInt8]

    /// Whether it holds no control characters, so that people can read it.
    let isReadable: Bool
    private let kind: Kind

    /// Reads bytes as UTF-8; nil if they are something else.
    ///
    /// - Parameter isCut: whether there were more bytes, and the last character may be incomplete.
    init?(_ all: [UInt8], _ mediaType: MediaType?, isCut: Bool) {
        let cuts = isCut ? 0...min(3, all.count) : 0...0
        let texts = cuts.lazy.map { all.dropLast($0) }
        guard let text = texts.first(where: { String(validating: $0, as: UTF8.self) != nil }) else { return nil }
        isReadable = !text.contains { $0 < 0x20 && !Self.isLayout($0) || $0 == 0x7F }
        bytes = isCut ? Array(Self.withoutOpenAuthority(text)) : all
        let type = mediaType?.rawValue.lowercased().prefix { $0 != ";" }
        let first = text.first { !Self.isLayout($0) && $0 != UInt8(ascii: " ") }
        if let type, type == MediaType.form.rawValue {
            kind = .form
        } else if type?.contains("json") == true || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            kind = .json
        } else {
            kind = .other
        }
    }

    /// The text, in UTF-8, without what is secret in it.
    func hiding(by redaction: Redaction, folding: Bool) -> [UInt8] {
        switch kind {
        case .json: redaction.hiding(json: bytes[...], folding: folding)
        case .form: Array(redaction.hiding(text: [UInt8(ascii: "&")] + bytes).dropFirst())
        case .other: redaction.hiding(text: hidingJSON(by: redaction))
        }
    }

    /// A text of another kind may hold JSON, as events do: in a line, where a quote in another line does not count, or
    /// in several.
    private func hidingJSON(by redaction: Redaction) -> [UInt8] {
        bytes.contains(UInt8(ascii: "\"")) ? redaction.hiding(json: redaction.hiding(jsonInLinesOf: bytes)[...]) : bytes
    }

    /// A text that was cut off without the URL at its end, if that may have been cut in a password: `https://me:hun`.
    private static func withoutOpenAuthority(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let ends = ["//", #"\/\/"#].map { Array($0.utf8) }
        let start = (text.startIndex...text.endIndex).last { index in
            ends.contains { text[..<index].suffix($0.count) == $0[...] }
        }
        guard let start, !text[start...].contains(where: "/?#\"'<> \t\r\n".utf8.contains) else { return text }
        return text[..<start]
    }

    /// Whether a byte is a tab or belongs to the end of a line.
    private static func isLayout(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
