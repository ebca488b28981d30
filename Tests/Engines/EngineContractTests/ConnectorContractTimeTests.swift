import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
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
                #expect(error.debugInfo.contains("the idleTimeout of ConnectionOptions"))
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

        @Test(
            "an error whose payload never ends is cut by the clock of the wrapper, and its connection is closed",
            arguments: EngineUnderTest.all,
            [Delivery.memory, .stream]
        )
        func endlessError(engine: EngineUnderTest, delivery: Delivery) async throws {
            let head = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 100\r\n\r\n"
            for hasListener in [false, true] {
                let (clock, closed, log) = (ManualClock(), Latch(), EventLog())
                let script = [ServerScriptStep.receiveRequest, .send(head + "busy"), .waitForClose, .open(closed)]
                try await LoopbackServer.playing({ _ in script }) { server in
                    let limiting = Wrapper.limitPayload(ofErrors: 1_000, clock: clock)
                    let listening = hasListener ? [Wrapper.listen(to: log.listener)] : []
                    let app = engine.connector(idle: .seconds(30)).wrapped(by: .all(listening + [limiting]))
                    let call = Task { [url = server.url] in
                        await WebAPI.call(with: Input(url: url, delivery: delivery), via: app)
                    }
                    await clock.waitForSleepers(count: 1)
                    clock.advance(by: .seconds(10))
                    let output = await call.value
                    #expect(output.connectionError?.name == "timedOut", "\(output)")
                    #expect(output.response?.statusCode == .serviceUnavailable)
                    await closed.wait()
                }
                let names = log.names.filter { !["progress", "timings"].contains($0) }
                let expected = ["started", "receivedHead", "noResponse", "failed", "ended"]
                #expect(names == (hasListener ? expected : []))
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

/// Expects `body` to never take less than a limit, and no longer than the limit and 300 ms, which a round of an engine
/// and a turn of Swift's thread pool may take.
///
/// Other load on the machine can delay `body`; so one of several tries has to end on time.
private func expectOnTime(
    _ limit: Duration,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws {
    let latest = limit + .milliseconds(300)
    var fastest = Duration.seconds(3600)
    for _ in 0..<10 where fastest > latest {
        let took = try await SuspendingClock().measure(body)
        #expect(took >= limit, sourceLocation: sourceLocation)
        fastest = min(fastest, took)
    }
    #expect(fastest <= latest, sourceLocation: sourceLocation)
}
