import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The proof of a client by its private key, `private_key_jwt` (RFC 7523 2.2, OpenID Connect Core 9).
///
/// ```swift
/// let key = ClientAssertion(to: "https://server.example.com", algorithm: "ES256", keyID: "16") { try await sign($0) }
/// let client = OAuthClient("s6BhdRkqt3", .privateKey(key))
/// ```
///
/// The app signs, since the kit has no asymmetric keys. Each attempt to send a request has a new text with a new ID
/// (`jti`), also behind a retry and a redirect: the text is made while the payload is sent. Its audience is the issuer
/// alone, so that no other server can use it (draft-ietf-oauth-rfc7523bis).
public struct ClientAssertion: Sendable {
    private let issuer: String
    private let algorithm: String
    private let keyID: String?
    private let lifetime: Duration
    private let signatureLength: Int?
    private let now: @Sendable () -> Date
    private let random: @Sendable () -> UInt64
    private let sign: @Sendable (_ signingInput: Data) async throws -> Data

    /// The default lifetime: a minute, since a text is made when it is sent.
    @usableFromInline static let defaultLifetime = Duration.seconds(60)

    /// The lengths in bytes of signatures whose algorithm says it (RFC 7518 3.4, RFC 8037 3.1).
    private static let lengths = ["ES256": 64, "ES384": 96, "ES512": 132, "EdDSA": 64, "Ed25519": 64]

    /// Creates a proof.
    ///
    /// - Parameters:
    ///   - issuer: the issuer of the authorization server, the audience of each text; the URL of the token endpoint for a
    ///     server that wants it there (RFC 7523 3).
    ///   - algorithm: the name of the algorithm, such as `ES256` (RFC 7518 3.1).
    ///   - keyID: the ID of the key; nil if the client has one key.
    ///   - lifetime: the time for which a text is valid.
    ///   - signatureLength: the number of bytes of a signature, such as 256 for an RSA key of 2048 bits. If it is nil,
    ///     and the algorithm does not say it, a request over HTTP/1.1 is sent in chunks, which not all servers accept.
    ///   - now: returns the current time.
    ///   - random: returns uniformly random bits, for the IDs.
    ///   - sign: returns the signature of a text, for ECDSA as two numbers one behind the other (RFC 7518 3.4).
    public init(
        to issuer: String,
        algorithm: String,
        keyID: String? = nil,
        lifetime: Duration = defaultLifetime,
        signatureLength: Int? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        sign: @escaping @Sendable (_ signingInput: Data) async throws -> Data
    ) {
        (self.issuer, self.algorithm, self.keyID, self.lifetime) = (issuer, algorithm, keyID, lifetime)
        self.signatureLength = signatureLength ?? Self.lengths[algorithm]
        (self.now, self.random, self.sign) = (now, random, sign)
    }

    private struct Header: Encodable {
        let alg: String
        let typ = "JWT"
        let kid: String?
    }

    private struct Claims: Encodable {
        let iss, sub, aud, jti: String
        let iat, exp: Int64
    }

    /// Returns the text to sign (RFC 7515 5.1).
    private func signingInput(of id: String, _ jti: String) throws -> String {
        let issued = JSONWebToken.seconds(of: now())
        let expires = issued.addingReportingOverflow(lifetime.components.seconds).partialValue
        let claims = Claims(iss: id, sub: id, aud: issuer, jti: jti, iat: issued, exp: expires)
        return try JSONWebToken.signingInput(Header(alg: algorithm, kid: keyID), claims)
    }

    /// Returns the fields of a form, with a new text.
    func fields(of id: String) async throws -> [URLQueryItem] {
        let text = try signingInput(of: id, OAuthText.random(bytes: Self.idLength, random))
        return Self.fields(text, try await sign(Data(text.utf8)))
    }

    /// Returns the length in bytes of the fields as they are encoded; nil if the length of a signature is unknown.
    func formLength(of id: String) -> Int? {
        guard let signatureLength, (0...Self.maximumSignature).contains(signatureLength),
            let text = try? signingInput(of: id, OAuthText.random(bytes: Self.idLength) { 0 })
        else { return nil }
        return FormEncoding.encoded(Self.fields(text, Data(count: signatureLength))).utf8.count
    }

    private static func fields(_ text: String, _ signature: Data) -> [URLQueryItem] {
        let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        let fields: Queries = ["client_assertion_type": type, "client_assertion": "\(text).\(signature.base64URL)"]
        return fields.items
    }

    /// The length of an ID in bytes: 16, as random as a UUID.
    private static let idLength = 16

    /// The largest length of a signature whose length is stated, in bytes: that of an RSA key of 16,384 bits.
    private static let maximumSignature = 2048
}

extension ClientAssertion: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The algorithm; no key.
    public var description: String { "an assertion by \(algorithm.onOneLine)" }
}
