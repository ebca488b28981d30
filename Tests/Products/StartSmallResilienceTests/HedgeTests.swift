import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmallResilience

/// A connector whose requests are answered by the test.
private final class Requests: Sendable {
    private let answers = Mutex<[Int: Output]>([:])
    private let arrived = Mutex(0)
    private let answered = (0..<30).map { _ in Latch() }
    let cancelled = Recorder<Int>()

    var count: Int { arrived.withLock { $0 } }

    /// Answers a request, by its number from 0.
    func answer(_ number: Int, _ output: Output) {
        answers.withLock { $0[number] = output }
        answered[number].open()
    }

    func wait(for count: Int) async {
        while self.count < count { await Task.yield() }
    }

    var connector: Connector {
        Connector { [self] _ in
            let number = arrived.withLock { count in
                defer { count += 1 }
                return count
            }
            await answered[number].wait()
            if let output = answers.withLock({ $0[number] }) { return output }
            cancelled.append(number)
            return .noResponse(.cancelled)
        }
    }
}

struct HedgeTests {
    private let clock = ManualClock()
    private let log = EventLog()
    private let requests = Requests()
    private static let delay = Duration.milliseconds(200)

    private func hedged(_ connector: Connector, _ budget: HedgeBudget? = nil) -> Connector {
        connector.wrapped(
            by: .listen(to: log.listener),
            .hedge(after: .fixed(Self.delay), budget: budget, clock: clock)
        )
    }

    private func start(_ connector: Connector, _ input: Input = Sample.input) -> Task<Output, Never> {
        Task { await WebAPI.call(with: input, via: connector) }
    }

    /// Returns a call whose second request was sent.
    private func hedgedCall() async -> Task<Output, Never> {
        let call = start(hedged(requests.connector))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: Self.delay)
        await requests.wait(for: 2)
        return call
    }

    @Test("a call that ends before the delay has one request", arguments: [Sample.ok, Sample.unavailable])
    func fast(_ output: Output) async {
        let call = start(hedged(requests.connector))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(199))
        requests.answer(0, output)
        #expect(await call.value == output)
        while clock.sleeperCount > 0 { await Task.yield() }
        #expect(requests.count == 1)
    }

    @Test("the first success is the output, and the other request is cancelled", arguments: [0, 1])
    func success(_ winner: Int) async {
        let call = await hedgedCall()
        requests.answer(winner, .text("\(winner)"))
        #expect(await call.value == .text("\(winner)"))
        while requests.cancelled.elements.isEmpty { await Task.yield() }
        #expect(requests.cancelled.elements == [1 - winner])
        #expect(log.events.contains(.reported(Hedging())))
    }

    @Test(
        "a failure does not win over a later success, and of two failures, the output is that of the first request",
        arguments: [
            ([(0, Sample.unavailable), (1, Sample.ok)], Sample.ok),
            ([(1, Sample.unavailable), (0, Sample.ok)], Sample.ok),
            ([(0, Sample.unavailable), (1, lost)], Sample.unavailable),
            ([(1, lost), (0, Sample.unavailable)], Sample.unavailable),
        ] as [([(Int, Output)], Output)]
    )
    func failure(_ answers: [(Int, Output)], _ expected: Output) async {
        let call = await hedgedCall()
        for (number, output) in answers {
            requests.answer(number, output)
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(await call.value == expected)
    }

    private static let lost = Output.noResponse(.noDataOrNoResponse(debugInfo: ""))

    @Test("a cancelled call ends at once, and both requests are cancelled")
    func cancelled() async {
        let call = await hedgedCall()
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        while requests.cancelled.elements.count < 2 { await Task.yield() }
    }

    @Test("without budget, there is no second request")
    func budget() async {
        let call = start(hedged(requests.connector, .share(freePerSecond: 0, clock: clock)))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        for _ in 0..<100 { await Task.yield() }
        #expect(requests.count == 1)
        requests.answer(0, Sample.ok)
        #expect(await call.value == Sample.ok)
    }

    private static func input(_ method: String, _ text: String? = "a") -> Input {
        let payload = text.map { Payload(.data(Data($0.utf8)), mediaType: .text) }
        return Sample.input.with { $0.methodAndPayload = .init(method: method, payload: payload) }
    }

    @Test(
        "a request has a second one if its method is safe and its response can be taken twice, or by a condition",
        arguments: [
            (input("QUERY"), nil, true), (input("TRACE", nil), nil, true), (input("POST"), nil, false),
            (input("PUT"), nil, false), (input("DELETE", nil), nil, false),
            (Sample.input.with { $0.delivery = .stream }, nil, false),
            (input("DELETE", nil), { @Sendable in RetryCondition.isSafeToReplay($0) }, true),
        ] as [(Input, (@Sendable (Input) -> Bool)?, Bool)]
    )
    func methods(_ input: Input, _ condition: (@Sendable (Input) -> Bool)?, isHedged: Bool) async {
        let hedge =
            condition.map { Wrapper.hedge(after: .fixed(Self.delay), for: $0, clock: clock) }
            ?? .hedge(after: .fixed(Self.delay), clock: clock)
        let call = start(requests.connector.wrapped(by: hedge), input)
        await requests.wait(for: 1)
        if isHedged { await clock.waitForSleepers(count: 1) } else { #expect(clock.sleeperCount == 0) }
        clock.advance(by: .seconds(10))
        if isHedged { await requests.wait(for: 2) }
        requests.answer(isHedged ? 1 : 0, Sample.ok)
        #expect(await call.value.response?.statusCode == .ok)
        #expect(requests.count == (isHedged ? 2 : 1))
    }

    @Test("the percentile is that of the last durations, and is unknown before 20 of them")
    func percentile() {
        var latencies = Latencies(.percentile(95))
        for number in 1...19 { latencies.add(.milliseconds(number), at: .zero) }
        #expect(latencies.delay == nil)
        latencies.add(.milliseconds(20), at: .zero)
        #expect(latencies.delay == .milliseconds(19))
        for _ in 0..<300 { latencies.add(.seconds(1), at: .zero) }
        #expect(latencies.delay == .seconds(1))
        let extremes: [(Double, Int)] = [(-1, 1), (0, 1), (100, 40), (200, 40), (.nan, 40), (.infinity, 40)]
        for (percentile, milliseconds) in extremes {
            var latencies = Latencies(.percentile(percentile))
            // More than 64, so that the percentile is determined a second time.
            for number in 0..<240 { latencies.add(.milliseconds(1 + number % 40), at: .zero) }
            #expect(latencies.delay == .milliseconds(milliseconds), "\(percentile)")
        }
    }

    @Test("calls before the percentile is known fill the budget, too")
    func budgetOfFirstCalls() async {
        let budget = HedgeBudget.share(percent: 10, freePerSecond: 0, clock: clock)
        let connector = Connector.stub(Sample.ok).wrapped(
            by: .hedge(after: .percentile(95), budget: budget, clock: clock)
        )
        for _ in 0..<10 { _ = await WebAPI.call(with: Sample.input, via: connector) }
        #expect(budget.withdraw())
        #expect(!budget.withdraw())
    }

    @Test("with a percentile, a call has a second request when it is slower than the ones before")
    func observed() async {
        let connector = requests.connector.wrapped(by: .hedge(after: .percentile(95), clock: clock))
        for number in 0..<20 {
            let call = start(connector)
            await requests.wait(for: number + 1)
            clock.advance(by: .milliseconds(50))
            requests.answer(number, Sample.ok)
            #expect(await call.value == Sample.ok)
        }
        let slow = start(connector)
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.milliseconds(50)])
        clock.advance(by: .milliseconds(50))
        await requests.wait(for: 22)
        requests.answer(21, Sample.ok)
        #expect(await slow.value == Sample.ok)
    }

    @Test("the amplification by retries and second requests stays within a shared budget", arguments: 0..<8)
    func amplification(_ seed: Int) async {
        let sent = Recorder<Input>()
        let budget = RetryBudget(freePerSecond: 1, percent: 20, clock: clock)
        let isDown = seed.isMultiple(of: 2)
        let connector = Connector { [clock] input in
            sent.append(input)
            // Slower than the delay, so that each call wants a second request.
            try? await clock.sleep(for: .seconds(1))
            return isDown || sent.elements.count % 3 == 0 ? Sample.unavailable : Sample.ok
        }.wrapped(
            by: .retry(.exponential(attempts: 4, baseDelay: .zero, maxDelay: .zero), budget: budget, clock: clock),
            .hedge(after: .fixed(Self.delay), budget: .shared(with: budget), clock: clock)
        )
        var successes = 0
        let calls = 60
        await withTaskGroup(of: Output.self) { group in
            for _ in 0..<calls { group.addTask { await WebAPI.call(with: Sample.input, via: connector) } }
            let driver = Task { [clock] in
                while !Task.isCancelled {
                    await clock.waitForSleepers(count: 1)
                    clock.advance(by: .milliseconds(10))
                    await Task.yield()
                }
            }
            for await output in group where output == Sample.ok { successes += 1 }
            driver.cancel()
        }
        // The free ones of the windows that have begun, and 20 % of the successes.
        let windows = Int(clock.now.offset / .seconds(10)) + 1
        #expect(sent.elements.count - calls <= 10 * windows + successes / 5)
        #expect(sent.elements.count > calls)
    }
}
