public import StartSmallSupport

// Not `indirect`: Swift 6.3.1 miscompiles a generic async function that throws it, as
// `ThrowingResponseStream.next` does, as soon as the error fits into registers: wrong values, and a crash in a debug build.

/// The error of a transform from a response to a value; each case keeps the whole response.
///
/// `Problem` is the type of the API's error messages; `Never` for an API without a format for them.
public enum TransformError<Problem: Sendable>: Error {
    /// The API reported a problem, which could be read.
    case problem(Problem, Response)

    /// The transform does not accept the status.
    case unexpectedStatusCode(Response)

    /// The status is accepted, but the payload is not as expected.
    case malformedData(Response, debugInfo: String)

    /// The value could be read, but is refused.
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

    /// The problem that the API reported; nil if there is none that could be read.
    public var problem: Problem? {
        if case .problem(let problem, _) = self { problem } else { nil }
    }
}

extension TransformError: Equatable where Problem: Equatable {}
extension TransformError: Hashable where Problem: Hashable {}

extension TransformError: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The reason on one line, with credentials redacted as far as ``Redaction/standard`` detects them in a text.
    ///
    /// A problem is shown by its own description: a custom type has to hide secrets that their text does not reveal as
    /// such.
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
