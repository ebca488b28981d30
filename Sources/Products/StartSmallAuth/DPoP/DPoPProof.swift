import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The proof of one request (RFC 9449 4.2): a JSON Web Token that names the request, signed by the key of a token.
struct DPoPProof {
    static let field = "DPoP"

    /// The error by which a server requires a proof with its nonce.
    static let useNonce = "use_dpop_nonce"

    /// The error of an authorization server (RFC 6749 5.2).
    struct Refusal: Decodable {
        let error: String?
    }

    private struct Header: Encodable {
        let typ = "dpop+jwt"
        let alg: String
        let jwk: [String: String]
    }

    private struct Claims: Encodable {
        let jti, htm, htu: String
        let iat: Int64
        let ath, nonce: String?
    }

    private let claims: Claims

    /// The length of an ID in bytes: 16, of which 12 are required (RFC 9449 4.2).
    private static let idLength = 16

    /// Creates a proof.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - token: the access token of the request; nil for none.
    ///   - nonce: the last nonce of the server; nil for none.
    ///   - time: the current time.
    ///   - random: returns random bits, for the ID.
    init(of input: Input, _ token: String?, nonce: String?, at time: Date, _ random: () -> UInt64) {
        claims = Claims(
            jti: OAuthText.random(bytes: Self.idLength, random),
            htm: input.methodAndPayload.method,
            htu: Self.target(of: input.calledURL),
            iat: JSONWebToken.seconds(of: time),
            ath: token.map(OAuthText.digest),
            nonce: nonce
        )
    }

    /// Returns the URL without its query, fragment and user information.
    private static func target(of url: URL) -> String {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        (components.query, components.fragment) = (nil, nil)
        (components.user, components.password) = (nil, nil)
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        return components.string ?? ""
    }

    /// Returns the signed proof (RFC 7515 7.1), or the error of the signer.
    func text(signedBy key: DPoPKey) async -> Either<ConnectionError, String> {
        do {
            let message = try JSONWebToken.signingInput(Header(alg: key.algorithm, jwk: key.publicKey), claims)
            return .right(try await "\(message).\(key.sign(Data(message.utf8)).base64URL)")
        } catch is CancellationError {
            return .left(.cancelled)
        } catch {
            let reason = Redaction.standard.shown(text: "\(error)")
            return .left(.missingCredentials(debugInfo: "the signer of DPoP failed: \(reason)"))
        }
    }
}
