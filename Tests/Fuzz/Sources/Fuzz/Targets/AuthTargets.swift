import Foundation
import StartSmall

@testable import StartSmallAuth

extension Target {
    /// The readers of tokens and signatures.
    static let tokens = [jsonWebToken, webhook]

    private static let jsonWebToken = text(
        "json-web-token",
        words: ["eyJleHAiOjF9", "eyJhdWQiOlsiYSJdfQ", "e30", ".", "..", "_-", "=", "é"],
        starts: ["e30.eyJleHAiOj", "e30.", "."],
        read: { _ = JSONWebToken(unverified: $0) },
        check: { text in
            guard let token = JSONWebToken(unverified: text) else { return false }
            let claims = token.claims.base64URL
            try promise("the claims are the second part", text.split(separator: ".").count >= 2)
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
            for format in formats {
                try promise("no text is a signature by an unknown secret", verified(text, format).right == nil)
            }
            let isRead = formats.contains { verified(text, $0).left == .wrongSignature }
            return isRead
        }
    )

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
