import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// Heads of responses: an open body as soon as a head arrives, and a limit until the head that replaces the
    /// engine's own limit.
    @Suite("contract of engines: heads") struct HeadTests {
        private let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"

        /// A wrapper that opens a latch when a head arrives, and records the head.
        private static func recording(_ heads: Recorder<Response>, _ latch: Latch = Latch()) -> Wrapper {
            .streaming { input, next in
                let output = await next(input)
                guard case .hasResponse(var head) = output else { return output }
                #expect(head.body != nil)
                head.payload = Data()
                heads.append(head)
                latch.open()
                return output
            }
        }

        private static let deliveries = [
            Delivery.memory, .stream,
            .file(FileManager.default.temporaryDirectory.appending(path: "StartSmall-heads-\(UUID().uuidString)")),
        ]

        @Test(
            "a response is open before its payload arrives, for any status and delivery, and an interim one is none",
            arguments: EngineUnderTest.all,
            [(200, 0), (200, 1), (200, 2), (404, 0), (404, 1)]
        )
        func observed(engine: EngineUnderTest, call: (code: Int, delivery: Int)) async throws {
            defer { removeFile() }
            let (heads, latch) = (Recorder<Response>(), Latch())
            let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
            let head = head.replacing("200 OK", with: "\(call.code) Some")
            try await LoopbackServer.playing({ _ in [.send(interim + head), .wait(latch), .send("hi")] }) { server in
                let input = Input(url: server.url, delivery: Self.deliveries[call.delivery])
                let connector = engine.connector().wrapped(by: Self.recording(heads, latch))
                let output = await WebAPI.call(with: input, via: connector)
                #expect(output.response?.statusCode.code == call.code, "\(output)")
                if call.code == 404 { #expect(output.response?.payload == Data("hi".utf8)) }
            }
            #expect(heads.elements.map(\.statusCode.code) == [call.code])
            #expect(heads.elements.first?.headers["Content-Length"] == "2")
            #expect(heads.elements.first?.payload == Data())
        }

        @Test(
            "a limit until the head replaces the engine's limit up to the head, and not after it",
            arguments: EngineUnderTest.all,
            isExhaustive ? [0, 2] : [0]
        )
        func replaced(engine: EngineUnderTest, delivery: Int) async throws {
            defer { removeFile() }
            let (idle, asked, latch) = (Duration.milliseconds(200), Latch(), Latch())
            let (head, heads) = (head, Recorder<Response>())
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .open(asked), .wait(latch), .send(head + "h"), .waitForClose]
            }) { server async throws in
                let input = Input(url: server.url, delivery: Self.deliveries[delivery])
                let base = engine.connector(idle: idle)
                let connector = base.wrapped(by: .timeout(untilHead: .seconds(600)), Self.recording(heads))
                async let output = WebAPI.call(with: input, via: connector)
                await asked.wait()
                // Other calls of the same engine end by its limit meanwhile, as this call would have.
                try await LoopbackServer.playing({ _ in [.waitForClose] }) { other in
                    for _ in 0..<2 {
                        let output = await WebAPI.call(with: Input(url: other.url), via: base)
                        #expect(output.connectionError?.name == "timedOut")
                    }
                }
                latch.open()
                let error = await output.connectionError
                #expect(error?.name == "timedOut")
                #expect(error?.cause?.domain != "StartSmall")
                #expect(heads.elements.map(\.statusCode) == [.ok])
            }
        }

        @Test(
            "a limit until the head ends a call whose head is late, and its connection",
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

        @Test("a limit until the head does not affect the next call", arguments: EngineUnderTest.ofSharedConnections)
        func next(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .send(head + "hi"), .receiveRequest, .waitForClose]
            }) { server in
                let (base, heads) = (engine.connector(idle: .milliseconds(300)), Recorder<Response>())
                let limited = base.wrapped(by: .timeout(untilHead: .seconds(600)), Self.recording(heads))
                let first = await WebAPI.call(with: Input(url: server.url), via: limited)
                #expect(first.response?.payload == Data("hi".utf8), "\(first)")
                let second = await WebAPI.call(with: Input(url: server.url), via: base)
                #expect(second.connectionError?.name == "timedOut")
                #expect(heads.elements.count == 1)
            }
        }

        private func removeFile() {
            if case .file(let url) = Self.deliveries[2] { try? FileManager.default.removeItem(at: url) }
        }
    }
}
