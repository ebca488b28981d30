import Foundation
import StartSmall

@testable import StartSmallAuth
@testable import StartSmallSupport

extension Target {
    /// The readers of tokens and signatures.
    static let tokens = [jsonWebToken, webhook, challenge, redirect]

    private static let jsonWebToken = text(
        "json-web-token",
        words: ["eyJleHAiOjF9", "eyJhdWQiOlsiYSJdfQ", "e30", ".", "..", "_-", "=", "é"],
        starts: ["e30.eyJleHAiOj", "e30.", "."],
        read: { _ = JSONWebToken(unverified: $0) },
        check: { text in
            guard let token = JSONWebToken(unverified: text) else { return false }
            let claims = token.claims.base64URL
            try promise("claims are read again", JSONWebToken(unverified: "e30.\(claims).a")?.claims == token.claims)
            return true
        }
    )

    private static let webhook = text(
        "webhook",
        words: ["v1,", "v1=", "v1a,", "t=", "1614265330", "sha256=", "g0hM9SsE", "msg_1", ",", " ", "=", "é"],
        starts: ["t=1,v1=", "v1,", "sha256="],
        read: { for format in formats { _ = verified($0, format) } },
        check: { text in
            let outputs = formats.map { verified(text, $0) }
            try promise("no text is a signature by an unknown secret", outputs.allSatisfy { $0.right == nil })
            return outputs.contains { $0.left == .wrongSignature }
        }
    )

    private static let challenge = text(
        "digest-challenge",
        words: [
            "Digest ", "Basic ", "realm=\"r\"", "nonce=", "qop=\"auth\"", "auth-int", "algorithm=SHA-256", "-sess",
            "MD5", "stale=true", "userhash=true", "opaque=\"", "\\\"", ", ", "=", " ", "é",
        ],
        starts: ["Digest realm=\"r\", qop=\"auth\", algorithm=SHA-256, nonce=\"", "Digest ", "Negotiate a=="],
        read: { text in
            _ = strongest(text)
            _ = AuthenticationField.parameters(of: text)
        },
        check: { text in
            guard let challenge = strongest(text) else { return false }
            var state = DigestState()
            let credentials = DigestCredentials(user: "u", password: "p")
            let use = state.answer(challenge, after: nil, "c")
            let value = use.map { credentials.value(for: $0, method: "GET", target: "/") }
            let answer = value.map { AuthenticationField.challenges(of: $0) }
            try promise("a challenge is answered", value != nil)
            try promise("the answer is one field", value.map(HTTPToken.isFieldValue) == true)
            let given = answer?.first?.parameters
            try promise("the answer has the nonce", answer?.count == 1 && given?["nonce"] == challenge.nonce)
            try promise("the answer has the realm", given?["realm"] == challenge.realm)
            try promise("MD5 needs the option", challenge.algorithm.hash == .sha256)
            return true
        }
    )

    private static func strongest(_ text: String) -> DigestChallenge? {
        DigestChallenge.strongest(of: ["WWW-Authenticate": text], allowsMD5: false)
    }

    private static let redirect = text(
        "oauth-redirect",
        words: [
            "state=AAAAAAAAAAAAAAAAAAAAAA", "code=a", "error=a", "iss=https://as", "&", "=", "%", "%41", "+", "#", "é",
        ],
        starts: ["state=AAAAAAAAAAAAAAAAAAAAAA&", "?"],
        read: { _ = code(in: $0) },
        check: { text in
            guard let code = code(in: text) else { return false }
            let isOfRequest = code.left == .wrongState || code.left == .otherRedirect || code.left == .malformed
            try promise(
                "nothing counts without the state",
                isOfRequest || URIEncoding.decoded(text)[...].holds("AAAAAAAAAAAAAAAAAAAAAA")
            )
            try promise("a code is visible", code.right.map { OAuthText.isVisible($0.value) } ?? true)
            return code.right != nil
        }
    )

    /// Reads a text as the query of a redirect to a request whose random bits are all 0; nil for no URL.
    private static func code(in query: String) -> Either<AuthorizationRefusal, AuthorizationCode>? {
        guard let redirect = URL(string: "https://client/cb"), let url = URL(string: "https://client/cb?\(query)")
        else {
            return nil
        }
        let request = AuthorizationRequest(OAuthClient("a"), redirect: redirect, random: { 0 })
        return request.code(in: url, from: "https://as")
    }

    private static let formats: [Webhook.Format] = [.standard, .stripe, .gitHub]

    /// Checks a delivery whose fields all have this text, by a secret that nobody knows.
    private static func verified(
        _ text: String,
        _ format: Webhook.Format
    ) -> Either<WebhookRejection, WebhookDelivery> {
        let names = ["webhook-signature", "Stripe-Signature", "X-Hub-Signature-256"]
        var headers = HTTPHeaders(names.map { .init(name: $0, value: text) })
        headers["webhook-id"] = "msg_1"
        headers["webhook-timestamp"] = "1614265330"
        let now = Date(timeIntervalSince1970: 1_614_265_330)
        return Webhook(format, secrets: [secret]).verified(Data(), headers: headers, now: now)
    }

    private static let secret = Data((0..<24).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
}
