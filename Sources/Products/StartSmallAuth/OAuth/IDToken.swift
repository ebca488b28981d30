public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// The reason why the claims of an ID token are not those of a sign-in.
public enum IDTokenRefusal: Error, Hashable, Sendable {
    /// The text is no signed token, or lacks a claim that OpenID Connect Core 2 demands.
    case malformed

    /// The token was issued by another server.
    case wrongIssuer

    /// The token is for another client.
    case wrongAudience

    /// The token has expired.
    case expired

    /// The token was issued later than now by more than the tolerance: one of the clocks is wrong.
    case issuedInFuture

    /// The token belongs to another request.
    case wrongNonce
}

extension JSONWebToken {
    /// The default tolerance between the clocks of server and app: 2 minutes, the "few" of RFC 7519 4.1.4.
    @usableFromInline static let defaultLeeway = Duration.seconds(120)

    /// Reads an ID token **that came from the token endpoint**, and checks its claims (OpenID Connect Core 3.1.3.7).
    ///
    /// The signature is not verified. The trust comes from TLS to the token endpoint, which the specification allows in
    /// place of it (step 6). A token from any other place, such as a redirect or another app, proves nothing.
    ///
    /// - Parameters:
    ///   - text: the token, ``OAuthTokenResponse/idToken``.
    ///   - issuer: the issuer of the server, compared byte by byte.
    ///   - client: the client, which has to be the only party for whom the token is, or the one to which it was issued.
    ///   - nonce: the nonce of the request, ``AuthorizationRequest/nonce``; nil for a sign-in without one.
    ///   - now: the current time.
    ///   - leeway: the tolerance between the clocks.
    public static func idToken(
        _ text: String,
        from issuer: String,
        to client: OAuthClient,
        nonce: String?,
        now: Date,
        leeway: Duration = defaultLeeway
    ) -> Either<IDTokenRefusal, JSONWebToken> {
        Either { () throws(IDTokenRefusal) in
            guard let token = JSONWebToken(unverified: text), let expires = token.expires, let issued = token.issued,
                let subject = token.subject, !subject.isEmpty, let sender = token.issuer
            else { throw .malformed }
            guard sender.isSame(as: issuer) else { throw .wrongIssuer }
            guard token.audience.contains(where: { $0.isSame(as: client.id) }),
                token.authorizedParty.map({ $0.isSame(as: client.id) }) ?? (token.audience.count == 1)
            else { throw .wrongAudience }
            let leeway = leeway / .seconds(1)
            guard now.timeIntervalSince(expires) < leeway else { throw .expired }
            guard issued.timeIntervalSince(now) <= leeway else { throw .issuedInFuture }
            if let nonce, token.nonce.map({ $0.isSame(as: nonce) }) != true { throw .wrongNonce }
            return token
        }
    }
}
