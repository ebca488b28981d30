import Dispatch
import Foundation
import StartSmall

@testable import StartSmallAuth
@testable import StartSmallCore
@testable import StartSmallSupport

extension Target {
    /// The readers of ID tokens, of stored tokens, and of the nonces for proofs.
    static let heldTokens = [idToken, tokenFile, proofNonce]

    private static func read(
        claims: String,
        from issuer: String = "https://as.example",
        to id: String = "app",
        nonce: String? = "n",
        now: Date = noon
    ) -> Either<IDTokenRefusal, JSONWebToken> {
        let token = "e30.\(Data(claims.utf8).base64URL).c2ln"
        return JSONWebToken.idToken(token, from: issuer, to: OAuthClient(id), nonce: nonce, now: now)
    }

    private static let idToken = text(
        "id-token",
        words: jsonWords + [
            #""iss":"https://as.example","#, #""sub":"a","#, #""aud":"app","#, #""aud":["app","b"],"#, #""azp":"app","#,
            #""exp":1700000100,"#, #""iat":1700000000,"#, #""nonce":"n","#, "1e300", "1700000120.5",
        ],
        starts: [#"{"iss":"https://as.example","sub":"a","aud":["#],
        read: { _ = read(claims: $0) },
        check: { text in
            guard let token = read(claims: text).right else { return false }
            try promise("the issuer is the server", token.issuer?.utf8.elementsEqual("https://as.example".utf8) == true)
            try promise("the client is a recipient", token.audience.contains { $0.utf8.elementsEqual("app".utf8) })
            try promise(
                "one of several recipients is named",
                token.audience.count == 1 || token.authorizedParty == "app"
            )
            try promise("the nonce is that of the request", token.nonce?.utf8.elementsEqual("n".utf8) == true)
            try promise("the subject is not empty", token.subject?.isEmpty == false)
            let expires = token.expires ?? .distantPast
            try promise("no other issuer counts", read(claims: text, from: "https://as.example/").left == .wrongIssuer)
            try promise("no other client counts", read(claims: text, to: "App").left == .wrongAudience)
            try promise("no other nonce counts", read(claims: text, nonce: "N").left == .wrongNonce)
            try promise("it expires", read(claims: text, now: expires + 120).left == .expired)
            let early = (token.issued ?? .distantFuture) - 121
            try promise("it is not of the future", read(claims: text, now: early).left == .issuedInFuture)
            return true
        }
    )

    private static let tokenFile = Target(
        name: "token-file",
        words: jsonWords + [
            #""value":"a","#, #""refreshToken":"#, #""expires":7e8,"#, #""identity":"joe""#, "1e18", "1e300",
        ],
        starts: [#"{"value":""#, #"{"value":"a","expires":"#],
        read: { _ = try? AccessToken(stored: Data($0)) },
        check: { bytes in
            let token: AccessToken
            do { token = try AccessToken(stored: Data(bytes)) } catch {
                try promise("the error says nothing of the bytes", error as? TokenStoreError == .notAToken)
                return false
            }
            let again = try? AccessToken(stored: JSONEncoder().encode(token))
            try promise("a token is read as it was saved", again == token)
            let other = AccessToken("other", expires: token.expires)
            try promise("a description depends on the expiry alone", "\(other)" == "\(token)")
            return true
        }
    )

    private static let proofNonce = text(
        "dpop-nonce",
        words: ["n", "eyJ", "-", ".", "~", "\"", "\\", " ", "\t", "é", "a, b"],
        read: { _ = nonces(after: $0) },
        check: { text in
            let sent = nonces(after: text)
            let isLegal =
                (1...1024).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
            try promise("a nonce is sent as it came, or not at all", sent == [nil, isLegal ? text : nil])
            return isLegal
        }
    )

    /// Returns the nonces in the proofs of two requests to a server that sends this one.
    private static func nonces(after nonce: String) -> [String?] {
        let sent = Locked<[String?]>([])
        let server = Connector { input in
            let parts = input.headers["DPoP"]?.split(separator: ".") ?? []
            let claims = parts.count == 3 ? JSONWebToken(unverified: parts.joined(separator: ".")) : nil
            sent.withLock { $0.append(claims?.nonce) }
            return .hasResponse(Response(statusCode: .ok, headers: ["DPoP-Nonce": nonce]))
        }
        let key = DPoPKey(publicKey: ["kty": "EC"]) { _ in Data("signature".utf8) }
        let app = server.wrapped(by: .dpop(key, now: { noon }, random: { 1 }))
        let input = Either<ConnectionError, Input>.get(tokenEndpoint).authorized(by: .custom(scheme: "DPoP", "token"))
        let done = DispatchSemaphore(value: 0)
        Task {
            if let input = input.right { for _ in 0..<2 { _ = await WebAPI.call(with: input, via: app) } }
            done.signal()
        }
        done.wait()
        return sent.withLock(\.self)
    }
}
