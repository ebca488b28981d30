import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

/// The Swift blocks on the order of wrappers in Sources/StartSmall/StartSmall.docc/Wrappers.md.
struct OrderExamples {
    private let stub = Connector.stub(.text("Design for failure."))
    private let token = "secret"

    @Test("a wrong order is found, and a right one has no finding")
    func wrong() throws {
        let wrong = Connector.standard(over: stub).wrapped(by: .retry(), .idempotencyKey(), .bearer(token))
        let finding = try #require(wrong.check().first)

        #expect([finding.outer, finding.inner] == ["retry", "idempotencyKey"])

        let app = Connector.standard(over: stub).wrapped(by: .idempotencyKey(), .retry(), .bearer(token))
        #expect(app.check() == [])
    }

    @Test("a custom wrapper is checked by a rule of the app")
    func custom() async {
        let server = URL(string: "https://api.example.com")!
        let sent = Recorder<Input>()
        let signing = Wrapper.signed { $0.url.path() }
        let app = stub.wrapped(by: .baseURL(server), signing)

        let rule = OrderRule(["signed"], outsideOf: ["baseURL"], "it signs the URL, which is changed after that")
        #expect(app.check(by: OrderRule.all + [rule]) == [])

        #expect(stub.wrapped(by: signing, .baseURL(server)).check(by: [rule]).map(\.reason) == [rule.reason])
        #expect(await WrapperLaws { .signed { $0.url.path() } }.violations() == [])
        _ = await WebAPI.call(with: Input(url: server), via: .stub(.status(.ok), recording: sent).wrapped(by: signing))
        #expect(sent.elements.first?.headers["X-Signature"] == "")
    }

    @Test("a dry run is the request that would be sent")
    func dryRun() async {
        let input = Input(url: URL(string: "https://api.example.com/zen")!)
        let app = Connector.standard(over: stub).wrapped(by: .bearer(token))

        let request = await app.dryRun(input).request

        #expect(request?.headers["Authorization"] == "Bearer secret")
    }
}

extension Wrapper {
    static func signed(by sign: @escaping @Sendable (Input) -> String) -> Wrapper {
        Wrapper("signed") { input, next in
            await next(input.with { $0.headers["X-Signature"] = sign(input) })
        }
    }
}

/// The Swift blocks on custom wrappers and engines in Wrappers.md and Engines.md of Sources/StartSmall/StartSmall.docc.
@Suite(.timeLimit(.minutes(1))) struct OwnWrapperExamples {
    private let phrase = Output.text("Design for failure.")
    private let zen = Endpoint.text(.get("https://api.example.com/zen"))
    private let url = URL(string: "https://api.example.com/zen")!

    @Test("a wrapper refuses a request with a reason, reports an event, and the call is not retried")
    func refusing() async {
        let (log, sent) = (EventLog(), Recorder<Input>())
        let nextMonth = Date(timeIntervalSince1970: 0)
        let connector = Connector.stub(phrase, recording: sent)
            .wrapped(by: .listen(to: log.listener), .retry(random: { 0 }), .quota({ false }, until: nextMonth))

        let fetched = await zen.fetch(via: connector)

        #expect(fetched.connectionError?.refusal(QuotaUsedUp.self)?.end == .at(nextMonth))
        #expect(fetched.connectionError?.description == "quotaUsedUp: the quota of this month is used up")
        #expect(sent.elements.isEmpty)
        #expect(log.names == ["started", "overQuota", "noResponse", "failed", "ended"])
        #expect(log.events[1] == .reported(OverQuota(path: "/zen")))
    }

    @Test("a wrapper reads an option that the caller set for one request")
    func option() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(phrase, recording: sent).wrapped(by: .tenant)

        let input = Input(url: url).with { $0.options[Tenant.self] = "acme" }

        for input in [input, Input(url: url)] { _ = await WebAPI.call(with: input, via: connector) }
        #expect(sent.elements.map { $0.headers["X-Tenant"] } == ["acme", nil])
    }

    @Test("a wrapper refuses what would take too long without a stream, before it is sent")
    func streamedIfLong() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(phrase, recording: sent).wrapped(by: .streamedIfLong)
        for (tokens, delivery, count) in [(20_001, Delivery.memory, 0), (20_001, .stream, 1), (20_000, .memory, 2)] {
            let input = Input(url: url, delivery: delivery).with { $0.options[MaxTokens.self] = tokens }
            let output = await WebAPI.call(with: input, via: connector)
            #expect(sent.elements.count == count)
            #expect((output.connectionError?.refusal(RequestRefused.self) != nil) == (count == 0))
        }
    }

    @Test("the attempts of a call are numbered by its value")
    func attempts() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.noResponse(.cancelled), recording: sent).wrapped(
            by: Wrapper { input, next in
                _ = await next(input)
                return await next(input)
            },
            .numbered
        )
        for _ in 0..<2 { _ = await WebAPI.call(with: Input(url: url), via: connector) }
        #expect(sent.elements.map { $0.headers["X-Attempt"] } == ["1", "2", "1", "2"])
    }

    @Test("a streaming wrapper counts bytes as they arrive, of any delivery")
    func counting() async throws {
        let counts = Recorder<Int>()

        let counting = Wrapper.streaming { input, next in
            await next(input).mapBody { body in
                body.map { bytes in
                    counts.append(bytes.count)
                    return bytes
                }
            }
        }

        let connector = Connector.stub(phrase).wrapped(by: counting)
        #expect(await zen.fetch(via: connector).right == "Design for failure.")
        #expect(counts.elements == [19])
        let streamed = Input(url: url, delivery: .stream)
        let body = try #require(await WebAPI.call(with: streamed, via: connector).response?.body)
        #expect(counts.elements == [19])
        while try await body.next() != nil {}
        #expect(counts.elements == [19, 19])
    }

    @Test("a wrapper with a state of its own counts a call until the end of its body")
    func counted() async {
        let connector = Connector.stub(phrase).wrapped(by: .atMost(1))
        let open = await WebAPI.call(with: Input(url: url, delivery: .stream), via: connector)
        #expect(await zen.fetch(via: connector).connectionError == .requestRefused(reason: "1 call is running"))

        open.response?.body?.discard()

        #expect(await zen.fetch(via: connector).right == "Design for failure.")
        #expect(await zen.fetch(via: connector).right == "Design for failure.")
    }

    @Test("an engine returns a response whose payload is still to be read", arguments: [false, true])
    func engine(isRead: Bool) async throws {
        let client = Client()

        let engine = Connector { input in
            do throws(ConnectionError) {
                let transfer = try await client.send(try ValidatedRequest.from(input).get())
                var response = Response(statusCode: transfer.status)
                response.content = .body(ResponseBody(pulling: transfer.receive, abort: transfer.cancel))
                return .hasResponse(response)
            } catch {
                return .noResponse(error)
            }
        }

        if isRead { #expect(await zen.fetch(via: engine).right == "Design for failure.") }
        #expect(client.cancelled.elements.isEmpty)
        _ = await WebAPI.call(with: Input(url: url, delivery: .stream), via: engine)
        #expect(client.cancelled.elements == [true])
    }
}

enum Tenant: RequestOption {
    typealias Value = String
}

extension Wrapper {
    static let tenant = Wrapper("tenant") { input, next in
        await next(input.with { $0.headers["X-Tenant"] = $0.options[Tenant.self] ?? $0.headers["X-Tenant"] })
    }
}

enum MaxTokens: RequestOption {
    typealias Value = Int
}

extension Wrapper {
    static let streamedIfLong = Wrapper("streamedIfLong") { input, next in
        let tokens = input.options[MaxTokens.self] ?? 0
        guard tokens > 20_000, input.delivery == .memory else { return await next(input) }
        return .noResponse(.requestRefused(reason: "\(tokens) tokens take minutes: stream the answer"))
    }
}

final class Attempts: CallValue {
    let count = Atomic(0)
}

extension Wrapper {
    static let numbered = Wrapper("numbered", perCall: Attempts.self) { input, next, attempts in
        let number = attempts.count.add(1, ordering: .relaxed).newValue
        return await next(input.with { $0.headers["X-Attempt"] = "\(number)" })
    }
}

struct QuotaUsedUp: Refusal {
    let name = "quotaUsedUp"
    let reason = "the quota of this month is used up"
    let end: RefusalEnd
}

struct OverQuota: ReportedEvent {
    let path: String
    var name: String { "overQuota" }
}

extension Wrapper {
    static func quota(_ take: @escaping @Sendable () -> Bool, until nextMonth: Date) -> Wrapper {
        Wrapper("quota") { input, next in
            if take() { return await next(input) }
            next.report(OverQuota(path: input.url.path()))
            return .noResponse(.refused(QuotaUsedUp(end: .at(nextMonth))))
        }
    }
}

extension Wrapper {
    /// Refuses a call while this many calls through the same connector run.
    static func atMost(_ limit: Int) -> Wrapper {
        Wrapper("atMost") { inner in
            let running = Mutex(0)
            return inner.wrapped(
                by: Wrapper { input, next in
                    let isFree = running.withLock { count in
                        guard count < limit else { return false }
                        count += 1
                        return true
                    }
                    guard isFree else { return .noResponse(.requestRefused(reason: "\(limit) call is running")) }
                    return await next(input).onEnd { _ in running.withLock { $0 -= 1 } }
                }
            )
        }
    }
}

/// A client of another kit, whose transfers are read piece by piece.
private struct Client: Sendable {
    struct Transfer: Sendable {
        let status = HTTPStatus.ok
        let receive: @Sendable () async throws(ConnectionError) -> Data?
        let cancel: @Sendable () -> Void
    }

    let cancelled = Recorder<Bool>()

    func send(_ request: ValidatedRequest) async throws(ConnectionError) -> Transfer {
        let pieces = Recorder<Data>()
        return Transfer(
            receive: { () async throws(ConnectionError) -> Data? in
                guard pieces.elements.isEmpty else { return nil }
                pieces.append(Data("Design for failure.".utf8))
                return pieces.elements.first
            },
            cancel: { [cancelled] in cancelled.append(true) }
        )
    }
}
