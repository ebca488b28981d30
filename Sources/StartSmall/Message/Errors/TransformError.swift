/// Why a response could not become a value; each case keeps the whole response.
///
/// `Problem` is what the API says when it refuses; `Never` where an API has no format for that.
public enum TransformError<Problem: Sendable>: Error {
    /// The API said what is wrong, and it could be read.
    case problem(Problem, Response)

    /// The status is not one that the transform accepts.
    case unexpectedStatusCode(Response)

    /// The status is right, but the payload is not what it should be.
    case malformedData(Response, debugInfo: String)

    /// The value could be read, but it is refused.
    case invalid(Response, reason: String)
}

extension TransformError {
    /// The whole response.
    public var response: Response {
        switch self {
        case .problem(_, let response), .unexpectedStatusCode(let response), .malformedData(let response, _),
            .invalid(let response, _):
            response
        }
    }

    /// What the API said is wrong, or nil if it said nothing that could be read.
    public var problem: Problem? {
        if case .problem(let problem, _) = self { problem } else { nil }
    }
}

extension TransformError: Equatable where Problem: Equatable {}
extension TransformError: Hashable where Problem: Hashable {}

extension TransformError: CustomStringConvertible {
    /// What went wrong, on one line, credentials redacted as far as ``Redaction/standard`` knows them in a text.
    ///
    /// A problem is shown as it describes itself: what no text tells to be a secret, a type of one's own has to hide.
    public var description: String {
        let reason =
            switch self {
            case .problem(let problem, _): "problem: \(problem)"
            case .unexpectedStatusCode: "unexpectedStatusCode:"
            case .malformedData(_, let debugInfo): "malformedData: \(debugInfo)"
            case .invalid(_, let reason): "invalid: \(reason)"
            }
        return "\(Redaction.standard.shown(text: reason)) (\(response))"
    }
}
