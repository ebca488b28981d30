import Foundation
import StartSmall
import StartSmallAuth
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/SigningIn.md, in order.
struct SigningInExamples {
    @Test("the expiry is read from a token")
    func expiry() {
        let token = AccessToken("e30.eyJleHAiOjEzMDA4MTkzODB9.c2ln")

        let expires = JSONWebToken(unverified: token.value)?.expires

        #expect(expires == Date(timeIntervalSince1970: 1_300_819_380))
    }

    /// The functions of swift-crypto's `P256.Signing.PrivateKey` that the guide names.
    private struct SigningKey: Sendable {
        struct Signature { let rawRepresentation: Data }

        let x = "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"
        let y = "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"

        func signature(for message: Data) throws -> Signature { Signature(rawRepresentation: Data(message.suffix(64))) }
    }

    @Test("a proof is sent with each request of a token that is bound to a key")
    func dpop() async throws {
        let (key, store) = (SigningKey(), TokenStore.memory(AccessToken("old")))
        let api = try #require(URL(string: "https://api.example.com"))
        @Sendable func renewal(of token: AccessToken) -> Endpoint<TransformError<Never>, AccessToken> {
            Endpoint.text(.get("https://login.example.com/token")).map { AccessToken($0) }
        }

        let proofs = DPoPKey(
            publicKey: ["kty": "EC", "crv": "P-256", "x": key.x, "y": key.y],
            sign: { message in try key.signature(for: message).rawRepresentation }
        )
        let app = Connector.standard.wrapped(
            by: .refreshToken(in: store, to: .origin(api), .dpop) { token, connector in
                await renewal(of: token).fetch(via: connector)
            },
            .dpop(proofs)
        )

        let run = await app.dryRun(Endpoint.text(.get("https://api.example.com/me")))
        let request = try #require(run.request)
        #expect(request.headers["Authorization"] == "DPoP old")
        #expect(request.headers["DPoP"]?.split(separator: ".").count == 3)
    }

    @Test("a token is kept in a file of its user")
    func file() async throws {
        let token = AccessToken("t", refreshToken: "r")
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }

        let store = TokenStore.file(at: folder.appending(path: "token.json"))
        try await store.save(token)

        #expect(try await store.load() == token)
    }

    @Test("Digest is in its place in the standard connector")
    func digest() throws {
        let (camera, secret) = (try #require(URL(string: "https://camera.example")), "Circle of Life")

        let app = Connector.standard.wrapped(by: .digest(user: "Mufasa", password: secret, to: .origin(camera)))

        #expect(app.check() == [])
        #expect(app.description.hasPrefix("1. digest(to:)\n2. redirect"))
    }

    @Test("a delivery of a webhook is handled once, and a forged one is not handled")
    func webhook() {
        let (secret, previousSecret) = ("whsec_AAAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let now = { Date(timeIntervalSince1970: 1_614_265_400) }
        let (handled, logged) = (Recorder<String?>(), Recorder<String>())
        let log: (String) -> Void = { logged.append($0) }
        func handle(_ body: Data, once id: String?) {
            if !handled.elements.contains(id) { handled.append(id) }
        }

        func answer(to body: Data, _ headers: HTTPHeaders) -> HTTPStatus {
            switch Webhook(.standard, secrets: [secret, previousSecret]).verified(body, headers: headers, now: now()) {
            case .right(let delivery):
                handle(body, once: delivery.id)
                return .ok
            case .left(let rejection):
                log("webhook: \(rejection)")
                return .badRequest
            }
        }

        let headers: HTTPHeaders = [
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ]
        let body = Data(#"{"test": 2432232314}"#.utf8)
        #expect(answer(to: body, headers) == .ok)
        #expect(answer(to: body, headers) == .ok)
        #expect(answer(to: Data("{}".utf8), headers) == .badRequest)
        #expect(handled.elements == ["msg_p5jXN8AQM9LWM0D4loKWxJek"])
        #expect(logged.elements == ["webhook: wrongSignature"])
    }
}
