public import StartSmallCore
import StartSmallHeaders
import StartSmallSupport
public import StartSmallFoundation

extension Wrapper {
    /// Proves with each request that the sender of a token has the key that the token is bound to (DPoP, RFC 9449).
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(
    ///     by: .oauth(client, at: tokenEndpoint, in: store, to: .origin(api), .dpop),
    ///     .dpop(key)
    /// )
    /// ```
    ///
    /// A proof goes with a token of the scheme `DPoP`, with each form of an ``OAuthClient``, and with any other request for
    /// a token; each attempt and each redirect has one of its own. A nonce of a server is sent with the next proof to the
    /// same origin. If a server requires another one (`use_dpop_nonce`, RFC 9449 8 and 9), the request is sent once more,
    /// unless its payload can be produced only once. A form with a code or a refresh token is repeated, too: that answer
    /// says that the server has not taken it.
    ///
    /// - Parameters:
    ///   - key: the key of the proofs.
    ///   - isForProof: whether another request gets a proof, such as a pushed authorization request (RFC 9449 10.1) that
    ///     the app sends itself.
    ///   - now: returns the current time.
    ///   - random: returns random bits.
    /// - Passes through: requests for which there is no proof, and those that have a `DPoP` field already.
    /// - Order: any, since the wrapper is next to the engine, inside of what adds the token.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the signer fails.
    /// - State: the last nonce of each origin, for at most 64 origins.
    public static func dpop(
        _ key: DPoPKey,
        also isForProof: @escaping @Sendable (Input) -> Bool = { _ in false },
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) -> Wrapper {
        Wrapper("dpop") { connector in
            let nonces = Locked<[Origin: String]>([:])
            let proving = Wrapper.streaming { input, next in
                let token = input.tokenOfDPoP
                // A payload is searched only if there is no token.
                let isAuthorization = token == nil && (input.isTokenRequest || isForProof(input))
                guard !input.headers.contains(DPoPProof.field), let origin = Origin(input.calledURL),
                    token != nil || isAuthorization
                else { return await next(input) }
                var sent = nonces.withLock { $0[origin] }
                var (input, isRepetition) = (input, false)
                while true {
                    let proof = DPoPProof(of: input, token, nonce: sent, at: now(), random)
                    let proven: Input
                    switch await proof.text(signedBy: key) {
                    case .left(let error): return .noResponse(error)
                    case .right(let text): proven = input.with { $0.headers.append(DPoPProof.field, text) }
                    }
                    var output = await next(proven)
                    guard let nonce = output.response?.nonceOfDPoP else { return output }
                    nonces.withLock { $0.set(nonce, for: origin, atMost: Self.mostNonces) }
                    if isRepetition || nonce.isSame(as: sent ?? "") || next.context.isDryRun { return output }
                    // An authorization server says it in the payload; those of other servers stay as they are.
                    let isRefusal = isAuthorization && output.response?.statusCode == .badRequest
                    if isRefusal, let response = output.response {
                        output = .hasResponse(await response.keepingPayload())
                    }
                    guard let response = output.response, response.asksForNonceOfDPoP,
                        let unused = input.unused(isRefused: isRefusal)
                    else { return output }
                    (input, sent, isRepetition) = (unused, nonce, true)
                    output.discard()
                }
            }
            return connector.wrapped(by: proving)
        }
    }

    /// The maximum number of origins whose nonces are kept: 64, far more than an app has keys bound to.
    private static let mostNonces = 64
}

/// The key of DPoP proofs: a signer of the app, which alone has the private key, and the public key.
public struct DPoPKey: Sendable {
    /// The algorithm of the signatures (RFC 7518 3.1), such as `ES256`; never a symmetric one (RFC 9449 4.2).
    public let algorithm: String

    /// The members of the public key as a JSON Web Key (RFC 7517): `kty`, `crv`, `x` and `y` of an elliptic curve.
    public let publicKey: [String: String]

    let sign: @Sendable (_ message: Data) async throws -> Data

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - algorithm: the algorithm of the signatures.
    ///   - publicKey: the members of the public key; a private one, such as `d`, is not sent.
    ///   - sign: returns the signature of a message, for `ES256` the 64 bytes of R and S (RFC 7518 3.4).
    public init(
        algorithm: String = "ES256",
        publicKey: [String: String],
        sign: @escaping @Sendable (_ message: Data) async throws -> Data
    ) {
        self.algorithm = algorithm
        self.publicKey = publicKey.filter { !Self.privateMembers.contains($0.key) }
        self.sign = sign
    }

    /// Creates a key of the curve P-256, for `ES256` (RFC 7518 3.4 and 6.2.1).
    ///
    /// - Parameters:
    ///   - publicKey: the 64 bytes of X and Y, which CryptoKit and swift-crypto call `rawRepresentation`; also those of
    ///     `x963Representation`, which are the same behind one byte.
    ///   - sign: returns the signature of a message, the 64 bytes of R and S.
    public init(p256 publicKey: Data, sign: @escaping @Sendable (_ message: Data) async throws -> Data) {
        let (x, y) = (publicKey.suffix(64).prefix(32), publicKey.suffix(32))
        self.init(publicKey: ["kty": "EC", "crv": "P-256", "x": x.base64URL, "y": y.base64URL], sign: sign)
    }

    /// The members of private and symmetric keys (RFC 7518 6.2.2, 6.3.2 and 6.4).
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]
}

extension RefreshPolicy {
    /// The policy for tokens that are bound to a key: `Authorization: DPoP …` (RFC 9449 7.1).
    ///
    /// Neither a request for another nonce nor a refused proof, as by a wrong clock, is a rejection of the token.
    public static let dpop = RefreshPolicy(
        tokenType: DPoPProof.field,
        isRejection: { response in
            response.statusCode == .unauthorized && !response.asksForNonceOfDPoP
                && !response.challenges.contains { $0.parameters["error"] == "invalid_dpop_proof" }
        },
        attach: { token, input in .right(input).authorized(by: .custom(scheme: DPoPProof.field, token.value)) }
    )
}

extension Request {
    /// The token of the scheme `DPoP`; nil for another scheme.
    fileprivate var tokenOfDPoP: String? {
        guard let value = headers["Authorization"], let blank = value.utf8.firstIndex(of: UInt8(ascii: " ")),
            value[..<blank].lowercased() == "dpop"
        else { return nil }
        return String(value[blank...].drop { $0 == " " })
    }

    fileprivate var isTokenRequest: Bool { methodAndPayload.payload.map { asksForToken(with: $0) } ?? false }

    /// Returns the request to send it once more; nil if its payload is used up.
    ///
    /// - Parameter isRefused: whether an authorization server says that it has not taken the credentials (RFC 9449 8).
    fileprivate func unused(isRefused: Bool) -> Input? {
        guard var payload = methodAndPayload.payload, !payload.isAvailable else { return self }
        guard isRefused, case .stream(let stream) = payload.content, let unused = stream.unused() else {
            return nil
        }
        payload.content = .stream(unused)
        return with { $0.methodAndPayload = .post(payload: payload) }
    }
}

extension Response {
    /// The maximum length of a nonce in bytes: 1 KiB; an honest one has less than 100.
    private static let longestNonce = 1_024

    /// The nonce for the next proof; nil for none that may be sent (RFC 9449 8.1).
    fileprivate var nonceOfDPoP: String? {
        let values = headers.values(of: "DPoP-Nonce")
        guard values.count == 1, (1...Self.longestNonce).contains(values[0].utf8.count),
            values[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != 0x5C })
        else { return nil }
        return values[0]
    }

    /// Whether the server asks for a proof with its nonce: a resource by 401, an authorization server by 400.
    fileprivate var asksForNonceOfDPoP: Bool {
        switch statusCode {
        case .unauthorized:
            challenges.contains { $0.scheme == "dpop" && $0.parameters["error"] == DPoPProof.useNonce }
        case .badRequest:
            (try? JSONDecoder().value(DPoPProof.Refusal.self, from: payload))?.error == DPoPProof.useNonce
        default: false
        }
    }
}
