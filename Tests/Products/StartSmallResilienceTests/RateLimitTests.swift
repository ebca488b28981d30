import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

struct RateLimitTests {
    private let clock = ManualClock()
    private let log = EventLog()
    private let sent = Recorder<Input>()

    private func limited(
        _ connector: Connector,
        _ rate: RequestRate? = .requests(2, per: .seconds(1)),
        waiting: Int = 100,
        upTo maxWait: Duration = .seconds(60)
    ) -> Connector {
        connector.wrapped(
            by: .listen(to: log.listener),
            .rateLimit(
                rate,
                waiting: waiting,
                upTo: maxWait,
                clock: clock,
                now: { Sample.date.addingTimeInterval(clock.now.offset / .seconds(1)) }
            )
        )
    }

    private func start(_ connector: Connector, _ path: String = "") -> Task<Output, Never> {
        Task { await WebAPI.call(with: Sample.get("https://api.test/\(path)"), via: connector) }
    }

    private func call(_ connector: Connector) async -> Output { await start(connector).value }

    private func waits(_ count: Int) async {
        while log.names.count(where: { $0 == "waiting" }) < count { await Task.yield() }
    }

    private func limitedUntil(_ seconds: Double) -> Output {
        .noResponse(.rateLimited(until: Sample.date.addingTimeInterval(seconds)))
    }

    /// The fields of a response after which no request remains for 90 seconds.
    private static let usedUp: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "90"]

    @Test("calls start at the rate, in the order of their arrival")
    func order() async {
        let connector = limited(.stub(Sample.ok, recording: sent))
        #expect(await call(connector) == Sample.ok)
        var tasks: [Task<Output, Never>] = []
        for number in 1...3 {
            tasks.append(start(connector, "\(number)"))
            await waits(number)
        }
        #expect(
            log.events.filter { $0.name == "waiting" } == [
                .reported(Waiting(behind: 0)), .reported(Waiting(behind: 1)), .reported(Waiting(behind: 2)),
            ]
        )
        for number in 1...3 {
            #expect(sent.elements.count == number)
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .milliseconds(500))
            #expect(await tasks[number - 1].value == Sample.ok)
        }
        #expect(sent.elements.map { $0.url.lastPathComponent }.suffix(3) == ["1", "2", "3"])
        #expect(clock.sleeperCount == 0)
    }

    @Test("a burst starts at once, and then the rate applies")
    func burst() async {
        let connector = limited(.stub(Sample.ok), .requests(2, per: .seconds(1), burst: 3), waiting: 0)
        for _ in 0..<3 { #expect(await call(connector) == Sample.ok) }
        #expect(await call(connector) == limitedUntil(0.5))
        clock.advance(by: .milliseconds(500))
        #expect(await call(connector) == Sample.ok)
        #expect(await call(connector) == limitedUntil(1))
    }

    @Test("a call that would wait for too long fails at once, with the time at which it could start")
    func tooLong() async {
        let connector = limited(.stub(Sample.ok), .requests(1, per: .seconds(10)), upTo: .seconds(15))
        #expect(await call(connector) == Sample.ok)
        let waiting = start(connector)
        await waits(1)
        #expect(await call(connector) == limitedUntil(20))
        clock.advance(by: .seconds(10))
        #expect(await waiting.value == Sample.ok)
    }

    @Test("a call does not wait for longer than it has time")
    func timeLimit() async {
        let connector = limited(.stub(Sample.ok), .requests(1, per: .seconds(10)))
        #expect(await call(connector) == Sample.ok)
        #expect(await call(connector.wrapped(by: .timeout(.seconds(9), clock: clock))) == limitedUntil(10))
    }

    @Test("a waiting call fails at once when a new pause is longer than it may wait")
    func longPause() async {
        let latch = Latch()
        let connector = limited(
            .stub { input in
                sent.append(input)
                await latch.wait()
                return .status(.tooManyRequests, headers: ["Retry-After": "90"])
            }
        )
        let slow = start(connector)
        while sent.elements.isEmpty { await Task.yield() }
        let waiting = [start(connector), start(connector)]
        await waits(2)
        latch.open()
        _ = await slow.value
        for task in waiting { #expect(await task.value == limitedUntil(90)) }
        #expect(await call(connector) == limitedUntil(90))
        #expect(sent.elements.count == 1)
        while clock.sleeperCount > 0 { await Task.yield() }
    }

    @Test(
        "a broken payload hides neither the delay of a response nor that no request remains",
        arguments: [
            (429, ["Retry-After": "90"]), (503, ["Retry-After": "90"]), (200, Self.usedUp), (404, Self.usedUp),
        ] as [(Int, HTTPHeaders)]
    )
    func brokenPayloads(_ status: Int, _ headers: HTTPHeaders) async {
        let response = Response(statusCode: .from(code: status), headers: headers)
        for error in Sample.brokenPayloads(of: response) {
            let connector = limited(.stub(.noResponse(error)), nil)
            #expect(await call(connector) == .noResponse(error))
            #expect(await call(connector) == limitedUntil(90), "\(error)")
        }
    }

    @Test("a server can stop all calls for an hour at most")
    func longestPause() async {
        let connector = limited(.stub(.status(.tooManyRequests, headers: ["Retry-After": "99999999999"])), nil)
        _ = await call(connector)
        #expect(await call(connector) == limitedUntil(3_600))
        clock.advance(by: .seconds(3_600))
        #expect(await call(connector).response?.statusCode == .tooManyRequests)
    }

    @Test(
        "a delay that is asked for something else than too many requests stops no calls",
        arguments: [200, 202, 301, 500]
    )
    func otherDelays(_ status: Int) async {
        let headers: HTTPHeaders = ["Retry-After": "30", "retry-after-ms": "30000"]
        let connector = limited(.stub(.status(.from(code: status), headers: headers)), nil)
        for _ in 0..<3 { #expect(await call(connector).response?.statusCode.code == status) }
    }

    @Test(
        "when no request remains, no call starts before the reset, not even if the response has another delay",
        arguments: [["Retry-After": "600"], [:]] as [HTTPHeaders]
    )
    func remaining(_ headers: HTTPHeaders) async {
        let connector = limited(
            .stub { input in
                sent.append(input)
                let remaining = max(0, 3 - sent.elements.count)
                let limit: HTTPHeaders = ["X-RateLimit-Remaining": "\(remaining)", "X-RateLimit-Reset": "20"]
                return .text("", headers: HTTPHeaders(headers.fields + limit.fields))
            },
            nil,
            upTo: .seconds(10)
        )
        for _ in 0..<3 { #expect(await call(connector).response?.statusCode == .ok) }
        #expect(await call(connector) == limitedUntil(20))
        clock.advance(by: .seconds(20))
        #expect(await call(connector).response?.statusCode == .ok)
    }

    @Test(
        "no rate crashes the process",
        arguments: [
            RequestRate.requests(0, per: .zero), .requests(-1, per: .seconds(-1), burst: -1),
            .requests(.max, per: .nanoseconds(1), burst: .max), .requests(1, per: .seconds(Int64.max), burst: .max),
        ]
    )
    func extremes(_ rate: RequestRate) async {
        let connector = limited(.stub(Sample.ok), rate, waiting: 0)
        #expect(await call(connector) == Sample.ok)
        _ = await call(connector)
    }
}
