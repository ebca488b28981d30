import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct HTTP1ServiceTests {
    /// A connector that responds with the method, the path with its query, and the payload.
    private static let echo = Connector.stub { input in
        let url = input.url.absoluteString
        let path = url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        let text = "\(input.methodAndPayload.method) \(path) \(HTTP1Lines.text(input.methodAndPayload.body ?? Data()))"
        return .hasResponse(Response(statusCode: .ok, headers: ["X": "y"], payload: Data(text.utf8)))
    }

    private static let closing = "Host: a\r\nConnection: close\r\n"

    private static func answer(_ text: String, closing: Bool = false) -> String {
        let connection = closing ? "Connection: close\r\n" : ""
        return "HTTP/1.1 200 OK\r\nX: y\r\n\(connection)Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test func answersManyRequestsOnOneConnection() async throws {
        let answers = ["/0", "/1?a=b", "/2"].map { Self.answer("GET \($0) ") }
        let got = try await LoopbackServer.serving(Self.echo) { server in
            await RawClient.converse(with: server) { client in
                zip(["/0", "/1?a=b", "/2"], answers).map { path, answer in
                    client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                    return client.read(answer.utf8.count)
                }
            }
        }
        #expect(got == answers)
    }

    @Test func answersRequestsThatCameTogetherInTheirOrder() async throws {
        let requests = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        let got = try await exchange(requests + "GET /50 HTTP/1.1\r\n\(Self.closing)\r\n")
        let expected = (0..<50).map { Self.answer("GET /\($0) ") }.joined() + Self.answer("GET /50 ", closing: true)
        #expect(got == expected)
    }

    @Test func takesABodyOfKnownLength() async throws {
        let got = try await exchange("PUT /a HTTP/1.1\r\n\(Self.closing)Content-Length: 5\r\n\r\nhello")
        #expect(got == Self.answer("PUT /a hello", closing: true))
    }

    @Test func takesAChunkedBody() async throws {
        let body = "3\r\nhel\r\n2;x\r\nlo\r\n0\r\nTrailer: x\r\n\r\n"
        let got = try await exchange("POST /a HTTP/1.1\r\n\(Self.closing)Transfer-Encoding: chunked\r\n\r\n\(body)")
        #expect(got == Self.answer("POST /a hello", closing: true))
    }

    @Test func answersInChunks() async throws {
        let response = Response(statusCode: .ok, headers: ["Transfer-Encoding": "chunked"], payload: Data("hi".utf8))
        let got = try await exchange("GET / HTTP/1.1\r\n\(Self.closing)\r\n", via: .stub(.hasResponse(response)))
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        #expect(got == "\(head)2\r\nhi\r\n0\r\n\r\n")
    }

    @Test func answersHTTP10WithoutChunksAndEndsTheConnection() async throws {
        let response = Response(statusCode: .ok, headers: ["Transfer-Encoding": "chunked"], payload: Data("hi".utf8))
        let got = try await exchange("GET / HTTP/1.0\r\n\r\n", via: .stub(.hasResponse(response)))
        #expect(got == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
    }

    @Test func theConnectorMayEndTheConnection() async throws {
        let response = Response(statusCode: .ok, headers: ["Connection": "close"])
        let two = String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 2)
        let got = try await exchange(two, via: .stub(.hasResponse(response)))
        #expect(got == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func anAnswerToHEADHasNoPayload() async throws {
        let two = "HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\n\(Self.closing)\r\n"
        let got = try await exchange(two)
        #expect(got == "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 8\r\n\r\n" + Self.answer("GET /2 ", closing: true))
    }

    @Test func goesOnAfterAnAnswerWithoutAPayload() async throws {
        let stub = Connector.stub(sequence: [
            .hasResponse(Response(statusCode: .noContent)), .hasResponse(Response(statusCode: .notModified)),
        ])
        let two = "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\(Self.closing)\r\n"
        let got = try await exchange(two, via: stub)
        #expect(got == "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
    }

    @Test func asksForABodyThatWaitsToBeAskedFor() async throws {
        let got = try await LoopbackServer.serving(Self.echo) { server in
            await RawClient.converse(with: server) { client in
                client.send("POST / HTTP/1.1\r\n\(Self.closing)Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
                let first = client.read(HTTP1ResponseWriter.resume.count)
                client.send("hi")
                return [first, client.readToEnd().text]
            }
        }
        #expect(got == ["HTTP/1.1 100 Continue\r\n\r\n", Self.answer("POST / hi", closing: true)])
    }

    @Test func endsTheConnectionWithoutAnAnswerIfThereIsNone() async throws {
        let (text, error) = try await LoopbackServer.serving(.stub(.noResponse(.cancelled))) { server in
            await RawClient.converse(with: server) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return client.readToEnd()
            }
        }
        #expect(text == "")
        #expect(error == 0)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", "400 Bad Request"),
        ("\u{16}\u{3}\u{1}", "400 Bad Request"),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400 Bad Request"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 67108865\r\n\r\nabc", "413 Content Too Large"),
        ("GET /\(String(repeating: "a", count: 70_000))", "431 Request Header Fields Too Large"),
        ("GET / HTTP/2.0\r\n\r\n", "505 HTTP Version Not Supported"),
    ])
    func refusesAndEndsTheConnection(request: String, status: String) async throws {
        let sent = Recorder<Input>()
        let got = try await exchange(request, via: .stub(.noResponse(.cancelled), recording: sent))
        #expect(got.hasPrefix("HTTP/1.1 \(status)\r\n"))
        #expect(got.contains("\r\nConnection: close\r\n"))
        #expect(sent.elements.isEmpty)
    }

    @Test func theConnectorGetsTheRequestAsItCame() async throws {
        let sent = Recorder<Input>()
        let request =
            "PATCH /a?b=c&b=d HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx: 1\r\nContent-Type: text/plain\r\n"
        let port = try await LoopbackServer.serving(.stub(.noResponse(.cancelled), recording: sent)) { server in
            _ = await RawClient.exchange(request + "X: 2\r\nContent-Length: 2\r\n\r\nhi", with: server)
            return server.port
        }
        let expected = Input(
            url: URL(string: "http://127.0.0.1:\(port)/a?b=c&b=d")!,
            headers: [
                "Host": "a", "Connection": "close", "x": "1", "Content-Type": "text/plain", "X": "2",
                "Content-Length": "2",
            ],
            methodAndPayload: .patch(payload: Payload(.data(Data("hi".utf8)), mediaType: "text/plain"))
        )
        #expect(sent.elements == [expected])
    }

    @Test func aLargePayloadGoesThereAndBack() async throws {
        let count = 8 * 1024 * 1024
        let mirror = Connector.stub {
            .hasResponse(Response(statusCode: .ok, payload: $0.methodAndPayload.body ?? Data()))
        }
        let got = try await LoopbackServer.serving(mirror) { server in
            await RawClient.converse(with: server) { client in
                client.send("POST / HTTP/1.1\r\n\(Self.closing)Content-Length: \(count)\r\n\r\n")
                client.sendBytes(Array(repeating: 0x61, count: count))
                return client.countToEnd()
            }
        }
        #expect(got == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n".utf8.count + count)
    }

    @Test func aClientThatSaysNothingMoreIsStillAnswered() async throws {
        let got = try await LoopbackServer.serving(Self.echo) { server in
            await RawClient.converse(with: server) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                client.endOutput()
                return client.readToEnd().text
            }
        }
        #expect(got == Self.answer("GET / "))
    }

    private func exchange(_ text: String, via connector: Connector = echo) async throws -> String {
        try await LoopbackServer.serving(connector) { await RawClient.exchange(text, with: $0) }
    }
}
