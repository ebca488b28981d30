public import StartSmallCore

/// The reason why a refresh by ``Wrapper/oauth(_:at:_:in:to:_:first:clock:now:)`` or
/// ``Wrapper/refreshToken(in:to:_:clock:now:first:by:)`` gave no new token.
///
/// `error.refusal(RefreshFailure.self)` returns it; the response of the error rejected the old token, and is nil if that
/// token had only expired.
public indirect enum RefreshFailure: Refusal {
    /// The refresh got no response, or a token that can't be sent (``ConnectionError/missingCredentials(debugInfo:)``).
    case noResponse(ConnectionError)

    /// The response to the refresh contains no token, or there is no refresh token to send, and no response; the reason
    /// contains no credentials.
    case noToken(Response?, reason: String)

    /// Tokens were refreshed as often as allowed within the given time, without success.
    case tooOften(limit: Int, within: Duration)

    /// The app could not load or save the token; the text contains no credentials.
    case storeFailed(debugInfo: String)

    /// The token belongs to another ``AccessToken/identity`` than the call, because of a login in the meantime.
    case identityChanged

    /// The stored token is of another ``AccessToken/source`` than those of the wrapper.
    case otherSource
}

extension RefreshFailure {
    /// Whether no refresh can succeed until the user signs in again, or a service has another grant: the server refuses the
    /// refresh token for good (`invalid_grant`, RFC 6749 5.2), there is none, or the stored token is of another client.
    public var needsSignIn: Bool {
        switch self {
        case .noToken(nil, _), .otherSource: true
        case .noToken(let response?, _): response.refusesGrant
        case .noResponse, .tooOften, .storeFailed, .identityChanged: false
        }
    }

    /// Whether a repetition with a short delay may succeed: if the request for a token could not be sent.
    public var isTransient: Bool {
        guard case .noResponse(let error) = self else { return false }
        return error.isTransient && !error.mayHaveBeenSent
    }
}

extension RefreshFailure: CustomStringConvertible {
    /// The name of the refusal.
    public var name: String { "refreshFailed" }

    /// The reason on one line, with credentials redacted.
    public var reason: String {
        switch self {
        case .noResponse(let error): error.description
        case .noToken(let response, let reason):
            Redaction.standard.shown(text: reason) + (response.map { " (\($0))" } ?? "")
        case .tooOften(let limit, let window): "the limit of \(limit) refreshes within \(window) is reached"
        case .storeFailed(let info): "storeFailed: \(Redaction.standard.shown(text: info))"
        case .identityChanged: "the token belongs to another identity than the call"
        case .otherSource: "the token is of another server, client or resource"
        }
    }

    /// The reason on one line, with credentials redacted.
    public var description: String { reason }
}

extension Response {
    /// Whether the token endpoint refuses a grant for good; neither a gateway nor another origin speaks for it.
    fileprivate var refusesGrant: Bool {
        !isOfAnotherOrigin && !statusCode.isTransient && OAuthError(of: self, hiding: [])?.code == .invalidGrant
    }
}

extension ConnectionError {
    /// Returns the error of a call that has no token because its refresh failed.
    ///
    /// - Parameters:
    ///   - failure: the reason.
    ///   - response: the response that rejected the old token; nil if that token had only expired.
    public static func refreshFailed(_ failure: RefreshFailure, after response: Response?) -> ConnectionError {
        .refused(failure, after: response)
    }
}
