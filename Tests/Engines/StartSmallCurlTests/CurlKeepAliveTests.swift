#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    /// `Keep-Alive: timeout=N` (RFC 2068 19.7.1.1) announces when the server closes a connection without requests.
    @Suite("idle limits that servers announce to the engine for Linux", .timeLimit(.minutes(2)))
    struct CurlKeepAliveTests {
        private static let post = HTTPMethodAndPayload.post(payload: Payload(.data(Data("hi".utf8)), mediaType: nil))

        @Test(
            "a call uses no connection whose announced limit is near",
            arguments: [
                "Keep-Alive: timeout=1", "Keep-Alive: timeout=0", "keep-ALIVE:\tTimeOut=1 ",
                "Keep-Alive: max=5, timeout=1", "Keep-Alive: timeout=100\r\nKeep-Alive: timeout=1",
                "Keep-Alive: max=5,\r\n timeout=1",
                "Connection: keep-alive\r\nKeep-Alive: timeout=9, timeout=1, timeout=x",
            ],
            [HTTPMethodAndPayload.get, post]
        )
        func near(field: String, later: HTTPMethodAndPayload) async throws {
            try await #expect(connections(of: [field, field, field], later) == [0, 1, 2])
        }

        @Test(
            "a call uses the connection if the announced limit is far, or there is none",
            arguments: [
                "Keep-Alive: timeout=100", "Keep-Alive: max=5", "Keep-Alive: timeout=abc", "Keep-Alive: timeout=",
                "Keep-Alive: timeout=-1", "Keep-Alive: timeout=1s", "Keep-Alive: timeout=\u{661}", "Keep-Alive:",
                "Keep-Alive: timeout=99999999999999999999999999", "Keep-Alive: xtimeout=1", "Keep-Alives: timeout=1",
                "Connection: keep-alive", "X: timeout=1", "Link: </a>\r\n Keep-Alive: timeout=1",
            ],
            [HTTPMethodAndPayload.get, post]
        )
        func far(field: String, later: HTTPMethodAndPayload) async throws {
            try await #expect(connections(of: [field, field, field], later) == [0, 0, 0])
        }

        @Test("the last response of an origin decides, and a used handle keeps nothing of an earlier one")
        func last() async throws {
            let near = "Keep-Alive: timeout=1"
            // The first connection is closed, so that later calls have one that they may use.
            let first = "Connection: close\r\n\(near)"
            try await #expect(connections(of: [first, "X: y", "X: y", near, "X: y"], .get) == [0, 1, 1, 1, 2])
        }

        @Test("a field of a 1xx, or of the trailers, announces nothing")
        func elsewhere() async throws {
            let field = "Keep-Alive: timeout=1\r\n"
            let early = "HTTP/1.1 103 Early Hints\r\n\(field)\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n#"
            let late = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n#\r\n0\r\n\(field)\r\n"
            for answer in [early, late] {
                try await #expect(connections(answering: [answer, answer], .get) == [0, 0])
            }
        }

        @Test("one origin's limit holds for no other origin")
        func origins() async throws {
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .send("HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=1\r\n\r\n"), .waitForClose]
            }) { near in
                let connections = Recorder<Int>()
                try await LoopbackServer.playing({
                    connections.append($0)
                    let answer = "HTTP/1.1 204 No Content\r\n\r\n"
                    return Array(repeating: [.receiveRequest, .send(answer)], count: 3).flatMap(\.self)
                }) { far in
                    let connector = Connector.curl()
                    for server in [far, near, far, near, far] {
                        let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                        #expect(output.response?.statusCode == .noContent, "\(output)")
                    }
                }
                #expect(connections.elements == [0])
            }
        }

        @Test("the limit of a connection is not forgotten with a later response on another one")
        func connectionsOfOneOrigin() async throws {
            let (asked, mayAnswer) = ([Latch(), Latch()], [Latch(), Latch()])
            let fields = ["Keep-Alive: timeout=1", "Connection: close", "X: y"]
            try await LoopbackServer.playing({ number in
                let answer = "HTTP/1.1 200 OK\r\n\(fields[number])\r\nContent-Length: 1\r\n\r\n\(number)"
                if number == 2 { return [.receiveRequest, .send(answer)] }
                return [.receiveRequest, .open(asked[number]), .wait(mayAnswer[number]), .send(answer)]
                    + [.receiveRequest, .send(answer)]
            }) { server in
                let connector = Connector.curl()
                let call = { @Sendable [url = server.url] (methodAndPayload: HTTPMethodAndPayload) in
                    let input = Input(url: url, methodAndPayload: methodAndPayload)
                    let output = await WebAPI.call(with: input, via: connector)
                    return output.response.map { String(decoding: $0.payload, as: UTF8.self) } ?? "\(output)"
                }
                async let first = call(.get)
                await asked[0].wait()
                async let second = call(.get)
                await asked[1].wait()
                mayAnswer[0].open()
                #expect(await first == "0")
                mayAnswer[1].open()
                #expect(await second == "1")
                #expect(await call(Self.post) == "2")
            }
        }

        @Test(
            "no request begins from a second before the announced end on, and the longest announced time is no error",
            arguments: [(0, 0), (1, 0), (2, 1), (3, 2), (61, 60)]
        )
        func end(timeout: Int, seconds: Int64) {
            #expect(CurlTransfer.keepAliveEnd(timeout, from: 7) == 7 + seconds * 1_000_000_000)
            #expect(CurlTransfer.keepAliveEnd(.max, from: ccurl_now()) > ccurl_now())
        }

        private func connections(of fields: [String], _ later: HTTPMethodAndPayload) async throws -> [Int] {
            let answers = fields.map { "HTTP/1.1 200 OK\r\n\($0)\r\nContent-Length: 1\r\n\r\n#" }
            return try await connections(answering: answers, later)
        }

        /// Returns the number of the server's connection of each call, which replaces `#` in the call's answer.
        private func connections(answering answers: [String], _ later: HTTPMethodAndPayload) async throws -> [Int] {
            let begun = Recorder<Int>()
            return try await LoopbackServer.playing({ number in
                // Each connection begins with the answer to the call that opened it.
                let rest = answers.dropFirst(begun.elements.count - 1)
                return rest.flatMap { [.receiveRequest, .send($0.replacing("#", with: "\(number)"))] } + [.waitForClose]
            }) { server in
                let connector = Connector.curl()
                var connections: [Int] = []
                for index in answers.indices {
                    begun.append(index)
                    let input = Input(url: server.url, methodAndPayload: index == 0 ? .get : later)
                    let output = await WebAPI.call(with: input, via: connector)
                    let text = output.response.map { String(decoding: $0.payload, as: UTF8.self) }
                    connections.append(try #require(text.flatMap(Int.init), "\(output)"))
                }
                return connections
            }
        }
    }
#endif
