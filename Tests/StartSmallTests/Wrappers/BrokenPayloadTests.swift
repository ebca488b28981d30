import Foundation
import StartSmall
import StartSmallAuth
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

/// A law of the wrappers that decide by status: a broken payload of an error or a redirect changes no decision.
@Suite(.timeLimit(.minutes(1))) struct BrokenPayloadTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private static let busy: HTTPHeaders = ["Retry-After": "7"]
    private static let next: HTTPHeaders = ["Location": "/next"]
    private static let ok = Output.hasResponse(Fixture.ok)

    /// Returns the output of a call with these answers.
    private func output(_ answers: [Output], _ wrappers: Wrapper..., from input: Input = Fixture.input) async -> Output
    {
        await WebAPI.call(with: input, via: .stub(sequence: answers, recording: sent).wrapped(by: .all(wrappers)))
    }

    @Test("the response is there for any status but 2xx", arguments: BrokenPayload.all)
    func response(_ broken: BrokenPayload) {
        for code in 200...599 {
            let response = Response(statusCode: .from(code: code), headers: Self.busy)
            #expect(broken.output(response).response == (response.statusCode.isSuccess ? nil : response))
        }
    }

    @Test("a wrapper that has acted on a response leaves none to others")
    func actedOn() {
        let response = Response(statusCode: .found, headers: Self.next)
        #expect(Output.noResponse(.tooManyRedirects(response, limit: 1)).response == nil)
        #expect(Output.noResponse(.refreshFailed(.identityChanged, after: response)).response == nil)
    }

    @Test("retry conditions decide by the status, and for 2xx by the error", arguments: BrokenPayload.all)
    func conditions(_ broken: BrokenPayload) {
        let post = Fixture.input.with { $0.methodAndPayload = .post(payload: nil) }
        for code in 200...599 {
            let response = Response(statusCode: .from(code: code), headers: Self.busy)
            let (whole, output) = (Output.hasResponse(response), broken.output(response))
            let isTransient =
                response.statusCode.isSuccess ? broken.error(response).isTransient : RetryCondition.isTransient(whole)
            #expect(RetryCondition.isTransient(output) == isTransient, "\(code)")
            #expect(RetryCondition.throttled(post, output) == RetryCondition.throttled(post, whole), "\(code)")
        }
    }

    @Test("a 503 is retried, after the delay that it asks for", arguments: BrokenPayload.all)
    func retry(_ broken: BrokenPayload) async {
        let answers = [broken.output(.serviceUnavailable, headers: Self.busy), Self.ok]
        let call = Task { await output(answers, .retry(clock: clock, random: { 0 })) }
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(7)])
        clock.advance(by: .seconds(7))
        #expect(await call.value == Self.ok)
    }

    @Test("the delay that a broken 2xx asks for does not count", arguments: BrokenPayload.all)
    func delayOfSuccess(_ broken: BrokenPayload) {
        let output = broken.output(.ok, headers: Self.busy)
        #expect(Backoff.exponential()(RetryContext(number: 1, output: output)) == .zero)
    }

    // Redirects.

    @Test("a redirect is followed", arguments: BrokenPayload.all, [301, 302, 303, 307, 308])
    func redirect(_ broken: BrokenPayload, _ status: Int) async {
        let redirect = broken.output(.from(code: status), headers: Self.next)
        let output = await output([redirect, redirect, Self.ok], .redirect())
        #expect(output.response?.statusCode == .ok && output.response?.redirections.count == 2)
        #expect(sent.elements.map { $0.url.path() } == ["/things", "/next", "/next"])
    }

    @Test("a redirect that an inner `.validate` rejects is not followed")
    func rejected() async {
        let redirect = Response(statusCode: .found, headers: Self.next)
        let output = await output([.hasResponse(redirect), Self.ok], .redirect(), .validate { _ in "no" })
        #expect(output == .noResponse(.rejected(redirect, reason: "no")))
    }

    // Tokens.

    @Sendable private static func renewed(
        _: AccessToken,
        _: Connector
    ) async -> Fetched<TransformError<Never>, AccessToken> { .right(AccessToken("new")) }

    @Test("a 401 asks for a new token", arguments: BrokenPayload.all)
    func refresh(_ broken: BrokenPayload) async {
        let answers = [broken.output(.unauthorized), Self.ok]
        let refreshing = Wrapper.refreshToken(in: .memory(AccessToken("old")), by: Self.renewed)
        #expect(await output(answers, refreshing) == Self.ok)
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    // Polling.

    private func polling(_ output: Output, while continues: @escaping @Sendable (Rule.Element) -> Bool) -> Rule {
        let connector = Connector.stub(output, recording: sent)
        return Rule(Fixture.endpoint, every: .seconds(1), while: continues, via: connector, clock: clock)
    }

    private typealias Rule = Polling<TransformError<Never>, String>

    @Test("polling ends as after a whole response, and continues after a broken 2xx", arguments: BrokenPayload.all)
    func pollingRule(_ broken: BrokenPayload) {
        for code in 200...599 {
            let response = Response(statusCode: .from(code: code))
            let isTooLarge = broken.error(response).name == "payloadTooLarge"
            let expected = response.statusCode.isSuccess && !isTooLarge
            #expect(Rule.continues(after: .left(.left(broken.error(response)))) == expected, "\(code)")
        }
    }

    @Test("a 503 asks polling for a longer pause", arguments: BrokenPayload.all)
    func pollingPause(_ broken: BrokenPayload) async {
        let polling = polling(broken.output(.serviceUnavailable, headers: Self.busy)) { _ in true }
        let task = Task {
            var iterator = polling.makeAsyncIterator()
            _ = await (iterator.next(), iterator.next())
        }
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(7)])
        task.cancel()
        await task.value
    }
}

/// The bytes of broken payloads, from a real server through real engines.
@Suite(.timeLimit(.minutes(5))) struct BrokenPayloadOverSocketTests {
    private static let broken: [(String, fields: String)] = [
        ("ends early", "Content-Length: 50\r\n\r\nhello"),
        ("mislabelled coding", "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
        ("unknown coding", "Content-Encoding: utf-8\r\nContent-Length: 5\r\n\r\nhello"),
        ("malformed chunk", "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nxyz\r\nhello\r\n0\r\n\r\n"),
    ]

    private static let all =
        broken + [("too large", "Content-Length: 400\r\n\r\n" + String(repeating: "hello", count: 80))]

    private static let redirect = "HTTP/1.1 302 Found\r\nLocation: /next\r\n"
    private static let busy = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\n"
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    /// Returns the output of a call to a server that answers its connections with these responses, one after the other.
    private func output(_ answers: [String], via engine: EngineUnderTest, _ wrappers: Wrapper...) async throws -> Output
    {
        let last = answers.count - 1
        return try await LoopbackServer.playing({ [.receiveRequest, .send(answers[min($0, last)]), .close] }) {
            server in
            let connector = engine.connector().wrapped(by: .all([.limitPayload(bytes: 100)] + wrappers))
            return await WebAPI.call(with: Input(url: server.url), via: connector)
        }
    }

    @Test("the error keeps the head", arguments: EngineUnderTest.all, all)
    func head(_ engine: EngineUnderTest, _ payload: (name: String, fields: String)) async throws {
        let busy = try await output([Self.busy + payload.fields], via: engine)
        #expect(busy.response?.statusCode == .serviceUnavailable, "\(busy)")
        #expect(busy.response?.headers["Retry-After"] == "0", "\(busy)")
    }

    @Test("a head that contradicts itself is discarded, with its Location", arguments: EngineUnderTest.all)
    func contradiction(_ engine: EngineUnderTest) async throws {
        try await engine.check(.ambiguousLength) {
            let fields = "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"
            let output = try await output([Self.redirect + fields, Self.ok], via: engine, .redirect())
            #expect(output.connectionError?.name == "malformedResponse" && output.response == nil, "\(output)")
        }
    }

    @Test("a redirect is followed", arguments: EngineUnderTest.all, broken)
    func redirect(_ engine: EngineUnderTest, _ payload: (name: String, fields: String)) async throws {
        try await engine.check(.brokenRedirect) {
            let output = try await output([Self.redirect + payload.fields, Self.ok], via: engine, .redirect())
            #expect(output.response?.payload == Data("hi".utf8), "\(output)")
        }
    }
}
