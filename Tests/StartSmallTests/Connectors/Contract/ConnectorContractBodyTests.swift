import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// The end of an open body is the end of its transfer, whoever brings it about.
    @Suite("contract of engines: bodies", .timeLimit(.minutes(2))) struct BodyTests {
        private static let half = "HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 10\r\n\r\nhello"

        @Test("after a body that is released behind its last chunk, a call succeeds", arguments: EngineUnderTest.all)
        func releasedLate(engine: EngineUnderTest) async throws {
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 2\r\n\r\nhi"),
            ]
            try await LoopbackServer.playing({ _ in steps + steps }) { server in
                let connector = engine.connector()
                for _ in 0..<2 {
                    let response = try await engine.open(server, via: connector)
                    #expect(try await response.body?.next() == Data("hi".utf8))
                }
            }
        }

        private enum End: CaseIterable, Sendable { case interruptUnread, interruptPending, cancelPending }

        @Test(
            "an end from outside reaches the reader within 100 ms, pending or not, and the connection is closed",
            arguments: EngineUnderTest.all,
            End.allCases
        )
        private func ended(engine: EngineUnderTest, by end: End) async throws {
            try await expectOnTime(.zero, lateness: .milliseconds(100)) {
                let closed = Latch()
                try await engine.withOpen([.send(Self.half), .waitForClose, .open(closed)]) { response in
                    let body = try #require(response.body)
                    let reader = end == .interruptUnread ? nil : Task { await body.rest() }
                    for _ in 0..<100 { await Task.yield() }
                    if end == .cancelPending { reader?.cancel() } else { body.weak.interrupt(with: Fixture.lost) }
                    await closed.wait()
                    let error = if let reader { await reader.value } else { await body.rest() }
                    #expect(error == (end == .cancelPending ? .cancelled : Fixture.lost))
                }
            }
        }

        @Test("of two readers, one gets an error, and the other one the bytes", arguments: EngineUnderTest.all)
        func twoReaders(engine: EngineUnderTest) async throws {
            let rest = Latch()
            try await engine.withOpen([.send(Self.half), .wait(rest), .send("world")]) { response in
                let body = try #require(response.body)
                #expect(try await body.next() == Data("hello".utf8))
                let (refused, other) = await withTaskGroup { group in
                    for _ in 0..<2 { group.addTask { await body.read() } }
                    // The server is silent, so that only the second reader can have a result now.
                    let refused = await group.next()
                    rest.open()
                    return (refused, await group.next())
                }
                guard case .failure(.other)? = refused else { throw Unexpected(refused as Any) }
                #expect(other == .success(Data("world".utf8)))
                #expect(try await body.next() == nil)
            }
        }

        @Test("a body is read on any actor, also on several in turn", arguments: EngineUnderTest.all)
        func actors(engine: EngineUnderTest) async throws {
            let rest = Latch()
            try await engine.withOpen([.send(Self.half), .wait(rest), .send("world")]) { response in
                let body = try #require(response.body)
                #expect(try await Reader().next(of: body) == Data("hello".utf8))
                rest.open()
                #expect(try await Self.nextOnMainActor(of: body) == Data("world".utf8))
                #expect(try await body.next() == nil)
            }
        }

        @MainActor private static func nextOnMainActor(of body: ResponseBody) async throws -> Data? {
            try await body.next()
        }

        @Test(
            "a response that arrives after the end of its call is discarded, and its connection closed",
            arguments: EngineUnderTest.all,
            [[], [Wrapper.timeout(.seconds(600))]]
        )
        func late(engine: EngineUnderTest, wrappers: [Wrapper]) async throws {
            let (asked, isOver, closed) = (Latch(), Latch(), Latch())
            let steps: [ServerScriptStep] = [
                .receiveRequest, .open(asked), .wait(isOver), .send(Self.half), .waitForClose, .open(closed),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let inner = engine.connector()
                // The task in between does not learn of the cancellation.
                let ignoring = Connector { input, context in await Task { await inner.connect(input, context) }.value }
                let input = Input(url: server.url, delivery: .stream)
                let connector = ignoring.wrapped(by: wrappers)
                let call = Task { await WebAPI.call(with: input, via: connector) }
                await asked.wait()
                call.cancel()
                isOver.open()
                #expect(await call.value == .noResponse(.cancelled))
                await closed.wait()
            }
        }

        @Test(
            "calls that are cancelled at random moments, and whose bodies are dropped, leave no connection open",
            arguments: EngineUnderTest.all
        )
        func cancelStorm(engine: EngineUnderTest) async throws {
            try await engine.check(.cancelStorm) {
                let steps: [ServerScriptStep] = [.receiveRequest, .send(Self.half), .waitForClose]
                try await LoopbackServer.playing({ _ in steps }) { server in
                    // A connection that stays open would keep the last call waiting.
                    let options = ConnectionOptions(idleTimeout: .seconds(30), maxConnectionsPerHost: 4)
                    let connector = engine.makeWith(options)
                    let input = Input(url: server.url, delivery: .stream)
                    await withDiscardingTaskGroup { group in
                        for _ in 0..<(isExhaustive ? 2000 : 200) {
                            group.addTask {
                                let call = Task { await WebAPI.call(with: input, via: connector) }
                                for _ in 0..<Int.random(in: 0..<200) { await Task.yield() }
                                call.cancel()
                                _ = await call.value
                            }
                        }
                    }
                    for _ in 0..<8 {
                        let output = await WebAPI.call(with: input, via: connector)
                        #expect(output.response?.body != nil, "\(output)")
                    }
                }
            }
        }

        @Test(
            "a silent server times out while nobody reads; the next read has the error",
            arguments: EngineUnderTest.all
        )
        func silent(engine: EngineUnderTest) async throws {
            let closed = Latch()
            try await engine.withOpen([.send(Self.half), .waitForClose, .open(closed)], idle: .seconds(1)) { response in
                let body = try #require(response.body)
                await closed.wait()
                #expect(try await body.next() == Data("hello".utf8))
                let error = await #expect(throws: ConnectionError.self) { try await body.next() }
                #expect(error?.name == "timedOut")
                #expect(error?.response?.statusCode == .ok)
                #expect(error?.response?.body == nil)
            }
        }

        @Test("a request that is still being sent goes on until the body ends", arguments: EngineUnderTest.all)
        func upload(engine: EngineUnderTest) async throws {
            try await engine.check(.earlyResponse) {
                let (begun, isOpen, produced, cancelled) = (Latch(), Latch(), Latch(), Latch())
                let stream = PayloadStream { writer in
                    try await writer.write(Data("a".utf8))
                    begun.open()
                    await isOpen.wait()
                    try await writer.write(Data("b".utf8))
                    produced.open()
                    await Latch().wait()
                    cancelled.open()
                }
                let payload = Payload(.stream(stream), mediaType: nil)
                let steps: [ServerScriptStep] = [.wait(begun), .send(Self.half), .waitForClose]
                try await LoopbackServer.playing({ _ in [.receiveHead] + steps }) { server in
                    var response: Response? = try await engine.open(server, .put(payload: payload))
                    #expect(try await response?.body?.next()?.isEmpty == false)
                    isOpen.open()
                    await produced.wait()
                    response?.body?.discard()
                    response = nil
                    await cancelled.wait()
                }
            }
        }
    }
}

/// A reader with an executor of its own.
private actor Reader {
    func next(of body: ResponseBody) async throws(ConnectionError) -> Data? { try await body.next() }
}

extension ResponseBody {
    /// Reads all bytes, and returns the error after them; nil if there is none.
    fileprivate func rest() async -> ConnectionError? {
        do throws(ConnectionError) { while try await next() != nil {} } catch { return error }
        return nil
    }
}

extension EngineUnderTest {
    /// Returns the response of a server, of a stream whose body is open if it is a success.
    func open(
        _ server: LoopbackServer,
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        limit: Int? = nil,
        idle: Duration = .seconds(30),
        via connector: Connector? = nil
    ) async throws -> Response {
        var input = Input(url: server.url, methodAndPayload: methodAndPayload, delivery: .stream)
        input.payloadLimit = limit
        let output = await WebAPI.call(with: input, via: connector ?? self.connector(idle: idle))
        guard case .hasResponse(let response) = output else { throw Unexpected(output) }
        return response
    }

    /// Calls a function with the open response of a server that performs steps after it has read the request.
    func withOpen(
        _ steps: [ServerScriptStep],
        idle: Duration = .seconds(30),
        _ body: @Sendable (Response) async throws -> Void
    ) async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            try await body(try await open(server, idle: idle))
        }
    }
}
