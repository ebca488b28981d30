import Foundation
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// Heads of responses: they are told as they arrive, and a limit until the head replaces the engine's own.
    @Suite("Contract of engines: heads") struct HeadTests {
        private let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"

        /// A wrapper that opens a gate when a head arrives, and records it.
        private static func hearing(_ heads: Recorder<Response>, _ gate: Latch = Latch()) -> Wrapper {
            Wrapper { input, next in
                await next(input) { head in
                    heads.append(head)
                    gate.open()
                }
            }
        }

        private static let destinations = [
            Destination.memory, .consumer(PayloadConsumer { _ in }),
            .file(FileManager.default.temporaryDirectory.appending(path: "StartSmall-heads-\(UUID().uuidString)")),
        ]

        @Test("A head is heard before its payload is there, wherever that goes", arguments: EngineUnderTest.all, 0..<3)
        func heard(engine: EngineUnderTest, destination: Int) async throws {
            defer { removeFile() }
            let (heads, gate) = (Recorder<Response>(), Latch())
            try await LoopbackServer.playing({ _ in [.send(head), .wait(gate), .send("hi")] }) { server in
                let input = Input(url: server.url, destination: Self.destinations[destination])
                let connector = engine.connector().wrapped(by: Self.hearing(heads, gate))
                let output = await WebAPI.call(with: input, via: connector)
                #expect(output.response?.statusCode == .ok, "\(output)")
            }
            #expect(heads.elements.map(\.statusCode) == [.ok])
            #expect(heads.elements.first?.headers["Content-Length"] == "2")
            #expect(heads.elements.first?.payload == Data())
        }

        @Test(
            "The head of a refusal is heard too, and that of an interim response is not",
            arguments: EngineUnderTest.all
        )
        func refused(engine: EngineUnderTest) async throws {
            for destination in Self.destinations.prefix(2) {
                let (heads, gate) = (Recorder<Response>(), Latch())
                let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
                let refusal = "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
                try await LoopbackServer.playing({ _ in [.send(interim + refusal), .wait(gate), .send("no")] }) {
                    server in
                    let input = Input(url: server.url, destination: destination)
                    let connector = engine.connector().wrapped(by: Self.hearing(heads, gate))
                    let output = await WebAPI.call(with: input, via: connector)
                    #expect(output.response?.payload == Data("no".utf8), "\(output)")
                }
                #expect(heads.elements.map(\.statusCode) == [.notFound])
            }
        }

        @Test("No head is heard of a call without one", arguments: EngineUnderTest.all)
        func none(engine: EngineUnderTest) async throws {
            let heads = Recorder<Response>()
            try await LoopbackServer.playing({ _ in [.receiveRequest, .close] }) { server in
                let connector = engine.connector().wrapped(by: Self.hearing(heads))
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.connectionError?.name == "connectionLost")
            }
            #expect(heads.elements.isEmpty)
        }

        @Test(
            "A limit until the head replaces the engine's until the head, and from there on the engine's counts",
            arguments: EngineUnderTest.all,
            0..<3
        )
        func replaced(engine: EngineUnderTest, destination: Int) async throws {
            defer { removeFile() }
            let (idle, asked, gate) = (Duration.milliseconds(200), Latch(), Latch())
            let (head, heads) = (head, Recorder<Response>())
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .open(asked), .wait(gate), .send(head + "h"), .waitForClose]
            }) { server async throws in
                let input = Input(url: server.url, destination: Self.destinations[destination])
                let base = engine.connector(idle: idle)
                let connector = base.wrapped(by: .timeout(untilHead: .seconds(600)), Self.hearing(heads))
                async let output = WebAPI.call(with: input, via: connector)
                await asked.wait()
                // Others of the same engine end by its limit meanwhile, as this one would have.
                try await LoopbackServer.playing({ _ in [.waitForClose] }) { other in
                    for _ in 0..<2 {
                        let output = await WebAPI.call(with: Input(url: other.url), via: base)
                        #expect(output.connectionError?.name == "timedOut")
                    }
                }
                gate.open()
                let error = await output.connectionError
                #expect(error?.name == "timedOut")
                #expect(error?.cause?.domain != "StartSmall")
                #expect(heads.elements.map(\.statusCode) == [.ok])
            }
        }

        @Test(
            "A limit until the head ends a call that has none in time, and its connection",
            arguments: EngineUnderTest.all
        )
        func late(engine: EngineUnderTest) async throws {
            let (clock, asked, closed) = (ManualClock(), Latch(), Latch())
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .open(asked), .waitForClose, .open(closed)]
            }) { server in
                let connector = engine.connector().wrapped(by: .timeout(untilHead: .seconds(20), clock: clock))
                async let output = WebAPI.call(with: Input(url: server.url), via: connector)
                await asked.wait()
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(20))
                let error = await output.connectionError
                #expect(error?.name == "timedOut")
                #expect(error?.cause?.code == 5)
                await closed.wait()
            }
        }

        @Test("A call after one with a limit until the head has the engine's again", arguments: EngineUnderTest.all)
        func next(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .send(head + "hi"), .receiveRequest, .waitForClose]
            }) { server in
                let (base, heads) = (engine.connector(idle: .milliseconds(300)), Recorder<Response>())
                let limited = base.wrapped(by: .timeout(untilHead: .seconds(600)), Self.hearing(heads))
                let first = await WebAPI.call(with: Input(url: server.url), via: limited)
                #expect(first.response?.payload == Data("hi".utf8), "\(first)")
                let second = await WebAPI.call(with: Input(url: server.url), via: base)
                #expect(second.connectionError?.name == "timedOut")
                #expect(heads.elements.count == 1)
            }
        }

        private func removeFile() {
            if case .file(let url) = Self.destinations[2] { try? FileManager.default.removeItem(at: url) }
        }
    }
}
