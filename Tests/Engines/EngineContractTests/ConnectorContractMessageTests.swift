import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

extension ConnectorContract {
    /// What is sent and returned beyond the laws: nothing is added, and messages in an unusual form are read.
    @Suite("contract of engines: messages") struct MessageTests {
        @Test("dot segments of a path arrive unchanged", arguments: EngineUnderTest.all)
        func dots(engine: EngineUnderTest) async throws {
            try await engine.check(.dotSegments) {
                let message = try await engine.sent("/a/../b/./c")
                #expect(message.requestLine == "GET /a/../b/./c HTTP/1.1")
            }
        }

        @Test("a header field without a value arrives", arguments: EngineUnderTest.all)
        func emptyField(engine: EngineUnderTest) async throws {
            let message = try await engine.sent("/", headers: ["X-Empty": ""])
            #expect(message.headers.values(of: "X-Empty") == [""])
        }

        @Test("two Cookie fields arrive as one, joined with a semicolon", arguments: EngineUnderTest.all)
        func cookies(engine: EngineUnderTest) async throws {
            let message = try await engine.sent("/", headers: ["Cookie": "a=1", "cookie": "b=2"])
            #expect(message.headers.values(of: "Cookie").joined(separator: "; ") == "a=1; b=2")
        }

        @Test(
            "an engine adds nothing that changes the meaning of a request, and Host is the authority",
            arguments: EngineUnderTest.all
        )
        func additions(engine: EngineUnderTest) async throws {
            let large = Payload(.data(Data(count: 2 * 1024 * 1024)), mediaType: nil)
            let harmless: Set = [
                "host", "content-length", "accept", "accept-encoding", "accept-language", "user-agent", "connection",
            ]
            try await LoopbackServer.playing({ _ in [.receiveRequest] }) { server in
                let input = Input(url: server.url, methodAndPayload: .post(payload: large))
                _ = await WebAPI.call(with: input, via: engine.connector())
                let headers = RawMessage(try #require(server.received.elements.first)).headers
                #expect(headers.fields.map { $0.name.lowercased() }.filter { !harmless.contains($0) } == [])
                #expect(headers.values(of: "Host") == ["127.0.0.1:\(server.port)"])
            }
        }

        private enum Option: RequestOption { typealias Value = String }

        @Test(
            "a response has the URL that was called, with its queries, also as the head of one that breaks off",
            arguments: EngineUnderTest.all,
            [Delivery.memory, .stream]
        )
        func url(engine: EngineUnderTest, delivery: Delivery) async throws {
            let answers = [200, 302, 503].map { "HTTP/1.1 \($0) A\r\nContent-Length: 5\r\n\r\nhello" }
            try await LoopbackServer.playing({ number in
                [.receiveRequest, .send(number < answers.count ? answers[number] : String(answers[0].dropLast(2)))]
            }) { server in
                let url = try #require(URL(string: "\(server.url)/a?b=1#d"))
                let called = URL(string: "\(server.url)/a?b=1&c=2#d")
                for _ in 0...answers.count {
                    let log = EventLog()
                    let connector = engine.connector().wrapped(by: .listen(to: log.listener))
                    var input = Input(url: url, queries: [.init(name: "c", value: "2")], delivery: delivery)
                    input.options[Option.self] = "hunter2"
                    let read = await ReadOutput(await WebAPI.call(with: input, via: connector))
                    #expect((read.head ?? read.error?.response)?.url == called)
                    #expect(read.error == nil || read.error?.response?.url == called, "\(read)")
                    for case .receivedHead(let head) in log.events { #expect(head.url == called) }
                }
                // Options are not sent.
                for bytes in server.received.elements {
                    let text = String(decoding: bytes, as: UTF8.self)
                    #expect(!text.contains("hunter2") && !text.contains("Option"))
                }
            }
        }

        @Test("a redirect with no target is returned", arguments: EngineUnderTest.all, [301, 302, 303, 305, 307, 308])
        func nowhere(engine: EngineUnderTest, code: Int) async throws {
            let response = try await engine.response(to: "HTTP/1.1 \(code) Moved\r\nA: b\r\nContent-Length: 0\r\n\r\n")
            #expect(response.statusCode.code == code)
            #expect(response.headers["A"] == "b")
        }

        @Test(
            "a 401 is returned, whatever its challenge, even if credentials were sent",
            arguments: EngineUnderTest.all,
            [
                "Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"", "Bearer", "Negotiate", "NTLM",
                "?", "",
            ]
        )
        func unauthorized(engine: EngineUnderTest, challenge: String) async throws {
            let answer = "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 4\r\n\r\nwho?"
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(answer)] }) { server in
                for headers: HTTPHeaders in [[:], ["Authorization": "Basic eDp5"]] {
                    let input = Input(url: server.url, headers: headers)
                    let response = await WebAPI.call(with: input, via: engine.connector()).response
                    #expect(response?.statusCode == .unauthorized)
                    #expect(response?.headers["WWW-Authenticate"] == challenge)
                    #expect(response?.payload == Data("who?".utf8))
                }
                #expect(server.received.elements.count == 2)
            }
        }

        /// A response that engines may read in several ways.
        private struct Unusual: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let bytes: [UInt8]

            /// The fact about the engine, if one is known not to read the response.
            let fact: ContractFact?

            /// The expected values of X-A, joined.
            let field: String?

            init(_ name: String, _ head: String, field: String? = nil, _ fact: ContractFact? = nil) {
                (testDescription, self.field, self.fact) = (name, field, fact)
                let parts = head.split(separator: "\u{FFFD}", omittingEmptySubsequences: false)
                let bytes = parts.map { Array($0.utf8) }.joined(separator: [0xE9])
                self.bytes = bytes + Array("Content-Length: 2\r\n\r\nhi".utf8)
            }

            static let all = [
                Unusual("an empty reason phrase", "HTTP/1.1 200 \r\n"),
                Unusual("a missing reason phrase", "HTTP/1.1 200\r\n", .noSpaceForReason),
                Unusual("HTTP in lower case", "http/1.1 200 OK\r\n", .lowerCase),
                Unusual("an error with HTTP in mixed case", "hTTP/1.0 503 Service Unavailable\r\n", .lowerCase),
                Unusual("a redirect without a target", "HTTP/1.1 302 Found\r\n", .redirectWithoutLocation),
                Unusual("a value in UTF-8", "HTTP/1.1 200 OK\r\nX-A: あ\r\n", field: "あ"),
                Unusual(
                    "a value in Latin-1",
                    "HTTP/1.1 200 OK\r\nX-A: caf\u{FFFD}\r\n",
                    field: "caf\u{10FFE9}",
                    .latin1Field
                ),
                Unusual("a value without a space", "HTTP/1.1 200 OK\r\nX-A:a\r\n", field: "a", .fieldWithoutSpace),
                Unusual(
                    "a name in two cases",
                    "HTTP/1.1 200 OK\r\nx-a: 1\r\nX-A: 2\r\n",
                    field: "1, 2",
                    .fieldInTwoCases
                ),
            ]
        }

        @Test("a response in an unusual form is returned", arguments: EngineUnderTest.all, Unusual.all)
        private func unusual(engine: EngineUnderTest, response: Unusual) async throws {
            try await engine.check(response.fact.flatMap { engine.defects[$0] }) {
                let output = try await engine.output(of: [.sendBytes(response.bytes), .close])
                #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                let field = output.response?.headers.values(of: "X-A").joined(separator: ", ")
                #expect(field == response.field ?? "")
            }
        }

        @Test("a status outside of all classes is returned", arguments: EngineUnderTest.all, [600, 999])
        func statusOutOfRange(engine: EngineUnderTest, code: Int) async throws {
            let output = try await engine.output(of: [
                .send("HTTP/1.1 \(code) X\r\nContent-Length: 2\r\n\r\nhi"), .close,
            ])
            #expect(output.response?.statusCode.code == code, "\(output)")
            #expect(output.response?.payload == Data("hi".utf8))
        }

        @Test("an interim response whose HTTP is in lower case: malformedResponse", arguments: EngineUnderTest.all)
        func lowerCaseInterim(engine: EngineUnderTest) async throws {
            try await engine.check(.lowerCaseInterim) {
                let bytes = "http/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                let error = try await engine.error(of: [.send(bytes), .close])
                #expect(error.name == "malformedResponse")
            }
        }
    }
}
