import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

extension ConnectorContract {
    /// Each part of a response is returned unchanged.
    @Suite("contract of engines: response") struct ResponseTests {
        @Test(
            "every status is returned with its payload",
            arguments: EngineUnderTest.all,
            [
                200, 201, 203, 206, 226, 299, 400, 402, 403, 404, 407, 410, 418, 422, 429, 451, 499, 500, 503, 511, 599,
                777,
            ]
        )
        func status(engine: EngineUnderTest, code: Int) async throws {
            let response = try await engine.response(to: "HTTP/1.1 \(code) Some Words\r\nContent-Length: 2\r\n\r\nhi")
            #expect(response.statusCode.code == code)
            #expect(response.payload == Data("hi".utf8))
        }

        @Test(
            "a redirect is returned, not followed",
            arguments: EngineUnderTest.all,
            [300, 301, 302, 303, 307, 308]
        )
        func redirect(engine: EngineUnderTest, code: Int) async throws {
            let response = try await engine.response(
                to: "HTTP/1.1 \(code) Moved\r\nLocation: /elsewhere?a\r\nContent-Length: 4\r\n\r\nhere"
            )
            #expect(response.statusCode.code == code)
            #expect(response.headers["Location"] == "/elsewhere?a")
            #expect(response.payload == Data("here".utf8))
        }

        @Test("a redirect with no target is returned", arguments: EngineUnderTest.all, [301, 302, 303, 305, 307, 308])
        func nowhere(engine: EngineUnderTest, code: Int) async throws {
            let response = try await engine.response(to: "HTTP/1.1 \(code) Moved\r\nA: b\r\nContent-Length: 0\r\n\r\n")
            #expect(response.statusCode.code == code)
            #expect(response.headers["A"] == "b")
        }

        @Test("a redirect with no target keeps its payload", arguments: EngineUnderTest.all)
        func nowherePayload(engine: EngineUnderTest) async throws {
            try await engine.check(.redirectWithoutLocation) {
                let response = try await engine.response(to: "HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nhere")
                #expect(response.payload == Data("here".utf8))
            }
        }

        @Test(
            "a 401 is returned, whatever its challenge",
            arguments: EngineUnderTest.all,
            [
                "Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"", "Bearer", "Negotiate", "NTLM",
                "?", "",
            ]
        )
        func unauthorized(engine: EngineUnderTest, challenge: String) async throws {
            let response = try await engine.response(
                to: "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 4\r\n\r\nwho?"
            )
            #expect(response.statusCode == .unauthorized)
            #expect(response.headers["WWW-Authenticate"] == challenge)
            #expect(response.payload == Data("who?".utf8))
        }

        @Test("a 401 is returned even if credentials were sent", arguments: EngineUnderTest.all)
        func unauthorizedAgain(engine: EngineUnderTest) async throws {
            let answer = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n"
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(answer)] }) { server in
                let input = Input(url: server.url, headers: ["Authorization": "Basic eDp5"])
                let output = await WebAPI.call(with: input, via: engine.connector())
                #expect(output.response?.statusCode == .unauthorized)
                #expect(server.received.elements.count == 1)
            }
        }

        @Test("the reason phrase may be empty", arguments: EngineUnderTest.all)
        func noReason(engine: EngineUnderTest) async throws {
            try await engine.check(.noReason) {
                let response = try await engine.response(to: "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi")
                #expect(response.payload == Data("hi".utf8))
            }
        }

        @Test("the reason phrase may be missing with the space before it", arguments: EngineUnderTest.all)
        func noSpaceForReason(engine: EngineUnderTest) async throws {
            try await engine.check(.noSpaceForReason) {
                let response = try await engine.response(to: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi")
                #expect(response.payload == Data("hi".utf8))
            }
        }

        @Test("header fields are returned", .parity("A10"), arguments: EngineUnderTest.all)
        func headers(engine: EngineUnderTest) async throws {
            let response = try await engine.response(
                to: "HTTP/1.1 200 OK\r\nx-lower: a\r\nX-Colon: a:b, c\r\nX-Space: \t a b \t \r\nX-Empty:\r\n"
                    + "X-UTF8: あ\r\nContent-Length: 0\r\n\r\n"
            )
            #expect(response.headers["X-Lower"] == "a")
            #expect(response.headers["X-Colon"] == "a:b, c")
            #expect(response.headers["X-Space"] == "a b")
            #expect(response.headers["X-Empty"] == "")
            #expect(response.headers["X-UTF8"] == "あ")
        }

        @Test("a field without a space after its colon is returned", arguments: EngineUnderTest.all)
        func noSpace(engine: EngineUnderTest) async throws {
            try await engine.check(.fieldWithoutSpace) {
                let response = try await engine.response(to: "HTTP/1.1 200 OK\r\nX-A:a\r\nContent-Length:0\r\n\r\n")
                #expect(response.headers["X-A"] == "a")
            }
        }

        @Test("two fields of one name are returned in order, possibly joined", arguments: EngineUnderTest.all)
        func twice(engine: EngineUnderTest) async throws {
            let response = try await engine.response(
                to: "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B: b\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n"
            )
            #expect(response.headers.values(of: "X-A").joined(separator: ", ") == "1, 2")
        }

        @Test("two fields of one name in two cases are returned in order", arguments: EngineUnderTest.all)
        func twiceInTwoCases(engine: EngineUnderTest) async throws {
            try await engine.check(.fieldInTwoCases) {
                let response = try await engine.response(
                    to: "HTTP/1.1 200 OK\r\nx-a: 1\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n"
                )
                #expect(response.headers.values(of: "X-A").joined(separator: ", ") == "1, 2")
            }
        }

        @Test("two cookies are returned as two", arguments: EngineUnderTest.all, ["Set-Cookie", "set-cookie"])
        func setCookie(engine: EngineUnderTest, name: String) async throws {
            let first = "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/"
            let response = try await engine.response(
                to: "HTTP/1.1 200 OK\r\n\(name): \(first)\r\n\(name): b=2\r\nContent-Length: 0\r\n\r\n"
            )
            #expect(response.headers.values(of: "Set-Cookie") == [first, "b=2"])
        }

        @Test("a value in Latin-1 does not crash the engine", arguments: EngineUnderTest.all)
        func latin1(engine: EngineUnderTest) async throws {
            try await engine.check(.latin1Field) {
                let bytes =
                    Array("HTTP/1.1 200 OK\r\nX-A: caf".utf8) + [0xE9] + Array("\r\nContent-Length: 2\r\n\r\nhi".utf8)
                let output = try await engine.output(of: [.sendBytes(bytes)])
                #expect(output.response?.headers["X-A"] == "café")
            }
        }

        @Test("a payload of 8 MiB is returned byte for byte", arguments: EngineUnderTest.all)
        func large(engine: EngineUnderTest) async throws {
            let block = Data.pattern(count: 65_536)
            let output = try await engine.output(of: [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(8 * 1024 * 1024)\r\n\r\n"),
                .sendRepeatedly(block, times: 128),
            ])
            let whole = (0..<128).reduce(into: Data()) { data, _ in data += block }
            let payload = try #require(output.response?.payload)
            #expect(payload.isSame(as: whole))
        }

        @Test("a compressed payload is decompressed", arguments: EngineUnderTest.all)
        func gzip(engine: EngineUnderTest) async throws {
            let hello: [UInt8] = Array(try #require(Data(base64Encoded: "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==")))
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(hello.count)\r\n\r\n"
            let output = try await engine.output(of: [.send(head), .sendBytes(hello)])
            #expect(output.response?.payload == Data("hello".utf8))
        }
    }
}
