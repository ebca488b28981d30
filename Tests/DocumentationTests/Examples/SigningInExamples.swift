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
