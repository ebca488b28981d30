import Foundation
import StartSmall
import TestSupport
import Testing

struct RetryConditionTests {
    private static let get = Fixture.input
    private static let post = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))
    private static let unavailable = Output.hasResponse(Response(statusCode: .serviceUnavailable))

    @Test("of all statuses, seven are transient", arguments: 100...599)
    func statuses(_ status: Int) {
        let output = Output.hasResponse(Response(statusCode: .from(code: status)))
        let expected = [408, 425, 429, 500, 502, 503, 504].contains(status)
        #expect(RetryCondition.standard(Self.get, output) == expected)
    }

    @Test(
        "of all methods, the idempotent ones are safe to replay, also as custom methods",
        arguments: [
            ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true), ("TRACE", true),
            ("QUERY", true), ("SEARCH", true), ("PROPFIND", true), ("REPORT", true), ("POST", false), ("PATCH", false),
            ("CONNECT", false), ("LOCK", false), ("M-SEARCH", false), ("query", false), ("get", false), ("", false),
        ]
    )
    func methods(_ method: String, _ expected: Bool) {
        for payload in [nil, Payload(.data(Data("{}".utf8)), mediaType: .json)] {
            for methodAndPayload in [
                HTTPMethodAndPayload(method: method, payload: payload), .custom(method: method, payload: payload),
            ] {
                let input = Input(url: Fixture.url, methodAndPayload: methodAndPayload)
                #expect(RetryCondition.isSafeToReplay(input) == expected)
                #expect(RetryCondition.standard(input, Self.unavailable) == expected)
            }
        }
    }

    @Test("with an Idempotency-Key, any method is safe to replay")
    func idempotencyKey() {
        var input = Self.post
        #expect(!RetryCondition.standard(input, Self.unavailable))
        input.headers["idempotency-key"] = "8e03978e"
        #expect(RetryCondition.standard(input, Self.unavailable))
    }

    private static let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "stub")

    @Test(
        "of all connection errors, those are transient that a retry can fix",
        arguments: [
            (.timedOut(cause), true), (.notConnectedToInternet(cause), true), (.hostNotFound(cause), true),
            (.connectionRefused(cause), true), (.proxyFailed(cause), true), (.secureConnectionFailed(cause), true),
            (.connectionLost(cause), true), (.malformedURL(debugInfo: ""), false),
            (.malformedMethod(debugInfo: ""), false), (.malformedHeader(debugInfo: ""), false),
            (.malformedPayload(debugInfo: ""), false), (.missingCredentials(debugInfo: ""), false),
            (.rejected(Fixture.ok, reason: ""), false), (.engineUnavailable(debugInfo: ""), false),
            (.cancelled, false), (.payloadTooLarge(Fixture.ok, limit: 1), false),
            (.tooManyRedirects(Fixture.ok, limit: 1), false), (.unwritableDestination(debugInfo: ""), false),
            (.serverCertificateUntrusted(cause), false), (.clientCertificateRejected(cause), false),
            (.malformedResponse(cause), false), (.unreadablePayload(cause), false),
            (.noDataOrNoResponse(debugInfo: ""), false), (.other(cause), false),
            (.refused(TestRefusal(isTransient: true)), true), (.refused(TestRefusal(end: .at(Date()))), false),
        ] as [(ConnectionError, Bool)]
    )
    func errors(_ error: ConnectionError, _ expected: Bool) {
        #expect(RetryCondition.standard(Self.get, .noResponse(error)) == expected)
        #expect(!RetryCondition.standard(Self.post, .noResponse(error)))
    }

    @Test("a POST that the server did not process is retried")
    func unprocessed() {
        let output = Output.noResponse(.connectionLost(.unprocessed("refused")))
        #expect(RetryCondition.standard(Self.post, output) && RetryCondition.standard(Self.get, output))
        #expect(output.connectionError.map { "\($0)" }?.contains("refused") == true)
    }

    @Test("a proxy that refuses a tunnel is asked again only by a transient status", arguments: 100...599)
    func refusedByProxy(_ status: Int) {
        let error = ConnectionError.proxyFailed(.refusedByProxy(status: status, "no"))
        #expect(
            error.isTransient == RetryCondition.isTransient(.hasResponse(Response(statusCode: .from(code: status))))
        )
        #expect(error.debugInfo.contains("credentials") == (status == 407))
    }

    @Test("a custom rule that refuses a response does not change the meaning of its status", arguments: 100...599)
    func rejected(_ status: Int) {
        let response = Response(statusCode: .from(code: status))
        let rejected = Output.noResponse(.rejected(response, reason: ""))
        #expect(RetryCondition.isTransient(rejected) == RetryCondition.isTransient(.hasResponse(response)))
    }

    @Test("the dangerous condition retries any method, but only transient outputs")
    func dangerous() {
        let dangerous = RetryCondition.dangerouslyReplayingAnyMethod
        #expect(dangerous(Self.post, Self.unavailable))
        #expect(!dangerous(Self.post, .hasResponse(Response(statusCode: .notFound))))
        #expect(!dangerous(Self.post, .noResponse(.cancelled)))
    }

    @Test("a throttled request is retried for any method, and a lost one only if it is safe to replay")
    func standardOrThrottled() {
        let condition = RetryCondition.standard.or(.throttled)
        let throttled = Output.hasResponse(Response(statusCode: .tooManyRequests, headers: ["Retry-After": "1"]))
        #expect(condition(Self.post, throttled) && condition(Self.get, throttled))
        // Without Retry-After, a server may have processed the request before it throttled the response.
        let unspecific = Output.hasResponse(Response(statusCode: .tooManyRequests))
        #expect(!condition(Self.post, unspecific) && condition(Self.get, unspecific))
        let lost = Output.noResponse(.connectionLost(ConnectionError.Cause(domain: "", code: 0, text: "")))
        #expect(!condition(Self.post, lost) && condition(Self.get, lost))
        #expect(!condition(Self.post, Self.unavailable) && condition(Self.get, Self.unavailable))
    }
}
