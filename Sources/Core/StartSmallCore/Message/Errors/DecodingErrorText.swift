import StartSmallSupport
package import StartSmallFoundation

extension DecodingError {
    /// Returns the reason and the position of a decoding error.
    ///
    /// The text omits the invalid value if the name of that value says that it is a secret.
    package static func text(
        of error: any Error,
        in payload: Data? = nil,
        calling whole: String = "the payload"
    ) -> String {
        let underlying = (error as? DecodingError)?.context.underlyingError
        if let error = (underlying ?? error) as? any PayloadError { return error.text(in: payload, calling: whole) }
        guard let error = error as? DecodingError else { return "\(error)".onOneLine }
        let isSecret = error.context.codingPath.contains { error.mayShowSecret(of: $0.stringValue) }
        let detail = underlying.map { ": \($0)" } ?? ""
        let reason = isSecret ? Redaction.placeholder : error.context.debugDescription + detail
        let place = error.context.codingPath.isEmpty ? whole : error.context.codingPath.place
        return "\(place) \(error.kind): \(reason)".onOneLine
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
