import StartSmallSupport
package import StartSmallFoundation

extension DecodingError {
    /// Returns the reason and the position of a decoding error.
    ///
    /// The text omits the invalid value if the name of that value says that it is a secret. With a payload, the text
    /// also contains the offset of the first byte that is not JSON.
    package static func text(
        of error: any Error,
        in payload: Data? = nil,
        calling whole: String = "the payload"
    ) -> String {
        if let error = error as? any ErrorAtOffset { return text(ofErrorAt: error.offset, in: payload, calling: whole) }
        guard let error = error as? DecodingError else { return "\(error)".onOneLine }
        // In UTF-16 or UTF-32, no offset is known.
        let readable = payload.flatMap { Charset.wideEncoding(of: $0) == nil ? $0 : nil }
        if error.isOfTheWhole, let offset = readable.flatMap(offsetOfError) {
            return text(ofErrorAt: offset, in: payload, calling: whole)
        }
        let isSecret = error.context.codingPath.contains { error.mayShowSecret(of: $0.stringValue) }
        let isMisleading = error.context.debugDescription == notJSONText && readable != nil
        let reason =
            isSecret
            ? hiddenReason(
                isRedacted: error.context.debugDescription.utf8.contains(placeholder) || payload.map(isRedacted) == true
            )
            : isMisleading ? possibleReasons : error.context.debugDescription
        let underlying = isSecret ? nil : error.context.underlyingError.map { ": \($0)" }
        let place = error.context.codingPath.isEmpty ? whole : error.context.codingPath.place
        return "\(place) \(error.kind): \(reason)\(underlying ?? "")".onOneLine
    }

    /// Returns the text in place of a reason that may contain a secret.
    ///
    /// - Parameter isRedacted: whether values of the payload were replaced before, as in a replayed cassette, which may
    ///   be the cause of the error.
    private static func hiddenReason(isRedacted: Bool) -> String {
        isRedacted
            ? "\(Redaction.placeholder); a redaction has replaced a value of the payload before, as in a cassette"
            : Redaction.placeholder
    }

    /// Returns whether the reason may contain the secret value of a name.
    ///
    /// A name such as `code` may be an ordinary one: then only the reason of a type's own may contain the value.
    private func mayShowSecret(of name: String) -> Bool {
        switch Redaction.standard.sensitivity(of: name) {
        case .ordinary: if case .dataCorrupted = self { true } else { false }
        case .hidden: true
        case .shown: false
        }
    }

    /// The part that the placeholders of ``Redaction`` and of cassettes have in common.
    private static let placeholder = "redacted".utf8

    private static func isRedacted(_ payload: Data) -> Bool { Array(payload)[...].holds("redacted") }

    private static func text(ofErrorAt offset: Int?, in payload: Data?, calling whole: String) -> String {
        guard let offset else { return "\(whole) is too long" }
        let isWide = payload.map { Charset.wideEncoding(of: $0) != nil } ?? true
        if isWide { return "\(whole) is invalid JSON" }
        let invalid = payload.flatMap(invalidUTF8).flatMap { $0.offset == offset ? $0 : nil }
        if let invalid, !invalid.isCut { return "\(whole) is not UTF-8 at byte \(offset)" }
        let count = payload?.count
        return offset == count || invalid != nil
            ? "\(whole) is incomplete JSON: it ends after \(count ?? offset) bytes"
            : "\(whole) is invalid JSON at byte \(offset)"
    }

    /// The text of Foundation for anything that it can't read.
    ///
    /// The text also appears for nesting that is too deep, and for a number such as 1.5 where an `Int` is expected, if
    /// ``UnfitNumber`` does not find that number.
    private static let notJSONText = "The given data was not valid JSON."

    /// The possible reasons for the text of Foundation if the payload is JSON.
    private static let possibleReasons =
        "it is JSON, but with a number that does not fit its type, or too deep nesting"

    /// Returns the number of bytes before the first one that is not JSON in UTF-8 (RFC 8259 8.1); nil if there is none.
    private static func offsetOfError(in data: Data) -> Int? {
        let offsets = [JSONParts.offsetOfError(in: data), invalidUTF8(in: data)?.offset]
        return offsets.compactMap(\.self).min()
    }

    /// Returns the number of bytes before the first character that is not UTF-8, and whether only its end is missing.
    private static func invalidUTF8(in data: Data) -> (offset: Int, isCut: Bool)? {
        var (bytes, parser, offset) = (data.makeIterator(), Unicode.UTF8.ForwardParser(), 0)
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let character): offset += character.count
            case .emptyInput: return nil
            case .error(let length):
                let isLead = 0xC2...0xF4 ~= data[data.startIndex + offset]
                return (offset, isLead && offset + length == data.count)
            }
        }
    }

    /// Whether the error names no place, as that of text that is not JSON.
    var isOfTheWhole: Bool {
        if case .dataCorrupted(let context) = self { context.codingPath.isEmpty } else { false }
    }

    private var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }

    private var kind: String {
        switch self {
        case .typeMismatch(let type, _): "is not a value of type \(type)"
        case .valueNotFound(let type, _): "has no value of type \(type)"
        case .keyNotFound(let key, _): "has no member \"\(key.stringValue)\""
        case .dataCorrupted: "can't be read"
        @unknown default: "can't be read"
        }
    }
}
