import Foundation
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// A call ends in time: when nothing arrives, and when its task is cancelled.
    @Suite("contract of engines: time") struct TimeTests {
        private let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

        @Test("a server that sends nothing: timedOut, at the limit", arguments: EngineUnderTest.all)
        func silent(engine: EngineUnderTest) async throws {
            try await expectOnTime(.milliseconds(300)) {
                let error = try await engine.error(of: [.waitForClose], idle: .milliseconds(300))
                #expect(error.name == "timedOut")
                #expect(error.cause?.partial == nil)
            }
        }

        @Test(
            "a server that stops sending: timedOut, with the bytes that had arrived",
            arguments: EngineUnderTest.all
        )
        func silentInPayload(engine: EngineUnderTest) async throws {
            let error = try await engine.error(of: [.send(head + "hello"), .waitForClose], idle: .seconds(1))
            #expect(error.name == "timedOut")
            #expect(error.cause?.partial?.payload == Data("hello".utf8))
        }

        @Test(
            "a redirect is followed though its payload never ends, or is large",
            arguments: EngineUnderTest.all,
            [Delivery.memory, .stream]
        )
        func endlessRedirect(engine: EngineUnderTest, delivery: Delivery) async throws {
            let head = "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 1000000\r\n\r\n"
            for payload in ["", "note", String(repeating: "a", count: 70_000)] {
                try await LoopbackServer.playing({ number in
                    let next = [ServerScriptStep.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
                    return number == 0 ? [.receiveRequest, .send(head + payload), .waitForClose] : next
                }) { server in
                    let connector = engine.connector(idle: .seconds(1)).wrapped(by: .redirect())
                    try await engine.check(.brokenRedirect) {
                        let input = Input(url: server.url, delivery: delivery)
                        let output = await WebAPI.call(with: input, via: connector)
                        #expect(output.response?.statusCode == .ok, "\(output)")
                    }
                }
                if engine.defects[.brokenRedirect] != nil { break }
            }
        }

        @Test("a redirect that is not followed has the payload that arrives soon", arguments: EngineUnderTest.all)
        func unfollowedRedirect(engine: EngineUnderTest) async throws {
            let head = "HTTP/1.1 302 Found\r\nLocation: https://other.test/\r\nContent-Length: 10\r\n\r\n"
            let script = [ServerScriptStep.receiveRequest, .send(head + "note"), .waitForClose]
            try await LoopbackServer.playing({ _ in script }) { server in
                let policy = RedirectPolicy(allowedHosts: [])
                let connector = engine.connector(idle: .seconds(1)).wrapped(by: .redirect(policy))
                try await engine.check(.brokenRedirect) {
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.connectionError == nil)
                    #expect(output.response?.payload == Data("note".utf8))
                }
            }
        }

        @Test("a server that stops reading: timedOut", arguments: EngineUnderTest.all)
        func stalledUpload(engine: EngineUnderTest) async throws {
            let error = try await LoopbackServer.playing({ _ in [.receiveHead, .wait(Latch())] }) { server in
                let upload = Input(url: server.url, methodAndPayload: .put(payload: .large))
                return await WebAPI.call(with: upload, via: engine.connector(idle: .milliseconds(300))).connectionError
            }
            #expect(error?.name == "timedOut")
        }

        @Test("connecting has its own limit, which includes the TLS handshake", arguments: EngineUnderTest.all)
        func connect(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in [.waitForClose] }) { server in
                let input = Input(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
                try await expectOnTime(.milliseconds(300)) {
                    let connector = engine.connector(idle: .seconds(30), connect: .milliseconds(300))
                    let output = await WebAPI.call(with: input, via: connector)
                    #expect(output.connectionError?.name == "timedOut")
                }
            }
        }

        @Test("a limit under a second does not fire at once", arguments: EngineUnderTest.all)
        func underASecond(engine: EngineUnderTest) async throws {
            let output = try await engine.output(of: [.send(head + "helloworld")], idle: .milliseconds(900))
            #expect(output.response?.payload == Data("helloworld".utf8))
        }

        @Test("a connection that timed out is closed", arguments: EngineUnderTest.all)
        func timedOutIsClosed(engine: EngineUnderTest) async throws {
            let closed = Latch()
            try await LoopbackServer.playing({ _ in [.waitForClose, .open(closed)] }) { server in
                // Time enough to connect, even on a machine that stalls now and then.
                let connector = engine.connector(idle: .seconds(1))
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.connectionError?.name == "timedOut")
                await closed.wait()
            }
        }

        @Test("a call cancelled just as the response arrives ends once", arguments: EngineUnderTest.all)
        func whileEnding(engine: EngineUnderTest) async throws {
            try await LoopbackServer.serving(.stub(.hasResponse(Response(statusCode: .ok)))) { server in
                let connector = engine.connector()
                for _ in 0..<50 {
                    let call = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                    await Task.yield()
                    call.cancel()
                    let output = await call.value
                    #expect(output.response?.statusCode == .ok || output == .noResponse(.cancelled))
                }
            }
        }
    }
}

extension Payload {
    /// More than a socket buffers at once.
    fileprivate static let large = Payload(.data(Data(count: 16 * 1024 * 1024)), mediaType: nil)
}
