import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmallResilience

/// A connector whose requests are answered by the test.
private final class Requests: Sendable {
    private struct State {
        var waiters: [Int: CheckedContinuation<Output, Never>] = [:]
        var answers: [Int: Output] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    let cancelled = Recorder<Int>()

    var count: Int { state.withLock { $0.count } }

    /// Answers a request, by its number from 0, once.
    func answer(_ number: Int, _ output: Output) {
        let waiter = state.withLock { state in
            state.answers[number] = state.answers[number] ?? output
            return state.waiters.removeValue(forKey: number)
        }
        waiter?.resume(returning: output)
    }

    func wait(for count: Int) async {
        while self.count < count { await Task.yield() }
    }

    var connector: Connector {
        Connector { [self] _ in
            let number = state.withLock { state in
                state.count += 1
                return state.count - 1
            }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let output = state.withLock { state in
                        if state.answers[number] == nil { state.waiters[number] = continuation }
                        return state.answers[number]
                    }
                    if let output { continuation.resume(returning: output) }
                }
            } onCancel: {
                cancelled.append(number)
                // Outside of the lock of the task's status.
                Task.detached { self.answer(number, .noResponse(.cancelled)) }
            }
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
        #expect(log.events.contains(.custom(name: "hedge", detail: "second request")))
    }

    @Test("a failure does not win over a later success", arguments: [0, 1])
    func failure(_ loser: Int) async {
        let call = await hedgedCall()
        requests.answer(loser, Sample.unavailable)
        for _ in 0..<100 { await Task.yield() }
        requests.answer(1 - loser, Sample.ok)
        #expect(await call.value == Sample.ok)
    }

    @Test("if both requests fail, the output is that of the first", arguments: [[0, 1], [1, 0]])
    func bothFail(_ order: [Int]) async {
        let call = await hedgedCall()
        for number in order {
            requests.answer(number, number == 0 ? Sample.unavailable : .noResponse(.noDataOrNoResponse(debugInfo: "")))
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(await call.value == Sample.unavailable)
    }

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

    @Test("a request with a safe method has a second one, also with a payload", arguments: ["QUERY", "TRACE"])
    func safeMethods(_ method: String) async {
        let payload = method == "TRACE" ? nil : Payload(.data(Data("a".utf8)), mediaType: .text)
        let input = Sample.input.with { $0.methodAndPayload = .init(method: method, payload: payload) }
        let call = start(hedged(requests.connector), input)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        await requests.wait(for: 2)
        requests.answer(1, Sample.ok)
        #expect(await call.value == Sample.ok)
    }

    @Test(
        "a request that may not run twice, or whose response can be taken only once, has one request",
        arguments: [
            Sample.input.with {
                $0.methodAndPayload = .post(payload: Payload(.data(Data("order".utf8)), mediaType: .text))
            },
            Sample.input.with {
                $0.methodAndPayload = .put(payload: Payload(.data(Data("order".utf8)), mediaType: .text))
            },
            Sample.input.with { $0.methodAndPayload = .delete(payload: nil) },
            Sample.input.with { $0.delivery = .stream },
        ]
    )
    func notHedged(_ input: Input) async {
        let call = start(hedged(requests.connector), input)
        await requests.wait(for: 1)
        clock.advance(by: .seconds(10))
        #expect(clock.sleeperCount == 0)
        requests.answer(0, Sample.ok)
        _ = await call.value
        #expect(requests.count == 1)
    }

    @Test("with a condition, idempotent requests have a second one")
    func condition() async {
        let connector = requests.connector.wrapped(
            by: .hedge(after: .fixed(Self.delay), for: { RetryCondition.isSafeToReplay($0) }, clock: clock)
        )
        let call = start(connector, Sample.input.with { $0.methodAndPayload = .delete(payload: nil) })
        await clock.waitForSleepers(count: 1)
        clock.advance(by: Self.delay)
        await requests.wait(for: 2)
        requests.answer(1, Sample.ok)
        #expect(await call.value == Sample.ok)
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
