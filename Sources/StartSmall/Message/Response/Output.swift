/// What comes out of an API call: a response, or the reason why there is none.
///
/// A response of any status is a response; what it means is for a transform to say.
public enum Output: Hashable, Sendable {
    /// The server answered.
    case hasResponse(Response)

    /// The server did not answer, or not wholly.
    case noResponse(ConnectionError)
}

extension Output {
    /// The response, or nil if there is none.
    public var response: Response? {
        if case .hasResponse(let response) = self { response } else { nil }
    }

    /// What the server said, even where an app's own rule refused it: that does not change what its status and fields
    /// ask for.
    var answer: Response? {
        switch self {
        case .hasResponse(let response), .noResponse(.rejected(let response, _)): response
        case .noResponse: nil
        }
    }

    /// Why there is no response, or nil if there is one.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}
