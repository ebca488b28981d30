package import Foundation

extension DecodingError {
    /// What is wrong, and where in the payload; without the value that is wrong, if its name says that it is a secret.
    ///
    /// With the payload, also from which of its bytes on it is no JSON.
    package static func text(
        of error: any Error,
        in payload: Data? = nil,
        calling whole: String = "the payload"
    ) -> String {
        guard let error = error as? DecodingError else { return "\(error)".onOneLine }
        // In UTF-16 or UTF-32, no place is known.
        let readable = payload.flatMap { Charset.wideEncoding(of: $0) == nil ? $0 : nil }
        if error.isOfTheWhole, let offset = readable.flatMap(JSONReader.offsetOfError) {
            return offset == payload?.count
                ? "\(whole) ends after \(offset) bytes, where JSON goes on"
                : "\(whole) is no JSON from byte \(offset) on"
        }
        let isSecret = error.context.codingPath.contains { Redaction.standard.hides($0.stringValue) }
        let isWronged = error.context.debugDescription == saysNoJSON && payload.map(isJSON) == true
        let said = isSecret ? Redaction.placeholder : isWronged ? whyDecoderFails : error.context.debugDescription
        let underlying = isSecret ? nil : error.context.underlyingError.map { ": \($0)" }
        let place = error.context.codingPath.isEmpty ? whole : error.context.codingPath.place
        return "\(place) \(error.kind): \(said)\(underlying ?? "")".onOneLine
    }

    /// What Foundation says of whatever it can't read: on Linux, also of a number such as 1.5 where an `Int` is to be, without
    /// its place.
    private static let saysNoJSON = "The given data was not valid JSON."

    /// What that may be of a payload that is JSON.
    private static let whyDecoderFails =
        "it is JSON, but with a number that does not fit its type, half a character, or too many levels"

    private static func isJSON(_ payload: Data) -> Bool {
        let text = Charset.wideEncoding(of: payload).flatMap { Charset.text(payload, in: $0) }
        return JSONReader.offsetOfError(in: text.map { Data($0.utf8) } ?? payload) == nil
    }

    private var isOfTheWhole: Bool {
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
