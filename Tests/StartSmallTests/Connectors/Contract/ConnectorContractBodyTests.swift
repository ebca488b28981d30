import Foundation
import StartSmallTesting
import Testing

@testable import StartSmall

extension ConnectorContract {
    /// A response whose payload is not for the memory has an open body, as the kit itself reads it.
    @Suite("contract of engines: bodies", .timeLimit(.minutes(2))) struct BodyTests {
        private static let whole = Data.pattern(count: 8 * 1024 * 1024)
        private static let half = "HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 10\r\n\r\nhello"

        @Test("8 MiB arrive complete, also if their connector is released first", arguments: EngineUnderTest.all)
        func whole(engine: EngineUnderTest) async throws {
            let answer = Response(statusCode: .ok, headers: ["A": "b"], payload: Self.whole)
            try await LoopbackServer.serving(.stub(.hasResponse(answer))) { server in
                let response = try await engine.open(server)
                #expect(response.headers["A"] == "b")
                var payload = Data()
                while let chunk = try await response.body?.next() { payload += chunk }
                #expect(payload.isSame(as: Self.whole))
            }
        }

        @Test("a body that is released, unread or read in part, closes its connection", arguments: EngineUnderTest.all)
        func released(engine: EngineUnderTest) async throws {
            for isRead in [false, true] {
                let closed = Latch()
                let steps: [ServerScriptStep] = [.receiveRequest, .send(Self.half), .waitForClose, .open(closed)]
                try await LoopbackServer.playing({ _ in steps }) { server in
                    var response: Response? = try await engine.open(server)
                    if isRead { #expect(try await response?.body?.next()?.isEmpty == false) }
                    response = nil
                    await closed.wait()
                    #expect(response == nil)
                }
            }
        }

        @Test(
            "a reader that waits gets the end from outside, or its cancellation, and the connection is closed",
            arguments: EngineUnderTest.all,
            [false, true]
        )
        func interrupted(engine: EngineUnderTest, isCancelled: Bool) async throws {
            let closed = Latch()
            try await engine.withOpen([.send(Self.half), .waitForClose, .open(closed)]) { response in
                let body = try #require(response.body)
                let reader = Task { () -> ConnectionError? in
                    do throws(ConnectionError) { while try await body.next() != nil {} } catch { return error }
                    return nil
                }
                for _ in 0..<100 { await Task.yield() }
                if isCancelled { reader.cancel() } else { body.weak.interrupt(with: Fixture.lost) }
                #expect(await reader.value == (isCancelled ? .cancelled : Fixture.lost))
                await closed.wait()
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

extension EngineUnderTest {
    /// Returns the response of a server with its body open, as the engine returns it.
    fileprivate func open(
        _ server: LoopbackServer,
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        idle: Duration = .seconds(30)
    ) async throws -> Response {
        let input = Input(url: server.url, methodAndPayload: methodAndPayload, destination: .stream)
        let output = await connector(idle: idle).connect(input, CallContext(reportingTo: nil))
        guard case .hasResponse(let response) = output else { throw Unexpected(output) }
        return response
    }

    /// Calls a function with the open response of a server that performs steps after it has read the request.
    fileprivate func withOpen(
        _ steps: [ServerScriptStep],
        idle: Duration = .seconds(30),
        _ body: @Sendable (Response) async throws -> Void
    ) async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            try await body(try await open(server, idle: idle))
        }
    }
}
