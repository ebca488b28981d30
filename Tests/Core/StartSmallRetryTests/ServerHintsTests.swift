import Foundation
import StartSmall
import TestSupport
import Testing

struct ServerHintsTests {
    private static let post = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))

    private func retries(
        _ status: Int,
        _ hints: [String],
        _ input: Input = Fixture.input,
        _ policy: RetryPolicy = .standard
    ) -> Bool {
        let fields = hints.map { HTTPHeaders.Field(name: "x-should-retry", value: $0) }
        let response = Response(statusCode: .from(code: status), headers: HTTPHeaders(fields))
        return policy.retries(input, after: .hasResponse(response))
    }

    @Test("of all statuses, a hint decides on those of errors but 401, 403 and 407", arguments: 100...599)
    func statuses(_ status: Int) {
        let isObeyed = status >= 400 && ![401, 403, 407].contains(status)
        let isTransient = retries(status, [])
        #expect(retries(status, ["true"]) == (isObeyed || isTransient))
        #expect(retries(status, ["false"]) == (!isObeyed && isTransient))
    }

    @Test(
        "of a request that must not be sent twice, true holds only by the option, and false in any case",
        arguments: [
            (.standard, "true", false, true), (.standard, "false", false, false),
            (.exponential(serverHints: .anyMethod), "true", true, true),
            (.exponential(serverHints: .anyMethod), "false", false, false),
            (.exponential(condition: .standard.or(.throttled)), "true", true, true),
            (.exponential(condition: .standard.or(.throttled)), "false", false, false),
            (.exponential(serverHints: .ignored), "true", false, true),
            (.exponential(serverHints: .ignored), "false", false, true),
        ] as [(RetryPolicy, String, Bool, Bool)]
    )
    func methods(_ policy: RetryPolicy, _ hint: String, _ isPosted: Bool, _ isGotten: Bool) {
        let throttled = Response(
            statusCode: .tooManyRequests,
            headers: ["X-Should-Retry": hint, "Retry-After": "1"]
        )
        #expect(policy.retries(Self.post, after: .hasResponse(throttled)) == isPosted)
        #expect(policy.retries(Fixture.input, after: .hasResponse(throttled)) == isGotten)
        var keyed = Self.post
        keyed.headers["Idempotency-Key"] = "8e03978e"
        #expect(policy.retries(keyed, after: .hasResponse(throttled)) == isGotten)
    }

    @Test(
        "true and false are hints, in any case; anything else is none, nor are both",
        arguments: [
            (["true"], true), (["TRUE"], true), (["True", "true"], true), (["false"], false), (["False"], false),
            (["false", "false"], false), (["true", "false"], nil), (["false", "true"], nil), (["true", ""], nil),
            ([""], nil), ([" true"], nil), (["true, true"], nil), (["?1"], nil), (["1"], nil), (["yes"], nil),
            (["true\u{0}"], nil), (["ｔｒｕｅ"], nil), ([String(repeating: "true", count: 250_000)], nil),
        ] as [([String], Bool?)]
    )
    func values(_ hints: [String], _ expected: Bool?) {
        #expect(retries(404, hints) == (expected ?? false))
        #expect(retries(503, hints) == (expected ?? true))
    }

    @Test("a hint counts beside a broken payload, and not after a wrapper has obeyed the response")
    func errors() {
        let refused = Response(statusCode: .unprocessableContent, headers: ["X-Should-Retry": "true"])
        let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "", partial: refused)
        let policy = RetryPolicy.standard
        #expect(policy.retries(Fixture.input, after: .noResponse(.unreadablePayload(cause))))
        #expect(policy.retries(Fixture.input, after: .noResponse(.rejected(refused, reason: ""))))
        #expect(!policy.retries(Fixture.input, after: .noResponse(.refused(TestRefusal(), after: refused))))
        let fine = Response(statusCode: .ok, headers: ["X-Should-Retry": "true"])
        #expect(!policy.retries(Fixture.input, after: .hasResponse(fine)))
    }

    @Test("the condition for lock timeouts retries 409 of requests that are safe to replay", arguments: 100...599)
    func lockTimeout(_ status: Int) {
        let policy = RetryPolicy(condition: .lockTimeout)
        #expect(retries(status, [], Fixture.input, policy) == (status == 409))
        #expect(!retries(status, [], Self.post, policy))
        #expect(!retries(409, ["false"], Fixture.input, policy))
        #expect(!retries(409, []))
    }
}
