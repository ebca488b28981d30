import Foundation
import StartSmallCore
import StartSmallTesting
import Testing

/// What wrappers of the kit do, done by the public API of the core alone.
@Suite(.timeLimit(.minutes(1))) struct PublicAPITests {
    private static let ok = Response(statusCode: .ok, headers: [:], payload: Data("a".utf8))
    private let clock = ManualClock()
    private let input = Input(url: URL(string: "https://api.example.com/things")!)

    @Test("a time limit ends a call that ignores cancellation, and the inside knows the time that is left")
    func timeout() async {
        let (left, begun, never) = (Recorder<Duration?>(), Latch(), Latch())
        let connector = Connector { _, context in
            left.append(context.remainingTime)
            begun.open()
            await Task.detached { await never.wait() }.value
            return .hasResponse(Self.ok)
        }
        .wrapped(by: .smallTimeout(.seconds(10), clock: clock), .smallTimeout(.seconds(20), clock: clock))
        async let output = WebAPI.call(with: input, via: connector)
        await begun.wait()
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(10))
        #expect(await output == .noResponse(.timedOut(.timeIsOver(limit: .seconds(10)))))
        #expect(left.elements == [.seconds(10)])
        never.open()
    }

    @Test("an abandoned call sends nothing, and is made once", arguments: [false, true])
    func once(isAbandoned: Bool) async {
        let sent = Recorder<Input>()
        let twice = Wrapper { input, next in
            let call = AbandonableCall()
            if isAbandoned { call.abandon(.missingCredentials(debugInfo: "a")) }
            let first = await call.output(of: input, next)
            #expect(await call.output(of: input, next) == .noResponse(.cancelled))
            return first
        }
        let connector = Connector.stub(.hasResponse(Self.ok), recording: sent).wrapped(by: twice)
        let output = await WebAPI.call(with: input, via: connector)
        #expect(output == (isAbandoned ? .noResponse(.missingCredentials(debugInfo: "a")) : .hasResponse(Self.ok)))
        #expect(sent.elements.count == (isAbandoned ? 0 : 1))
    }

    @Test("a time limit ends a body that is still to be read")
    func body() async {
        let chunks = AsyncStream<Data>.makeStream()
        let connector = Connector { _ in
            let body = ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in
                for await chunk in chunks.stream { return chunk }
                return nil
            })
            var response = Response(statusCode: .ok)
            response.content = .body(body)
            return .hasResponse(response)
        }
        .wrapped(by: .smallTimeout(.seconds(10), clock: clock))
        let output = await WebAPI.call(with: input.with { $0.delivery = .stream }, via: connector)
        let end = Recorder<ResponseBody.End>()
        output.onEnd { end.append($0) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        while end.elements.isEmpty { await Task.yield() }
        guard case .failed(.timedOut(let cause)) = end.elements[0] else {
            return #expect(Bool(false), "\(end.elements)")
        }
        #expect(cause.text == "timed out after 10.0 seconds")
        chunks.continuation.finish()
    }

    @Test("redirects are followed up to a limit, without credentials to another origin, and reported")
    func redirect() async {
        let (sent, log) = (Recorder<Input>(), EventLog())
        let engine = Connector { input, context in
            sent.append(input)
            #expect(context.followsRedirects)
            let host = input.url.host ?? ""
            return .hasResponse(
                host == "c.example.com"
                    ? Self.ok : Response(statusCode: .found, headers: ["Location": "https://c.example.com/\(host)"])
            )
        }
        let request = input.with { $0.headers = ["Authorization": "Bearer secret", "Accept": "text/plain"] }
        let connector = engine.wrapped(by: .listen(to: log.listener), .smallRedirect(limit: 1))
        let output = await WebAPI.call(with: request, via: connector)
        #expect(output.response?.redirections.map(\.to.absoluteString) == ["https://c.example.com/api.example.com"])
        #expect(sent.elements.map(\.headers) == [request.headers, ["Accept": "text/plain"]])
        #expect(log.events.compactMap { $0.reported(Followed.self)?.redirection } == output.response?.redirections)
        let refused = await WebAPI.call(with: request, via: engine.wrapped(by: .smallRedirect(limit: 0)))
        #expect(refused.connectionError?.refusal(SmallLimit.self) != nil && refused.response == nil)
    }

    @Test("equal requests in flight share an inner call, which has the longest time of its callers")
    func shareInFlight() async {
        let (contexts, begun, answer) = (Recorder<CallContext>(), Latch(), Latch())
        let shared = Connector { _, context in
            contexts.append(context)
            begun.open()
            await answer.wait()
            return .hasResponse(Self.ok)
        }
        .wrapped(by: .smallShareInFlight())
        let limited = shared.wrapped(by: .smallTimeout(.seconds(10), clock: clock))
        async let first = WebAPI.call(with: input, via: limited)
        await begun.wait()
        #expect(contexts.elements.first?.remainingTime == .seconds(10))
        async let second = WebAPI.call(with: input, via: shared)
        while contexts.elements.first?.remainingTime != nil { await Task.yield() }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await first.connectionError?.name == "timedOut")
        #expect(contexts.elements.first?.isOver == false)
        answer.open()
        #expect(await second == .hasResponse(Self.ok))
        #expect(contexts.elements.count == 1)
    }
}
