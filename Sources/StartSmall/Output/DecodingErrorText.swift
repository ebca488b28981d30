extension DecodingError {
    /// What is wrong, and where in the payload; without the value that is wrong, if its name says that it is a secret.
    static func text(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let isSecret = error.context.codingPath.contains { Redaction.standard.hides($0.stringValue) }
        let said = isSecret ? Redaction.placeholder : error.context.debugDescription
        let underlying = isSecret ? nil : error.context.underlyingError.map { ": \($0)" }
        return "\(error.kind) at \(error.context.codingPath.place): \(said)\(underlying ?? "")".onOneLine
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
        case .typeMismatch(let type, _): "not a value of type \(type)"
        case .valueNotFound(let type, _): "no value of type \(type)"
        case .keyNotFound(let key, _): "no member \"\(key.stringValue)\""
        case .dataCorrupted: "corrupted data"
        @unknown default: "unreadable"
        }
    }
}
