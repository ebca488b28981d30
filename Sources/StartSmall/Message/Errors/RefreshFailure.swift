/// Why there is no new token: what went wrong when ``Wrapper/refreshToken(in:only:_:clock:now:by:)`` asked for one.
public indirect enum RefreshFailure: Hashable, Sendable {
    /// The refresh had no response.
    case noResponse(ConnectionError)

    /// The refresh had a response, which gives no token; the reason has no credentials in it.
    case noToken(Response, reason: String)

    /// Tokens were refreshed as often as is allowed within this time, and it did not help.
    case tooOften(limit: Int, within: Duration)

    /// The app could not load or save the token; the text has no credentials in it.
    case storeFailed(debugInfo: String)

    /// The token belongs to another ``AccessToken/identity`` than the call, because of a login meanwhile.
    case identityChanged
}

extension RefreshFailure: CustomStringConvertible {
    /// What went wrong, on one line, credentials redacted.
    public var description: String {
        switch self {
        case .noResponse(let error): error.description
        case .noToken(let response, let reason): "\(Redaction.standard.shown(text: reason)) (\(response))"
        case .tooOften(let limit, let window): "\(limit) refreshes within \(window)"
        case .storeFailed(let info): "storeFailed: \(Redaction.standard.shown(text: info))"
        case .identityChanged: "the token belongs to another identity than the call"
        }
    }
}
