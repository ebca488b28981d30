import Foundation
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

/// A connector whose calls wait for a latch each, or for their cancellation, and answer with their number.
struct NumberedCalls: Sendable {
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

    private func sharing(ignoring names: Set<String> = []) -> Connector {
        calls.connector.wrapped(by: .listen(to: log.listener), .shareInFlight(ignoring: names))
    }

    private func call(_ input: Input = Fixture.input, _ connector: Connector) -> Task<Output, Never> {
        Task { await WebAPI.call(with: input, via: connector) }
    }

    private func begun(_ count: Int) async { await eventually { calls.begun.elements.count == count } }

    /// Waits until this many callers have joined another one's call.
    private func joined(_ count: Int) async {
        await eventually { log.names.filter { $0 == "shared" }.count == count }
    }

    /// Returns a caller that has begun a call, and some that have joined it.
    private func leaderAndFollowers(_ count: Int, _ connector: Connector) async -> [Task<Output, Never>] {
        let leader = call(Fixture.input, connector)
        await begun(1)
        let followers = (0..<count).map { _ in call(Fixture.input, connector) }
        await joined(count)
        return [leader] + followers
    }

    // What is shared.

    @Test("a thousand identical calls at once make one inner call, and get its output")
    func thousand() async {
        let callers = await leaderAndFollowers(999, sharing())
        calls.end(1)
        for caller in callers { #expect(await caller.value == .text("1")) }
        #expect(calls.begun.elements.count == 1)
    }

    /// Returns the outputs of callers that share one call, of which the first may leave before its output.
    private func outputs(_ count: Int, of output: Output, firstLeaves: Bool = false) async -> [Output] {
        let (reached, ended) = (Latch(), Latch())
        let server = Connector { _ in
            reached.open()
            await ended.wait()
            return output
        }.wrapped(by: .listen(to: log.listener), .shareInFlight())
        var callers = [call(Fixture.input, server)]
        await reached.wait()
        for number in 1..<count {
            callers.append(call(Fixture.input, server))
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
        let (first, second) = (call(base, connector), call(other, connector))
        await begun(2)
        calls.end(1)
        calls.end(2)
        #expect(Set([await first.value, await second.value]) == [.text("1"), .text("2")])
    }

    @Test("ignored fields may differ, in any case of their names, and those of the first caller are sent")
    func ignored() async {
        let connector = sharing(ignoring: ["x-REQUEST-id"])
        let first = call(Fixture.input.with { $0.headers["X-Request-ID"] = "1" }, connector)
        await begun(1)
        let second = call(Fixture.input.with { $0.headers["x-request-id"] = "2" }, connector)
        await joined(1)
        calls.end(1)
        #expect(await first.value == .text("1"))
        #expect(await second.value == .text("1"))
        #expect(calls.begun.elements.map { $0.headers["X-Request-ID"] } == ["1"])
    }

    @Test("credentials are never ignored", arguments: ["Authorization", "Cookie", "X-API-Key"])
    func identities(_ name: String) async {
        let connector = sharing(ignoring: [name])
        let one = call(Fixture.input.with { $0.headers[name] = "one" }, connector)
        let other = call(Fixture.input.with { $0.headers[name] = "other" }, connector)
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
            let (first, second) = (call(input, connector), call(input, connector))
            await begun(2)
            calls.end(1)
            calls.end(2)
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
        #expect(await call(Fixture.input, connector).value == .text("2"))
        await eventually { calls.cancelled.elements == [1] }
    }

    // Writing.

    @Test("after a request with an unsafe method, nobody joins a call that began before its end (RFC 9110 9.2.1)")
    func unsafe() async {
        let connector = sharing()
        let old = call(Fixture.input, connector)
        await begun(1)
        calls.end(2)
        let post = Fixture.input.with { $0.methodAndPayload = .post(payload: nil) }
        #expect(await call(post, connector).value == .text("2"))
        let new = call(Fixture.input, connector)
        await begun(3)
        calls.end(3)
        #expect(await new.value == .text("3"))
        calls.end(1)
        #expect(await old.value == .text("1"))
    }

    @Test("after a request with a safe method, calls that began before its end are joined", arguments: ["QUERY"])
    func safe(_ method: String) async {
        let connector = sharing()
        let old = call(Fixture.input, connector)
        await begun(1)
        calls.end(2)
        let payload = Either.text("a").right
        let query = Fixture.input.with { $0.methodAndPayload = .custom(method: method, payload: payload) }
        #expect(await call(query, connector).value == .text("2"))
        let joining = call(Fixture.input, connector)
        await joined(1)
        calls.end(1)
        for caller in [old, joining] { #expect(await caller.value == .text("1")) }
    }
}
