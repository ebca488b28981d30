import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

extension ConnectorContract {
    /// Each part of a request arrives, and nothing else.
    @Suite("contract of engines: request") struct RequestTests {
        private static let payload = Payload(.data(Data("hello".utf8)), mediaType: .text)

        private static let everyMethod: [HTTPMethodAndPayload] = [
            .get, .head, .trace,
            .post(payload: nil), .put(payload: nil), .delete(payload: nil), .options(payload: nil),
            .patch(payload: nil),
            .post(payload: payload), .put(payload: payload), .delete(payload: payload), .options(payload: payload),
            .patch(payload: payload), .custom(method: "PURGE", payload: nil),
            .custom(method: "REPORT", payload: payload),
            .custom(method: "lower", payload: payload),
        ]

        @Test("every method arrives, with its payload", .parity("A10"), arguments: EngineUnderTest.all, everyMethod)
        func methods(engine: EngineUnderTest, methodAndPayload: HTTPMethodAndPayload) async throws {
            let message = try await engine.sent("/a", methodAndPayload)
            #expect(message.requestLine == "\(methodAndPayload.method) /a HTTP/1.1")
            #expect(message.body == methodAndPayload.body ?? Data())
            #expect(message.headers["Content-Type"] == methodAndPayload.payload?.mediaType?.rawValue)
            if methodAndPayload.body != nil { #expect(message.headers["Content-Length"] == "5") }
        }

        @Test("dot segments of a path arrive unchanged", arguments: EngineUnderTest.all)
        func dots(engine: EngineUnderTest) async throws {
            try await engine.check(.dotSegments) {
                let message = try await engine.sent("/a/../b/./c")
                #expect(message.requestLine == "GET /a/../b/./c HTTP/1.1")
            }
        }

        @Test("a header field without a value arrives", arguments: EngineUnderTest.all)
        func emptyField(engine: EngineUnderTest) async throws {
            try await engine.check(.emptyField) {
                let message = try await engine.sent("/", headers: ["X-Empty": ""])
                #expect(message.headers.values(of: "X-Empty") == [""])
            }
        }

        @Test("two Cookie fields arrive as one, joined with a semicolon", arguments: EngineUnderTest.all)
        func cookies(engine: EngineUnderTest) async throws {
            let message = try await engine.sent("/", headers: ["Cookie": "a=1", "cookie": "b=2"])
            #expect(message.headers.values(of: "Cookie").joined(separator: "; ") == "a=1; b=2")
        }

        @Test("Host is the authority of the URL", arguments: EngineUnderTest.all)
        func host(engine: EngineUnderTest) async throws {
            let authority = try await LoopbackServer.playing({ _ in [.receiveRequest] }) { server in
                _ = await WebAPI.call(with: Input(url: server.url), via: engine.connector())
                return server.received.elements.first.map { ($0, "127.0.0.1:\(server.port)") }
            }
            let (bytes, expected) = try #require(authority)
            #expect(RawMessage(bytes).headers.values(of: "Host") == [expected])
        }

        @Test("every byte of a payload arrives", arguments: EngineUnderTest.all, [0, 1, 256, 65_537, 3 * 1024 * 1024])
        func bytes(engine: EngineUnderTest, count: Int) async throws {
            let payload = Data.pattern(count: count)
            let message = try await engine.sent("/", .put(payload: Payload(.data(payload), mediaType: .octetStream)))
            #expect(message.body.isSame(as: payload))
            #expect(message.headers["Content-Length"] == "\(count)")
            #expect(message.headers["Content-Type"] == "application/octet-stream")
        }

        @Test("an engine adds nothing that changes the meaning of a request", arguments: EngineUnderTest.all)
        func additions(engine: EngineUnderTest) async throws {
            let large = Payload(.data(Data(count: 2 * 1024 * 1024)), mediaType: nil)
            let message = try await engine.sent("/", .post(payload: large))
            let harmless: Set = [
                "host", "content-length", "accept", "accept-encoding", "accept-language", "user-agent", "connection",
            ]
            #expect(message.headers.fields.map { $0.name.lowercased() }.filter { !harmless.contains($0) } == [])
        }

        @Test("an invalid request does not reach the server", arguments: EngineUnderTest.all)
        func refused(engine: EngineUnderTest) async throws {
            let bad: [HTTPHeaders] = [["A": "b\r\nC: d"], ["A b": "c"], ["Content-Length": "7"]]
            let accepted = Recorder<Int>()
            try await LoopbackServer.playing({
                accepted.append($0)
                return []
            }) { server in
                for headers in bad {
                    let output = await WebAPI.call(
                        with: Input(url: server.url, headers: headers),
                        via: engine.connector()
                    )
                    #expect(output.connectionError?.name == "malformedHeader")
                }
            }
            #expect(accepted.elements == [])
        }
    }
}
