public import StartSmallCore
import StartSmallEngines
public import StartSmallHeaders
import StartSmallSupport
import StartSmallFoundation

extension Wrapper {
    /// Answers the Digest challenges of a server with a user and a password, which are never sent (RFC 7616).
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .digest(user: "Mufasa", password: secret, to: .origin(api)))
    /// ```
    ///
    /// The first request to an origin is sent without credentials, and once more after the 401 with its challenge. Each
    /// later call is one request, until the server wants another nonce: then the request is repeated once. A wrong
    /// password is a 401. The strongest algorithm that the server offers is used, and never Basic.
    ///
    /// The credentials are computed next to the engine, for each request as it is sent, also after a redirect within the
    /// origin, and for each attempt of a `.retry`. Each count of a nonce is used once, unless an engine repeats a request
    /// on a connection that was closed; requests of concurrent calls may arrive in another order than that of their counts.
    ///
    /// A 401 is returned as it is if its challenge has no `qop` (RFC 2069, where a recorded response is valid for ever),
    /// an unknown algorithm, or a parameter twice. The `domain` of a challenge is ignored: it could widen the scope.
    /// User and password are hashed in UTF-8 as they are given, without a normal form.
    ///
    /// - Parameters:
    ///   - user: the name of the user.
    ///   - password: the password.
    ///   - scope: the requests that get the credentials. With `.anyOrigin`, any server that a call reaches gets a text by
    ///     which it can guess the password offline.
    ///   - allowsMD5: whether challenges of MD5 are answered if there is none of SHA-256; false by default, since a
    ///     password is guessed from it in a fraction of the time (RFC 7616 5.8, RFC 6151).
    ///   - random: returns random bits, for the nonces of the client.
    /// - Passes through: requests that have an `Authorization`, or user information in their URL, or are not in the scope.
    ///   A 401 is returned if the payload can't be produced again (``Payload/isAvailable``): send a HEAD before.
    /// - Order: outside of `.redirect`, which drops the credentials at another origin. With a scope, inside of
    ///   `.baseURL`, since a relative URL has no origin. Outside of `.cache` and `.shareInFlight`, which then tell users
    ///   apart; a cache on disk does so for one process. `.retry`, `.rateLimit` and `.cookies` see one request in place
    ///   of both, and no cookie of the 401.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the user or the password contains a control
    ///   character, or if the URL of the scope has no origin. ``UnhashablePayload``.
    /// - State: the last nonces of each origin, for each wrapped connector.
    public static func digest(
        user: String,
        password: String,
        to scope: CredentialScope,
        allowsMD5: Bool = false,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) -> Wrapper {
        let mark = DigestCredentials.mark(user: user, password: password)
        return Wrapper(scope.name(of: "digest")) { connector in
            let authenticator = DigestAuthenticator(
                credentials: DigestCredentials(user: user, password: password),
                mark: mark.right?.value,
                scope: scope,
                allowsMD5: allowsMD5,
                random: random
            )
            return connector.wrapped(
                by: Wrapper { input, next in await next(await input.authorized(in: scope) { mark }) },
                .streaming { input, next in await authenticator.call(input, next) }
            )
        }
    }
}

/// The refusal of a request whose server wants the digest of the payload (`qop="auth-int"`), which is not in memory.
public struct UnhashablePayload: Refusal {
    /// The name of the refusal.
    public var name: String { "unhashablePayload" }

    /// The reason, for developers.
    public var reason: String {
        "the server only accepts qop=auth-int, for which the whole payload must be in memory (RFC 7616 3.4.3)"
    }

    /// Creates a refusal.
    public init() {}
}

/// The credentials for each request next to the engine, and the challenges of its server.
///
/// The outer part of the wrapper marks the requests that get credentials, in the field that these will have: a cache
/// inside tells users apart by it, and a redirect to another origin drops it.
private struct DigestAuthenticator: Sendable {
    let credentials: DigestCredentials
    let mark: String?
    let scope: CredentialScope
    let allowsMD5: Bool
    let random: @Sendable () -> UInt64
    private let origins = Locked<[Origin: DigestState]>([:])

    /// The number of origins that are remembered: an app calls few, and one that is forgotten costs one request more.
    private static let maximumCount = 64

    func call(_ input: Input, _ next: Next) async -> Output {
        guard let mark, input.headers[Authorization.headerName]?.isSame(as: mark) == true else {
            return await next(input)
        }
        let plain = input.with { $0.headers[Authorization.headerName] = nil }
        guard plain.isIn(scope).right == true, let origin = Origin(plain.url), let target = plain.digestTarget else {
            return await next(plain)
        }
        let use = state(of: origin) { next.context.isDryRun ? $0.current : $0.next() }
        let output = await next(credentials.sign(plain, target, use))
        guard let response = output.response, let again = answer(response, of: origin, after: use, next),
            !next.context.isCancelled, plain.methodAndPayload.payload?.isAvailable ?? true
        else { return output }
        // Read as that of a redirect is, so that the connection can be used again.
        let (limit, time) = (Response.redirectPayloadLimit, Response.redirectPayloadTime)
        let rejection = await response.keepingPayload(upTo: limit, within: time)
        let repeated = await next(credentials.sign(plain, target, again, after: rejection))
        if let response = repeated.response { _ = answer(response, of: origin, after: again, next) }
        return repeated
    }

    /// Reads the fields of a response; returns the nonce with which the request is to be repeated, if it is.
    private func answer(_ response: Response, of origin: Origin, after use: DigestUse?, _ next: Next) -> DigestUse? {
        if next.context.isDryRun { return nil }
        if let use, let nonce = response.nextNonce { state(of: origin) { $0.renew(use, nonce) } }
        guard response.statusCode == .unauthorized,
            let challenge = DigestChallenge.strongest(of: response.headers, allowsMD5: allowsMD5)
        else { return nil }
        // 128 bits, as many as MD5 has: nobody can prepare digests for a nonce (RFC 7616 5.7).
        let clientNonce = String(random(), radix: 16) + "-" + String(random(), radix: 16)
        return state(of: origin) { $0.answer(challenge, after: use, clientNonce) }
    }

    private func state<Result: Sendable>(of origin: Origin, _ body: (inout DigestState) -> Result) -> Result {
        origins.withLock { origins in
            if origins[origin] == nil, origins.count >= Self.maximumCount { _ = origins.popFirst() }
            return body(&origins[origin, default: DigestState()])
        }
    }
}

extension Request {
    /// The request target as the engine sends it (RFC 9112 3.2.1); nil if the URL is illegal, or has user information.
    fileprivate var digestTarget: String? {
        guard let request = ValidatedRequest.from(Input(url: url, queries: queries)).right,
            !request.headers.contains(Authorization.headerName)
        else { return nil }
        let text = request.url.absoluteString
        guard let authority = Authority(of: text) else { return nil }
        let target = text[authority.port.endIndex...]
        return target.utf8.first == UInt8(ascii: "/") ? String(target) : "/" + target
    }
}

extension Response {
    /// The nonce that the server wants for the next request (RFC 7616 3.5); nil if there is none.
    fileprivate var nextNonce: String? {
        let values = headers.values(of: "Authentication-Info")
        let nonce = values.count == 1 ? AuthenticationField.parameters(of: values[0])?["nextnonce"] : nil
        return nonce.flatMap { DigestChallenge.isNonce($0) ? $0 : nil }
    }
}
