/// The result of an API call: a response, or the reason why there is none that a transform may read.
///
/// A response of any status is a response; a transform decides on its meaning.
///
/// A response that a rule of the app rejects is both: ``Wrapper/validate(_:)`` returns ``noResponse(_:)`` with
/// ``ConnectionError/rejected(_:reason:)``, so that no transform reads the response, and ``response`` is still there
/// for retries, new tokens and other wrappers.
public enum Output: Hashable, Sendable {
    /// The server answered.
    case hasResponse(Response)

    /// The server did not answer, or not completely, or its response is refused.
    ///
    /// Some errors keep a response: ``ConnectionError/response``.
    case noResponse(ConnectionError)
}

extension Output {
    /// The response of the server, even if a rule of the app rejects it; nil if there is none.
    ///
    /// A rejection does not change what the status and the header fields of the response ask of a wrapper.
    public var response: Response? {
        switch self {
        case .hasResponse(let response), .noResponse(.rejected(let response, _)): response
        case .noResponse: nil
        }
    }

    /// The reason why there is no response to read; nil if there is one.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}
