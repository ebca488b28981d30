/// The result of an API call: a response, or the reason why there is none.
///
/// A response of any status is a response; a transform decides on its meaning.
public enum Output: Hashable, Sendable {
    /// The server answered.
    case hasResponse(Response)

    /// The server did not answer, or not completely.
    case noResponse(ConnectionError)
}

extension Output {
    /// The response, or nil if there is none.
    public var response: Response? {
        if case .hasResponse(let response) = self { response } else { nil }
    }

    /// The server's response, even if an app's own rule refused it.
    ///
    /// A refusal does not change the actions that the status and the fields of a response ask for.
    var answer: Response? {
        switch self {
        case .hasResponse(let response), .noResponse(.rejected(let response, _)): response
        case .noResponse: nil
        }
    }

    /// The reason why there is no response; nil if there is one.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}
