import Foundation
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

/// The context of a shared call: time limits, groups and events of several callers.
@Suite(.timeLimit(.minutes(2))) struct ShareInFlightContextTests {
    private let calls = NumberedCalls()
    private let clock = ManualClock()
    private let log = EventLog()

    private func call(_ connector: Connector) -> Task<Output, Never> {
        Task { await WebAPI.call(with: Fixture.input, via: connector) }
    }

    private func begun(_ count: Int) async { await eventually { calls.begun.elements.count == count } }

    private func joined(_ count: Int = 1) async {
        await eventually { log.names.filter { $0 == "shared" }.count == count }
    }

    @Test("a time limit outside ends its own call only, even if that began the inner call")
    func timeout() async {
        let shared = calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight())
        let limited = call(shared.wrapped(by: .timeout(.seconds(1), clock: clock)))
        await begun(1)
        let unlimited = call(shared)
        await joined()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(await limited.value.connectionError?.name == "timedOut")
        calls.end(1)
        #expect(await unlimited.value == .text("1"))
        #expect(calls.cancelled.elements.isEmpty)
    }

    @Test("the remaining time of the inner call is that of the caller with the most, and unlimited if one has no limit")
    func remainingTime() async {
        let contexts = Recorder<CallContext>()
        let probe = Wrapper { input, next in
            contexts.append(next.context)
            return await next(input)
        }
        let shared = calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight(), probe)
        let short = call(shared.wrapped(by: .timeout(.seconds(5), clock: clock)))
        await begun(1)
        #expect(contexts.elements[0].remainingTime == .seconds(5))
        let long = call(shared.wrapped(by: .timeout(.seconds(60), clock: clock)))
        await joined(1)
        #expect(contexts.elements[0].remainingTime == .seconds(60))
        let unlimited = call(shared)
        await joined(2)
        #expect(contexts.elements[0].remainingTime == nil)
        unlimited.cancel()
        _ = await unlimited.value
        #expect(contexts.elements[0].remainingTime == .seconds(60))
        calls.end(1)
        for caller in [short, long] { #expect(await caller.value == .text("1")) }
        #expect(contexts.elements[0].remainingTime == nil)
    }

    @Test("nothing is sent after all groups of the callers are cancelled, and a new caller begins a new call")
    func cancelledGroups() async {
        let (groups, sent, reached, resumed, ended) = (
            [CallGroup(), CallGroup()], Recorder<Input>(), Latch(), Latch(), Latch()
        )
        let server = Connector { input in
            sent.append(input)
            guard sent.elements.count == 1 else { return .text("new") }
            reached.open()
            // Returns without regard to its cancellation, so that the wrapper inside would send again.
            await Task { await resumed.wait() }.value
            return .status(.found, headers: ["Location": "/next"])
        }
        let ending = Wrapper { input, next in
            let output = await next(input)
            ended.open()
            return output
        }
        let shared = server.wrapped(by: .listen(to: log.listener), .shareInFlight(), ending, .redirect())
        let first = call(shared.wrapped(by: .tracked(in: groups[0])))
        await reached.wait()
        let second = call(shared.wrapped(by: .tracked(in: groups[1])))
        await joined()
        for group in groups { group.cancelAll() }
        let third = call(shared)
        #expect(await third.value == .text("new"))
        resumed.open()
        await ended.wait()
        for caller in [first, second] { #expect(await caller.value == .noResponse(.cancelled)) }
        #expect(sent.elements.map(\.url.path) == ["/things", "/things"])
    }

    @Test("nobody joins a call whose callers are all over, though they have not left yet, or that has ended")
    func joining() async {
        let (part, context) = (AbandonableCall(), CallContext(reportingTo: nil))
        let call = SharedCall(for: context.within(part))
        #expect(call.join(context.within(part)) != nil)
        #expect(!call.isAbandoned)
        part.abandon(.cancelled)
        #expect(call.join(context) == nil && call.isAbandoned)
        let ended = SharedCall(for: context)
        #expect(await ended.output(for: ended.first) { .text("a") } == .text("a"))
        #expect(ended.join(context) == nil && !ended.isAbandoned)
    }

    @Test("events of the inner call go to the caller that began it, and each other caller reports that it shares")
    func events() async {
        let (reached, ended) = (Latch(), Latch())
        let engine = Connector { _, context in
            reached.open()
            await ended.wait()
            context.report(.custom(name: "inner", detail: ""))
            return .text("a")
        }
        let shared = engine.wrapped(by: .listen(to: log.listener), .shareInFlight())
        let first = call(shared)
        await reached.wait()
        let second = call(shared)
        await joined()
        ended.open()
        for caller in [first, second] { #expect(await caller.value == .text("a")) }
        let names = log.calls.map { log.events(of: $0).map(\.name) }
        #expect(
            names == [
                ["started", "inner", "received", "succeeded", "ended"],
                ["started", "shared", "received", "succeeded", "ended"],
            ]
        )
    }

    @Test("calls through another limit until the head are not shared; through the same one, it ends the call for all")
    func headLimits() async {
        let shared = calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight())
        let limited = shared.wrapped(by: .timeout(untilHead: .seconds(1), clock: clock))
        let first = call(limited)
        await begun(1)
        let second = call(limited)
        await joined()
        let unlimited = call(shared)
        await begun(2)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        for caller in [first, second] { #expect(await caller.value.connectionError?.name == "timedOut") }
        calls.end(2)
        #expect(await unlimited.value == .text("2"))
    }

    @Test("a refresh that requests the URL of the waiting call does not wait for itself")
    func refresh() async {
        let sent = Recorder<String?>()
        let engine = Connector { input in
            sent.append(input.headers["Authorization"])
            return .text("new")
        }
        let sharing = Mutex<Connector?>(nil)
        let store = TokenStore(load: { AccessToken("old", expires: .distantPast) }, save: { _ in })
        let refreshing = Wrapper.refreshToken(in: store) { _, _ -> Fetched<TransformError<Never>, AccessToken> in
            guard let connector = sharing.withLock({ $0 }) else { return .left(.left(.cancelled)) }
            let fetched = await Endpoint.text(.right(Fixture.input)).fetch(via: connector)
            return fetched.map { AccessToken($0) }
        }
        let shared = engine.wrapped(by: .shareInFlight(), refreshing)
        sharing.withLock { $0 = shared }
        #expect(await call(shared).value == .text("new"))
        #expect(sent.elements == [nil, "Bearer new"])
        // The refresh refers to the connector that contains it.
        sharing.withLock { $0 = nil }
    }

    /// The calls of a random test: each answers with its key and its number.
    private struct Runs: Sendable {
        struct Run: Sendable {
            let key: String
            var isOver = false
            var isCancelled = false
        }

        let all = Locked<[Run]>([])

        func connect(_ input: Input) async -> Output {
            let key = input.headers["Authorization"] ?? ""
            let number = all.withLock { runs in
                runs.append(Run(key: key))
                return runs.count - 1
            }
            // Every third call ends only by its cancellation.
            if number.isMultiple(of: 3) {
                await Latch().wait()
            } else {
                for _ in 0..<(number % 17) { await Task.yield() }
            }
            let isCancelled = Task.isCancelled
            all.withLock { runs in
                runs[number].isOver = true
                runs[number].isCancelled = isCancelled
            }
            return .text("\(key) \(number)")
        }
    }

    @Test("with callers that come and leave at random, each gets one output of its own identity, and no call is left")
    func law() async {
        for round in 0..<5 {
            let runs = Runs()
            let connector = Connector { await runs.connect($0) }.wrapped(by: .shareInFlight())
            let outputs = Recorder<(key: String, isCancelled: Bool, output: Output)>()
            await withTaskGroup { group in
                for number in 0..<200 {
                    let key = "Bearer \(number % 3)"
                    group.addTask {
                        let input = Fixture.input.with { $0.headers["Authorization"] = key }
                        for _ in 0..<Int.random(in: 0...50) { await Task.yield() }
                        // Not through `WebAPI`, which replaces an output that comes after a cancellation.
                        let context = CallContext(reportingTo: nil)
                        let caller = Task { await connector.connect(input, context) }
                        let isCancelled = !(number + round).isMultiple(of: 4)
                        for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                        if isCancelled { caller.cancel() }
                        let patient = Task {
                            // A caller that waits for a call that never ends leaves in the end.
                            for _ in 0..<500 { await Task.yield() }
                            caller.cancel()
                        }
                        outputs.append((key, isCancelled, await caller.value))
                        patient.cancel()
                    }
                }
            }
            await eventually { runs.all.withLock { $0.allSatisfy(\.isOver) } }
            let ended = runs.all.withLock { $0 }
            #expect(outputs.elements.count == 200)
            for (key, _, output) in outputs.elements {
                guard let response = output.response else {
                    #expect(output == .noResponse(.cancelled))
                    continue
                }
                let words = String(decoding: response.payload, as: UTF8.self).split(separator: " ")
                #expect(key == words.dropLast().joined(separator: " "))
                let run = words.last.flatMap { Int($0) }.map { ended[$0] }
                #expect(run?.isCancelled == false, "a call with a caller is not cancelled")
            }
            for (number, run) in ended.enumerated() where number.isMultiple(of: 3) {
                #expect(run.isCancelled, "a call that all callers have left is cancelled")
            }
        }
    }
}
