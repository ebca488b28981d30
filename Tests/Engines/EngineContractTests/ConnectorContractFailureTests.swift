import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

extension ConnectorContract {
    /// Each kind of failure has its own error, with the part of the response that had arrived.
    @Suite("contract of engines: failure") struct FailureTests {
        @Test("a server that does not speak TLS: secureConnectionFailed", arguments: EngineUnderTest.namingErrors)
        func notTLS(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in [.send("HTTP/1.1 400 Bad Request\r\n\r\n")] }) { server in
                let input = Input(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
                let output = await WebAPI.call(with: input, via: engine.connector())
                #expect(output.connectionError?.name == "secureConnectionFailed")
            }
        }

        @Test(
            "bytes that are not HTTP: malformedResponse",
            arguments: EngineUnderTest.namingErrors,
            [
                "garbage\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/9.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 20\r\n\r\n",
                "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1200 OK\r\nContent-Length: 0\r\n\r\n",
                "ICY 200 OK\r\nContent-Length: 0\r\n\r\n", "\u{15}\u{3}\u{1}\0\u{2}\u{2}F",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\u{12}\u{4}\0\0\0\0\0\0\u{3}\0\0\0d",
                "<html>hi</html>", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n",
            ]
        )
        func malformed(engine: EngineUnderTest, bytes: String) async throws {
            let error = try await engine.error(of: [.send(bytes), .close])
            #expect(error.name == "malformedResponse")
            #expect(!error.isTransient)
        }

        @Test("an endless head meets its limit, and does not end the process", arguments: EngineUnderTest.all)
        func endlessHead(engine: EngineUnderTest) async throws {
            let field = Data("X-A: \(String(repeating: "a", count: 1000))\r\n".utf8)
            let output = try await engine.output(of: [
                .send("HTTP/1.1 200 OK\r\n"), .sendRepeatedly(field, times: 20_000),
            ])
            let error = try #require(output.connectionError)
            #expect(error.name == "malformedResponse" || engine.defects[.errorNames] != nil, "\(error)")
        }

        @Test(
            "no Location of a redirect ends the process",
            arguments: EngineUnderTest.all,
            [
                "", "//", "///", "http://", "http:///a", "?", "#", "a b", "\\", "%", "http://[::1", "//h:99999999/",
                "/%zz", "/?a=%zz", "/?あ", "/#あ b", "mailto:a@b", "javascript:1", "http://あ/", "//\u{7F}/", "a:b:c",
                "..",
                "//user:pass@h:1/?a#b", "http://h:-1/", "[", "/?[", "/?^|", "data:,", ":80",
            ]
        )
        func location(engine: EngineUnderTest, location: String) async throws {
            let response = try await engine.response(
                to: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
            )
            #expect(response.statusCode == .found)
        }

        @Test(
            "no host of a Location without scheme ends the process",
            arguments: EngineUnderTest.all,
            ["[::1]", "%00"]
        )
        func locationWithoutScheme(engine: EngineUnderTest, host: String) async throws {
            try await engine.check(.locationWithoutScheme) {
                let response = try await engine.response(
                    to: "HTTP/1.1 302 Found\r\nLocation: //\(host)/\r\nContent-Length: 0\r\n\r\n"
                )
                #expect(response.statusCode == .found)
            }
        }
    }
}
