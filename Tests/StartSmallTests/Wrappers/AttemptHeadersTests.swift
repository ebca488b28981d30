import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AttemptHeadersTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private func values(of name: String) -> [String?] { sent.elements.map { $0.headers[name] } }

    private func stub(_ answers: Output...) -> Connector { .stub(sequence: answers, recording: sent) }

    @Test("each request has the number of attempts before it; each call begins at 0")
    func count() async {
        let failure = Output.status(.serviceUnavailable)
        let ok = Output.status(.ok)
        let app = stub(failure, failure, ok, failure, ok)
            .wrapped(by: .retry(clock: clock, random: { 0 }), .attemptHeaders())
        for _ in 1...2 { _ = await WebAPI.call(with: Fixture.input, via: app) }
        #expect(values(of: "X-Retry-Count") == ["0", "1", "2", "0", "1"])
        #expect(values(of: "X-Timeout-Ms") == [nil, nil, nil, nil, nil])
    }

    @Test("a redirected request has the number of its attempt, outside of the redirect")
    func redirected() async {
        let moved = Output.status(.found, headers: ["Location": "https://example.com/b"])
        let app = stub(moved, .status(.ok)).wrapped(by: .attemptHeaders(), .redirect())
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(values(of: "X-Retry-Count") == ["0", "0"])
    }

    @Test("the time is what is left of the shortest limit when the request is sent")
    func time() async {
        let slow = Wrapper { [clock] input, next in
            clock.advance(by: .milliseconds(1_500))
            return await next(input)
        }
        let app = stub(.status(.serviceUnavailable), .status(.ok)).wrapped(
            by: .timeout(.seconds(10), clock: clock),
            .retry(clock: clock, random: { 0 }),
            slow,
            .timeout(.seconds(8), clock: clock),
            .attemptHeaders(retryCount: "X-Attempt", timeLeft: "X-Left")
        )
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(values(of: "X-Left") == ["8000", "7000"])
        #expect(values(of: "X-Attempt") == ["0", "1"])
    }

    @Test("each wrapper counts for itself")
    func separate() async {
        let app = stub(.status(.serviceUnavailable), .status(.ok)).wrapped(
            by: .retry(clock: clock, random: { 0 }),
            .attemptHeaders(retryCount: "X-Of-App"),
            .attemptHeaders(retryCount: "X-Of-SDK")
        )
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(values(of: "X-Of-App") == ["0", "1"])
        #expect(values(of: "X-Of-SDK") == ["0", "1"])
    }

    @Test("a limit without end is told as the hundred years after which it ends")
    func huge() async {
        let app = stub(.status(.ok))
            .wrapped(by: .timeout(.seconds(Int64.max / 2), clock: clock), .attemptHeaders())
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(values(of: "X-Timeout-Ms") == ["3153600000000"])
    }

    @Test("a time of a wrapper of the app that is past is 0, and one that no number has is the largest one")
    func ownLimits() async {
        for (time, expected) in [(Duration.seconds(-1), "0"), (.seconds(Int64.max), "\(Int64.max)")] {
            let sent = Recorder<Input>()
            let limited = Wrapper { input, next in
                await AbandonableCall { time }.output(of: input, next)
            }
            let app = Connector.stub(sequence: [.status(.ok)], recording: sent)
                .wrapped(by: limited, .attemptHeaders())
            _ = await WebAPI.call(with: Fixture.input, via: app)
            #expect(sent.elements.map { $0.headers["X-Timeout-Ms"] } == [expected])
        }
    }
}
