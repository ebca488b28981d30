import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

/// Rate limits that count the tokens of calls.
@Suite(.timeLimit(.minutes(1))) struct TokenCostTests {
    private let clock = ManualClock()
    private let log = EventLog()
    private let sent = Recorder<Input>()

    /// Returns a connector whose calls cost the number in their path.
    private func limited(
        _ connector: Connector,
        _ rate: RequestRate? = nil,
        _ limit: Int? = 100,
        burst: Int? = nil,
        upTo maxWait: Duration = .zero,
        sharedBy key: CallKey = .origin,
        used: @escaping @Sendable (Response) -> Int? = { _ in nil }
    ) -> Connector {
        let cost = TokenCost.tokens(
            limit,
            per: .seconds(100),
            burst: burst,
            estimate: { Int($0.url.lastPathComponent) ?? 0 },
            used: used
        )
        let limit = Wrapper.rateLimit(
            rate,
            cost: cost,
            upTo: maxWait,
            sharedBy: key,
            clock: clock,
            now: { [clock] in Sample.date.addingTimeInterval(clock.now.offset / .seconds(1)) }
        )
        return connector.wrapped(by: .listen(to: log.listener), limit)
    }

    private func waits(_ count: Int) async {
        while log.names.count(where: { $0 == "waiting" }) < count { await Task.yield() }
    }

    /// Calls with a cost, and returns the seconds until it could start; nil if it has started.
    @discardableResult
    private func wait(_ cost: Int, _ connector: Connector, host: String = "api.test") async -> Double? {
        let output = await WebAPI.call(with: Sample.get("https://\(host)/\(cost)"), via: connector)
        let until = output.connectionError?.refusal(RateLimited.self)?.until
        return until.map { $0.timeIntervalSince(Sample.date) - clock.now.offset / .seconds(1) }
    }

    private static func reporting(_ remaining: Int, _ reset: String, unit: String = "tokens") -> Output {
        .text("", headers: ["x-ratelimit-remaining-\(unit)": "\(remaining)", "x-ratelimit-reset-\(unit)": reset])
    }

    @Test("calls start while tokens are left, one for each second here, and requests count beside them")
    func both() async {
        let connector = limited(.stub(Sample.ok, recording: sent), .requests(1, per: .seconds(5)))
        #expect(await wait(60, connector) == nil)
        #expect(await wait(10, connector) == 5)
        clock.advance(by: .seconds(5))
        #expect(await wait(60, connector) == 15)
        #expect(await wait(45, connector) == nil)
        clock.advance(by: .seconds(5))
        #expect(await wait(10, connector) == 5)
        #expect(await wait(5, connector) == nil)
        #expect(sent.elements.count == 3)
    }

    @Test("a call that waits starts when its tokens are there, and no later call overtakes it")
    func order() async {
        let connector = limited(.stub(Sample.ok, recording: sent), upTo: .seconds(100))
        await wait(100, connector)
        async let large = wait(50, connector)
        await waits(1)
        async let small = wait(1, connector)
        await waits(2)
        clock.advance(by: .seconds(49))
        #expect(sent.elements.count == 1)
        clock.advance(by: .seconds(1))
        #expect(await large == nil)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(await small == nil)
        #expect(sent.elements.map(\.url.lastPathComponent) == ["100", "50", "1"])
    }

    @Test("a call that would have to wait for too long behind the tokens of others fails at once")
    func behind() async {
        let connector = limited(.stub(Sample.ok), upTo: .seconds(60))
        await wait(100, connector)
        async let other = wait(50, connector)
        await waits(1)
        #expect(await wait(20, connector) == 70)
        clock.advance(by: .seconds(50))
        #expect(await other == nil)
    }

    @Test("a call without time when it may start is not sent, and uses up no tokens")
    func over() async {
        let connector = limited(.stub(Sample.ok, recording: sent))
        let late = Wrapper { input, next in
            await AbandonableCall(remainingTime: { .zero }).output(of: input, next)
        }
        await wait(60, connector.wrapped(by: late))
        #expect(sent.elements.isEmpty)
        #expect(await wait(100, connector) == nil)
    }

    @Test(
        "an estimate below 0 counts as 0, and one above the limit as the limit",
        arguments: [(0, nil), (-1, nil), (.min, nil), (1, 1), (100, 100), (101, 100), (.max, 100)] as [(Int, Double?)]
    )
    func estimates(_ cost: Int, _ seconds: Double?) async {
        let connector = limited(.stub(Sample.ok, recording: sent))
        #expect(await wait(cost, connector) == nil)
        #expect(await wait(100, connector) == seconds)
    }

    @Test("a call of more tokens than the burst needs all of it, and later calls wait for what it used")
    func burst() async {
        let connector = limited(.stub(Sample.ok), burst: 10)
        #expect(await wait(30, connector) == nil)
        #expect(await wait(10, connector) == 30)
        #expect(await wait(1, connector) == 21)
    }

    @Test(
        "no limit crashes the process",
        arguments: [(.max, .max, .max), (.min, .min, .min), (0, 0, .max), (1, .max, .min), (nil, nil, .max)]
            as [(Int?, Int?, Int)]
    )
    func extremes(_ limit: Int?, _ burst: Int?, _ used: Int) async {
        let server = Self.reporting(.max, "99999999999")
        let connector = limited(.stub(server), .requests(.max, per: .zero), limit, burst: burst) { _ in used }
        for cost in [Int.max, .min, 0, 1, .max] { await wait(cost, connector) }
        clock.advance(by: .seconds(9_999_999))
        await wait(.max, connector)
    }

    // Corrected by the number that a call used.

    @Test(
        "what a call did not use is given back, and what it used beyond its estimate is taken",
        arguments: [
            (50, 50), (10, 10), (0, 0), (90, 90), (100, 100), (1_000_000, 100), (-5, 0), (.min, 0), (.max, 100),
        ] as [(Int, Double)]
    )
    func used(_ used: Int, _ seconds: Double) async {
        let connector = limited(.stub(Sample.ok)) { _ in used }
        #expect(await wait(50, connector) == nil)
        #expect(await wait(100, connector) == (seconds > 0 ? seconds : nil))
    }

    @Test("without a response, or if it does not say, the estimate counts", arguments: [true, false])
    func unknown(_ isLost: Bool) async {
        let lost = ConnectionError.connectionLost(ConnectionError.Cause(domain: "stub", code: 1, text: ""))
        let connector = limited(.stub(isLost ? .noResponse(lost) : Sample.ok)) { _ in isLost ? 0 : nil }
        await wait(50, connector)
        #expect(await wait(100, connector) == 50)
    }

    @Test("a call that ends after the bucket was full again gives nothing back")
    func late() async {
        let latch = Latch()
        let connector = limited(
            .stub { input in
                sent.append(input)
                guard sent.elements.count == 1 else { return Sample.ok }
                await latch.wait()
                return .text("nothing used")
            }
        ) { $0.payload == Data("nothing used".utf8) ? 0 : nil }
        async let slow = wait(100, connector)
        while sent.elements.isEmpty { await Task.yield() }
        clock.advance(by: .seconds(100))
        #expect(await wait(100, connector) == nil)
        latch.open()
        #expect(await slow == nil)
        #expect(await wait(100, connector) == 100)
    }

    // Corrected by what the server reports.

    @Test("a call of more tokens than the server reports waits for the reset, and a smaller one does not")
    func reported() async {
        let connector = limited(.stub(Self.reporting(30, "20s")), nil, nil)
        #expect(await wait(1_000, connector) == nil)
        #expect(await wait(31, connector) == 20)
        clock.advance(by: .seconds(19))
        #expect(await wait(31, connector) == 1)
        clock.advance(by: .seconds(1))
        #expect(await wait(31, connector) == nil)
        #expect(await wait(0, connector) == nil)
    }

    @Test(
        "the limit of all tokens counts, or else that of the input or the output of which less remains",
        arguments: [
            (["tokens": 50, "input-tokens": 9], 50), (["input-tokens": 40, "output-tokens": 60], 40),
            (["output-tokens": 70], 70), (["requests": 5], nil),
        ] as [([String: Int], Int?)]
    )
    func units(_ remaining: [String: Int], _ most: Int?) async {
        var headers: HTTPHeaders = [:]
        for (unit, count) in remaining {
            headers["anthropic-ratelimit-\(unit)-remaining"] = "\(count)"
            headers["anthropic-ratelimit-\(unit)-reset"] = "2026-11-21T10:00:30Z"
        }
        let connector = limited(.stub(.text("", headers: headers)), nil, nil)
        await wait(0, connector)
        #expect(await wait((most ?? 1_000_000) + 1, connector) == most.map { _ in 30 })
        if let most { #expect(await wait(most, connector) == nil) }
    }

    @Test("no token left stops all calls until the reset, also without a cost")
    func noneLeft() async {
        let connector = Connector.stub(Self.reporting(0, "20s")).wrapped(
            by: .rateLimit(upTo: .zero, clock: clock, now: { Sample.date })
        )
        await wait(0, connector)
        #expect(await wait(0, connector) == 20)
    }

    /// Starts calls of 10 tokens each, whose responses arrive in an order, and returns the connector.
    private func started(_ count: Int, answering order: [(index: Int, remaining: Int, reset: String)]) async
        -> Connector
    {
        let latches = (0..<count).map { _ in Latch() }
        let connector = limited(
            .stub { input in
                let index = sent.elements.count
                sent.append(input)
                guard index < count else { return Sample.ok }
                await latches[index].wait()
                return order.first { $0.index == index }.map { Self.reporting($0.remaining, $0.reset) } ?? Sample.ok
            },
            nil,
            nil
        )
        var calls: [Task<Output, Never>] = []
        for index in 0..<count {
            calls.append(Task { await WebAPI.call(with: Sample.get("https://api.test/10"), via: connector) })
            while sent.elements.count <= index { await Task.yield() }
        }
        for (index, _, _) in order {
            latches[index].open()
            _ = await calls[index].value
        }
        for latch in latches { latch.open() }
        for call in calls { _ = await call.value }
        return connector
    }

    @Test(
        "a report does not have the calls that started later, and an older call's report does not replace a newer one",
        arguments: [
            // Of three calls, the first one's report: the other two are not in it.
            ([(0, 100, "20s")], 80), ([(2, 100, "20s")], 100), ([(0, 15, "20s")], 0),
            ([(0, 100, "20s"), (2, 75, "20s")], 75), ([(2, 75, "20s"), (0, 100, "20s")], 75),
            // A report after its reset ends nothing, and holds nothing.
            ([(0, 5, "2026-11-21T09:59:00Z")], nil), ([(1, 40, "20s"), (1, 40, "20s")], 30),
        ] as [([(index: Int, remaining: Int, reset: String)], Int?)]
    )
    func reports(_ order: [(index: Int, remaining: Int, reset: String)], _ most: Int?) async {
        let connector = await started(3, answering: order)
        #expect(await wait((most ?? 1_000) + 1, connector) == most.map { _ in 20 })
        if let most { #expect(await wait(most, connector) == nil) }
    }

    @Test("a server can hold calls of many tokens for an hour at most")
    func longest() async {
        let connector = limited(.stub(Self.reporting(1, "99999999999")), nil, nil)
        await wait(1, connector)
        #expect(await wait(2, connector) == 3_600)
    }

    @Test("two hosts have limits of their own, unless a key joins them", arguments: [true, false])
    func hosts(_ isJoined: Bool) async {
        let key = isJoined ? CallKey.connector : .origin
        let connector = limited(.stub(Self.reporting(30, "20s")), nil, 100, sharedBy: key)
        await wait(60, connector)
        #expect(await wait(31, connector, host: "other.test") == (isJoined ? 20 : nil))
    }

    @Test("a stream keeps its estimate, and its head reports at once")
    func stream() async {
        var response = Self.reporting(30, "20s").response ?? Response(statusCode: .ok)
        response.content = .body(ResponseBody(Data("abc".utf8)))
        let connector = limited(.stub(.hasResponse(response))) { _ in 0 }
        var input = Sample.get("https://api.test/50")
        input.delivery = .stream
        let output = await WebAPI.call(with: input, via: connector)
        #expect(await wait(31, connector) == 20)
        clock.advance(by: .seconds(20))
        #expect(await wait(100, connector) == 30)
        _ = output
    }
}
