/// The result of an API call: a response, or the reason why there is none that a transform may read.
///
/// A response of any status is a response; a transform decides on its meaning.
///
/// A response that a rule of the app rejects is both: ``Wrapper/validate(_:)`` returns ``noResponse(_:)`` with
/// ``ConnectionError/rejected(_:reason:)``, so that no transform reads the response, and ``response`` is still there
/// for retries, new tokens and other wrappers. So is a response outside of 2xx whose payload is broken.
public enum Output: Hashable, Sendable {
    /// The server answered.
    case hasResponse(Response)

    /// The server did not answer, or not completely, or its response is refused.
    ///
    /// Some errors keep a response: ``ConnectionError/response``.
    case noResponse(ConnectionError)
}

extension Output {
    /// The response by whose status and header fields wrappers decide; nil if there is none.
    ///
    /// Neither a rejection by a rule of the app nor a broken payload changes what a response asks for: a 503 is
    /// retried, a 302 is followed, a 401 requires a new token. A payload is broken if it ends early, can't be decoded,
    /// or is larger than its limit; the part that arrived is the payload of the response. A 2xx with a broken payload
    /// is no success, and there is no response then.
    public var response: Response? {
        switch self {
        case .hasResponse(let response), .noResponse(.rejected(let response, _)): response
        // A wrapper has already done what the response asks for.
        case .noResponse(.tooManyRedirects), .noResponse(.refreshFailed): nil
        case .noResponse(let error): error.response.flatMap { $0.statusCode.isSuccess ? nil : $0 }
        }
    }

    /// Calls a function exactly once, when nothing more arrives: now, unless a body is still to be read.
    func onEnd(_ act: @escaping @Sendable (ResponseBody.End) -> Void) {
        switch self {
        case .hasResponse(let response): if let body = response.body { body.onEnd(act) } else { act(.complete) }
        case .noResponse(let error): act(.failed(error))
        }
    }

    /// The reason why there is no response to read; nil if there is one.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}
