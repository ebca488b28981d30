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

    /// The token belongs to another ``AccessToken/identity`` than the call, because of a login in the meantime, or to
    /// another ``AccessToken/source`` than the wrapper.
    case identityChanged
}

extension RefreshFailure {
    /// Whether no refresh can succeed until the user signs in again: the server refuses the refresh token for good
    /// (`invalid_grant`, RFC 6749 5.2), or there is none.
    public var needsSignIn: Bool {
        guard case .noToken(let response, _) = self else { return false }
        return response.map { OAuthError(of: $0, hiding: [])?.code == .invalidGrant } ?? true
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
        }
    }

    /// The reason on one line, with credentials redacted.
    public var description: String { reason }
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
