public import Foundation

extension Redaction {
    /// A payload on one line: its text up to `limit` bytes, the credentials in it redacted, or how many bytes it has if it
    /// is none.
    ///
    /// Values are hidden by their names in JSON and forms, and in URLs anywhere. Of a text of another kind nothing is known.
    public func shown(payload: Data, mediaType: MediaType?, limit: Int) -> String {
        let beginning = payload.prefix(max(0, limit))
        let read = PayloadText(beginning, mediaType, isCut: beginning.count < payload.count)
        guard let text = read, text.isReadable else {
            return "\(payload.count) bytes that are no text"
        }
        let more = payload.count - text.text.utf8.count
        return text.hiding(by: self, folding: true).onOneLine + (more > 0 ? "… and \(more) more bytes" : "")
    }

    /// A payload with the credentials in it replaced, if it is a text.
    package func hiding(payload: Data, mediaType: MediaType?) -> Data {
        PayloadText(payload, mediaType, isCut: false).map { Data($0.hiding(by: self, folding: false).utf8) } ?? payload
    }
}

/// A payload that is text.
struct PayloadText {
    private enum Kind {
        case json
        case form
        case other
    }

    let text: String

    /// Whether it holds no control characters, so that people can read it.
    let isReadable: Bool
    private let kind: Kind

    /// Reads bytes as UTF-8; nil if they are something else.
    ///
    /// - Parameter isCut: whether there were more bytes, and the last character may be incomplete.
    init?(_ bytes: Data, _ mediaType: MediaType?, isCut: Bool) {
        let cuts = isCut ? 0...min(3, bytes.count) : 0...0
        guard let text = cuts.lazy.compactMap({ String(validating: bytes.dropLast($0), as: UTF8.self) }).first
        else { return nil }
        isReadable = !text.utf8.contains { $0 < 0x20 && !Self.layout.contains($0) || $0 == 0x7F }
        self.text = isCut ? Self.withoutOpenAuthority(text) : text
        let type = mediaType?.rawValue.lowercased().prefix { $0 != ";" } ?? ""
        let first = text.utf8.first { !Self.layout.contains($0) && $0 != UInt8(ascii: " ") }
        if type == MediaType.form.rawValue {
            kind = .form
        } else if type.contains("json") || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            kind = .json
        } else {
            kind = .other
        }
    }

    func hiding(by redaction: Redaction, folding: Bool) -> String {
        switch kind {
        case .json: redaction.hiding(json: text, folding: folding)
        case .form: String(redaction.hiding(text: "&" + text).dropFirst())
        case .other: redaction.hiding(text: Self.hidingJSON(in: text, by: redaction))
        }
    }

    /// A text of another kind may hold JSON, as events do: in a line, where a quote in another line does not count, or
    /// in several.
    private static func hidingJSON(in text: String, by redaction: Redaction) -> String {
        let lines = text.components(separatedBy: "\n").map { redaction.hiding(json: $0) }
        return redaction.hiding(json: lines.joined(separator: "\n"))
    }

    /// A text that was cut off without the URL at its end, if that may have been cut in a password: `https://me:hun`.
    private static func withoutOpenAuthority(_ text: String) -> String {
        let ends = ["//", #"\/\/"#].compactMap { text.range(of: $0, options: .backwards)?.upperBound }
        guard let start = ends.max(), !text[start...].contains(where: { "/?#\"'<> \t\r\n".contains($0) }) else {
            return text
        }
        return String(text[..<start])
    }

    /// Tab and line ends.
    private static let layout: [UInt8] = [9, 10, 13]
}
