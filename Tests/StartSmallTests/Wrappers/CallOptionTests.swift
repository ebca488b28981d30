import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallOptionTests {
    private enum Tenant: RequestOption { typealias Value = String }

    private static func tenant(_ name: String) -> CallOption { CallOption(Tenant.self, name) }

    private let sent = Recorder<Input>()

    private var server: Connector { .stub(.status(.serviceUnavailable), recording: sent) }

    private var tenants: [String?] { sent.elements.map { $0.options[Tenant.self] } }

    @Test("a choice at the call counts before that of the endpoint, and that before the later default")
    func precedence() async {
        let app = server.with(defaults: Self.tenant("old")).with(defaults: Self.tenant("new"))
        let endpoint = Fixture.endpoint.with(Self.tenant("endpoint"))
        _ = await endpoint.fetch(via: app, options: [Self.tenant("first"), Self.tenant("call")])
        _ = await endpoint.fetch(via: app)
        _ = await Fixture.endpoint.fetch(via: app)
        let calls = Fixture.endpoint.flatMap { _ in endpoint }
        let answering = Connector.stub(.text("ok"), recording: sent).with(defaults: Self.tenant("new"))
        _ = await calls.fetch(via: answering, options: [Self.tenant("both")])
        #expect(tenants == ["call", "endpoint", "new", "both", "endpoint"])
    }

    @Test("a connector that a wrapper calls has its own defaults, unless the caller has chosen")
    func nested() async {
        let inner = server.with(defaults: Self.tenant("inner"))
        let app = Connector { input, context in await inner.connect(input, context) }
            .wrapped(by: .log(print: { _ in })).with(defaults: Self.tenant("outer"))
        _ = await Fixture.endpoint.fetch(via: app)
        _ = await Fixture.endpoint.fetch(via: app, options: [Self.tenant("call")])
        #expect(tenants == ["inner", "call"])
    }

    @Test("wrappers keep defaults, wherever they stand")
    func wrapped() async {
        let other = Wrapper("other") { inner in Connector { input, context in await inner.connect(input, context) } }
        for app in [
            server.with(defaults: Self.tenant("a")).wrapped(by: other),
            server.wrapped(by: other).with(defaults: Self.tenant("a")),
            server.wrapped(by: Wrapper("defaults") { inner in inner.with(defaults: Self.tenant("a")) }),
        ] { _ = await Fixture.endpoint.fetch(via: app) }
        #expect(tenants == ["a", "a", "a"])
    }

    @Test(
        "the number of retries is that of the caller, also a larger one",
        arguments: [(nil, 3), (0, 1), (1, 2), (5, 6)] as [(Int?, Int)]
    )
    func retries(count: Int?, attempts: Int) async {
        let policy = RetryPolicy.exponential(baseDelay: .zero)
        let app = server.wrapped(by: .retry(policy, budget: .unlimited, random: { 0 }))
        _ = await Fixture.endpoint.fetch(via: app, options: count.map { [.retries($0)] } ?? [])
        #expect(sent.elements.count == attempts)
    }

    @Test("a backoff that decides itself is only cut")
    func ownBackoff() async {
        let app = server.wrapped(by: .retry(RetryPolicy(backoff: Backoff { $0.number < 3 ? .zero : nil })))
        for count in [1, 9] { _ = await Fixture.endpoint.fetch(via: app, options: [.retries(count)]) }
        #expect(sent.elements.count == 2 + 3)
    }

    @Test(
        "an option that is out of its range ends the call before anything is sent",
        arguments: [
            .timeLimit(.zero), .timeLimit(.seconds(-1)), .timeLimit(.seconds(367 * 86_400)), .attemptTimeLimit(.zero),
            .retries(-1), .retries(101), .retries(.max), .payloadLimit(-1), .idempotencyKey(""),
            .idempotencyKey("a b"), .idempotencyKey("a\"b"), .idempotencyKey("é"),
            .idempotencyKey(String(repeating: "a", count: 256)),
        ] as [CallOption]
    )
    func outOfRange(option: CallOption) async {
        for fetched in [
            await Fixture.endpoint.fetch(via: server, options: [option]),
            await Fixture.endpoint.fetch(via: server.with(defaults: option)),
            await Fixture.endpoint.zip(Fixture.endpoint).map(\.0).fetch(via: server, options: [option]),
        ] { #expect(fetched.connectionError?.refusal(RequestRefused.self) != nil) }
        #expect(sent.elements.isEmpty)
    }

    @Test("an idempotency key is sent in place of a random one, and names one call")
    func idempotencyKey() async {
        let app = server.wrapped(by: .idempotencyKey(), .retry(.exponential(baseDelay: .zero), budget: .unlimited))
        let order = Endpoint.text(.post("https://api.example.com/orders"))
        _ = await order.fetch(via: app, options: [.idempotencyKey("order-1")])
        #expect(sent.elements.map { $0.headers["Idempotency-Key"] } == ["\"order-1\"", "\"order-1\"", "\"order-1\""])
        let own = CallOption.idempotencyKey("order-1", header: "Order-Key", quoted: false)
        _ = await order.fetch(via: server, options: [own])
        #expect(sent.elements.last?.headers["Order-Key"] == "order-1")
        #expect(await order.fetch(via: app.with(defaults: own)).connectionError?.refusal(RequestRefused.self) != nil)
        #expect(sent.elements.count == 4)
    }

    @Test("a payload limit applies beside that of the connector, of which the smaller one counts")
    func payloadLimit() async {
        let app = Connector.stub(.text("hello")).wrapped(by: .limitPayload(bytes: 4))
        let limits = [(nil, 4), (2, 2), (9, 4)] as [(Int?, Int)]
        for (limit, expected) in limits {
            let options = limit.map { [CallOption.payloadLimit($0)] } ?? []
            let error = await Fixture.endpoint.fetch(via: app, options: options).connectionError
            let isLimit = if case .payloadTooLarge(_, expected)? = error { true } else { false }
            #expect(isLimit, "\(error?.description ?? "no error")")
        }
        let byDefault = Connector.stub(.text("hello")).with(defaults: .payloadLimit(2))
        #expect(await Fixture.endpoint.fetch(via: byDefault, options: [.payloadLimit(9)]).right == "hello")
        #expect(await Fixture.endpoint.fetch(via: byDefault.with(defaults: .payloadLimit(9))).right == "hello")
        let both = CompositeCall(Fixture.endpoint)
        #expect(await both.fetch(via: byDefault, options: [.payloadLimit(9)]).right == "hello")
        let set = Fixture.endpoint.with { $0.payloadLimit = 9 }
        #expect(await set.fetch(via: byDefault).right == "hello")
        #expect(await byDefault.dryRun(Fixture.endpoint).unreadOptions == [])
    }

    @Test("a call of a cancelled task with options reaches no wrapper")
    func cancelled() async {
        let app = server.wrapped(
            by: Wrapper { [sent] input, next in
                sent.append(input)
                return await next(input)
            }
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Fixture.endpoint.fetch(via: app, options: [.retries(0)])
        }
        #expect(await task.value.connectionError == .cancelled)
        #expect(sent.elements.isEmpty)
    }

    @Test("a log writes of a call what its caller has chosen")
    func logVerbosity() async {
        let lines = Recorder<String>()
        let app = server.wrapped(by: .log(print: { lines.append($0) }))
        let call = Fixture.endpoint.with { $0.headers["A"] = "b" }
        _ = await call.fetch(via: app, options: [.logVerbosity(.off)])
        #expect(lines.elements.isEmpty)
        _ = await call.fetch(via: app, options: [.logVerbosity(.headers)])
        #expect(lines.elements.contains { $0.contains("A: b") })
    }

    @Test("one call and several calls return their value, and throw their error")
    func value() async throws {
        let app = Connector.stub(.text("hi"))
        #expect(try await CompositeCall(Fixture.endpoint).value(via: app, options: [.retries(0)]) == "hi")
        await #expect(throws: (any Error).self) { try await Fixture.endpoint.value(via: app, options: [.retries(-1)]) }
    }

    @Test("a dry run names the options that no wrapper reads")
    func unread() async {
        let call = Fixture.endpoint.with(
            .retries(1),
            Self.tenant("a"),
            .timeLimit(.seconds(1)),
            .attemptTimeLimit(.seconds(1)),
            .logVerbosity(.line)
        )
        #expect(await server.dryRun(call).unreadOptions == ["Tenant", "attemptTimeLimit", "logVerbosity", "retries"])
        let app = server.wrapped(by: .log(), .retry(), .timeout(.seconds(9)))
        #expect(await app.dryRun(call).unreadOptions == ["Tenant"])
        #expect(await app.with(defaults: Self.tenant("a")).dryRun(Fixture.endpoint).unreadOptions == ["Tenant"])
        let calling = Connector { [server] input, context in await server.connect(input, context) }.wrapped(
            by: .retry()
        )
        #expect(await calling.dryRun(Fixture.endpoint.with(.retries(1))).unreadOptions == [])
        #expect(await app.dryRun(Fixture.endpoint.with(.retries(-1))).unreadOptions == nil)
    }
}
