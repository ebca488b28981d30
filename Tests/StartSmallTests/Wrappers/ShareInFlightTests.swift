import Foundation
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

@testable import StartSmall
import StartSmallAuth
import StartSmallSupport
@testable import StartSmallCore

/// A limit that a test closes.
private final class ClosedLimit: CallLimit {
    let isClosed = Locked(false)
    var isAbandoned: Bool { isClosed.withLock { $0 } }
    func remainingTime(withChosen: Bool) -> Duration? { nil }
}

/// A connector whose calls wait for a latch each, or for their cancellation, and answer with their number.
private struct NumberedCalls: Sendable {
    let begun = Recorder<Input>()

    /// The numbers of the calls that were cancelled while they waited.
    let cancelled = Recorder<Int>()
    private let count = Locked(0)
    private let latches = (1...4).map { _ in Latch() }

    var connector: Connector {
        Connector { [begun, count, cancelled, latches] input in
            let number = count.withLock { count in
                count += 1
                return count
            }
            begun.append(input)
            await latches[number - 1].wait()
            if Task.isCancelled { cancelled.append(number) }
            return .text("\(number)")
        }
    }

    /// Ends the call of a number, whether it has begun or not.
    func end(_ number: Int) { latches[number - 1].open() }
}

@Suite(.timeLimit(.minutes(2))) struct ShareInFlightTests {
    private let calls = NumberedCalls()
    private let log = EventLog()
    private let clock = ManualClock()

    private func sharing(ignoring names: Set<String> = []) -> Connector {
        calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight(ignoring: names))
    }

    private func call(_ connector: Connector, of input: Input = Fixture.input) -> Task<Output, Never> {
        Task { await WebAPI.call(with: input, via: connector) }
    }

    private func begun(_ count: Int) async { await eventually { calls.begun.elements.count == count } }

    /// Waits until this many callers have joined another one's call.
    private func joined(_ count: Int = 1) async {
        await eventually { log.names.filter { $0 == "shared" }.count == count }
    }

    /// Returns a caller that has begun a call, and some that have joined it.
    private func leaderAndFollowers(_ count: Int, _ connector: Connector) async -> [Task<Output, Never>] {
        let leader = call(connector)
        await begun(1)
        let followers = (0..<count).map { _ in call(connector) }
        await joined(count)
        return [leader] + followers
    }

    // What is shared.

    private enum Weight: RequestOption {
        typealias Value = Double
        static let changesResponse = false
    }

    @Test("requests share a call only if all of their options are equal", arguments: [1, 2, .nan, nil])
    func options(_ weight: Double?) async {
        let connector = sharing()
        let (one, other) = (1.0, weight)
        let first = call(
            connector,
            of: Fixture.input.with { $0.options[Weight.self] = other?.isNaN == true ? .nan : one }
        )
        await begun(1)
        let second = call(connector, of: Fixture.input.with { $0.options[Weight.self] = other })
        if weight == 1 { await joined() } else { await begun(2) }
        for number in 1...2 { calls.end(number) }
        let texts = [await first.value, await second.value]
        #expect(texts == (weight == 1 ? [.text("1"), .text("1")] : [.text("1"), .text("2")]))
    }

    /// Returns the outputs of callers that share one call, of which the first may leave before its output.
    private func outputs(_ count: Int, of output: Output, firstLeaves: Bool = false) async -> [Output] {
        let (reached, ended) = (Latch(), Latch())
        let server = Connector { _ in
            reached.open()
            await ended.wait()
            return output
        }.wrapped(by: .listen(to: log.listener), .shareInFlight())
        var callers = [call(server)]
        await reached.wait()
        for number in 1..<count {
            callers.append(call(server))
            await joined(number)
        }
        if firstLeaves {
            callers[0].cancel()
            #expect(await callers[0].value == .noResponse(.cancelled))
        }
        ended.open()
        var outputs: [Output] = []
        for caller in callers { outputs.append(await caller.value) }
        return outputs
    }

    @Test(
        "only the caller that began the inner call gets its Set-Cookie fields",
        arguments: [true, false],
        [true, false]
    )
    func setCookie(isError: Bool, firstLeaves: Bool) async {
        let response = Response(statusCode: .ok, headers: ["Set-Cookie": "a=1", "Via": "x", "set-cookie": "b=2"])
        let output = isError ? Output.noResponse(.rejected(response, reason: "rule")) : .hasResponse(response)
        let outputs = await outputs(3, of: output, firstLeaves: firstLeaves)
        let headers = outputs.map { ($0.response ?? $0.connectionError?.response)?.headers }
        // If the first caller has left, the next one gets them.
        let first: [HTTPHeaders?] = firstLeaves ? [nil, response.headers] : [response.headers, ["Via": "x"]]
        #expect(headers == first + [["Via": "x"]])
    }

    private static let base = Input(
        url: Fixture.url,
        queries: [URLQueryItem(name: "a", value: "b")],
        headers: ["Accept": "text/plain", "A": "1"]
    )

    private static let others: [(String, Input)] = [
        ("another method", base.with { $0.methodAndPayload = .head }),
        ("another path", base.with { $0.url.append(path: "x") }),
        ("another value of a query", base.with { $0.queries[0].value = "c" }),
        ("a query without a value", base.with { $0.queries[0].value = nil }),
        ("one more query", base.with { $0.queries.append(URLQueryItem(name: "a", value: "b")) }),
        ("another composition of a letter", base.with { $0.queries[0].value = "e\u{301}" }),
        ("another header field", base.with { $0.headers["B"] = "1" }),
        ("another value of a header field", base.with { $0.headers["A"] = "2" }),
        ("another case of a name", base.with { $0.headers = ["accept": "text/plain", "A": "1"] }),
        ("another order of names", base.with { $0.headers = ["A": "1", "Accept": "text/plain"] }),
        ("credentials", base.with { $0.headers["Authorization"] = "Bearer a" }),
        ("another limit of the payload", base.with { $0.payloadLimit = 10 }),
    ]

    @Test("a request that differs in anything is not shared", arguments: others)
    func different(_ name: String, _ other: Input) async {
        let connector = sharing()
        var base = Self.base
        // Equal as characters, not as bytes.
        if name.contains("composition") { base.queries[0].value = "\u{e9}" }
        let (first, second) = (call(connector, of: base), call(connector, of: other))
        await begun(2)
        calls.end(1)
        calls.end(2)
        #expect(Set([await first.value, await second.value]) == [.text("1"), .text("2")])
    }

    @Test("ignored fields may differ, in any case of their names, and those of the first caller are sent")
    func ignored() async {
        let connector = sharing(ignoring: ["x-REQUEST-id"])
        let first = call(connector, of: Fixture.input.with { $0.headers["X-Request-ID"] = "1" })
        await begun(1)
        let second = call(connector, of: Fixture.input.with { $0.headers["x-request-id"] = "2" })
        await joined(1)
        calls.end(1)
        #expect(await first.value == .text("1"))
        #expect(await second.value == .text("1"))
        #expect(calls.begun.elements.map { $0.headers["X-Request-ID"] } == ["1"])
    }

    @Test("credentials are never ignored", arguments: ["Authorization", "Cookie", "X-API-Key"])
    func identities(_ name: String) async {
        let connector = sharing(ignoring: [name])
        let one = call(connector, of: Fixture.input.with { $0.headers[name] = "one" })
        let other = call(connector, of: Fixture.input.with { $0.headers[name] = "other" })
        await begun(2)
        calls.end(1)
        calls.end(2)
        #expect(await one.value != other.value)
    }

    private static let unshared: [(String, Input)] = [
        ("POST", Fixture.input.with { $0.methodAndPayload = .post(payload: nil) }),
        ("OPTIONS", Fixture.input.with { $0.methodAndPayload = .options(payload: nil) }),
        (
            "GET with a payload",
            Fixture.input.with { $0.methodAndPayload = .custom(method: "GET", payload: Either.text("a").right) }
        ),
        ("a stream", Fixture.input.with { $0.delivery = .stream }), ("a file", Fixture.input),
    ]

    @Test("requests with another method, a payload, a stream or a file pass through", arguments: unshared)
    func passesThrough(_ name: String, _ input: Input) async throws {
        try await withFolder { folder async throws in
            let connector = sharing()
            let input = name == "a file" ? input.with { $0.delivery = .file(folder.appending(path: "f")) } : input
            let (first, second) = (call(connector, of: input), call(connector, of: input))
            await begun(2)
            for number in [1, 2] { calls.end(number) }
            for caller in [first, second] { #expect(await caller.value.response != nil) }
            #expect(try names(in: folder) == (name == "a file" ? ["f"] : []))
        }
    }

    // Leaving.

    @Test(
        "a cancelled caller ends at once, whether it began the call or not, and the others get the output",
        arguments: [0, 1, 2]
    )
    func leaving(_ index: Int) async {
        var callers = await leaderAndFollowers(2, sharing())
        let left = callers.remove(at: index)
        left.cancel()
        #expect(await left.value == .noResponse(.cancelled))
        calls.end(1)
        for caller in callers { #expect(await caller.value == .text("1")) }
        #expect(calls.cancelled.elements.isEmpty)
    }

    @Test("when the last caller leaves, the inner call is cancelled, and the next caller begins a new one")
    func lastLeaves() async {
        let connector = sharing()
        let callers = await leaderAndFollowers(2, connector)
        for caller in callers { caller.cancel() }
        for caller in callers { #expect(await caller.value == .noResponse(.cancelled)) }
        calls.end(2)
        #expect(await call(connector).value == .text("2"))
        await eventually { calls.cancelled.elements == [1] }
    }

    // Writing.

    @Test("after a request with an unsafe method, nobody joins a call that began before its end (RFC 9110 9.2.1)")
    func unsafe() async {
        for (method, isSafe) in [("POST", false), ("QUERY", true)] {
            let (calls, log) = (NumberedCalls(), EventLog())
            let connector = calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight())
            let old = call(connector)
            await eventually { calls.begun.elements.count == 1 }
            calls.end(2)
            let payload = Either.text("a").right
            let input = Fixture.input.with { $0.methodAndPayload = .custom(method: method, payload: payload) }
            #expect(await call(connector, of: input).value == .text("2"))
            let new = call(connector)
            await eventually { calls.begun.elements.count == 3 || log.names.contains("shared") }
            calls.end(3)
            calls.end(1)
            #expect(await new.value == .text(isSafe ? "1" : "3"))
            #expect(await old.value == .text("1"))
        }
    }

    // The context of a shared call: time limits, groups and events of several callers.

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

    @Test("a time limit inside is not shortened by that of the caller that began the inner call")
    func innerLimit() async {
        let inner = Wrapper.timeout(.seconds(20), clock: clock)
        let shared = calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight(), inner)
        let short = call(shared.wrapped(by: .timeout(.seconds(5), clock: clock)))
        await begun(1)
        let unlimited = call(shared)
        await joined()
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(5))
        #expect(await short.value.connectionError?.name == "timedOut")
        #expect(clock.remaining == [.seconds(15)])
        calls.end(1)
        #expect(await unlimited.value == .text("1"))
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
        let (limit, context) = (ClosedLimit(), CallContext(reportingTo: nil))
        var limited = context
        limited.limit(by: limit)
        let call = SharedCall(for: limited)
        #expect(call.join(limited) != nil)
        #expect(!call.isAbandoned)
        limit.isClosed.withLock { $0 = true }
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
            context.report(TestEvent("inner"))
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
