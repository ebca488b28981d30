#if os(Linux)
    import Foundation
    import Glibc
    import StartSmall
    import StartSmallTesting
    import TestSupport
    import Testing

    @Suite("invalid heads and framing, over the engine for Linux") struct CurlFramingTests {
        private func output(of answer: String, _ methodAndPayload: HTTPMethodAndPayload = .get) async throws -> Output {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(answer), .close] }) { server in
                await WebAPI.call(
                    with: Input(url: server.url, methodAndPayload: methodAndPayload),
                    via: .curl(options: ConnectionOptions(idleTimeout: .seconds(5)))
                )
            }
        }

        @Test(
            "an invalid or ambiguous length is no response (RFC 9112 6.3)",
            arguments: [
                "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 6\r\nContent-Length: 5",
                "Content-Length: 5,6",
                "Content-Length: 5, 6", "Content-Length: 99999999999999999999", "Content-Length: 9223372036854775808",
                "Content-Length: -1", "Content-Length: +5", "Content-Length: 0x5", "Content-Length: 5x",
                "Content-Length: 5 5", "Content-Length: 5.0", "Content-Length:", "Content-Length: ,5",
                "Content-Length: 5,",
                "Content-Length: 5\r\n 6", "Content-Length : 5", "Content-Length: five",
                "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: gzip",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
                "Transfer-Encoding : chunked", "Transfer-Encoding:", "Transfer-Encoding: identity, identity",
                "Transfer-Encoding: identity, chunked", "Transfer-Encoding: identity\r\nTransfer-Encoding: identity",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", "Transfer-Encoding : identity",
                "Transfer-Encoding: identity\r\nContent-Length: 5\r\nContent-Length: 6",
            ]
        )
        func noLength(fields: String) async throws {
            for payload in ["hello", "5\r\nhello\r\n0\r\n\r\n"] {
                let output = try await output(of: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(payload)")
                #expect(output.connectionError?.name == "malformedResponse", "\(output)")
            }
        }

        /// libcurl 8.18 and later replaces a fold with a space, as RFC 9112 5.2 requires of a user agent.
        @Test(
            "a length on a folded line is an error, or the unfolded length",
            arguments: [
                ("Content-Length:\r\n 5", "hello"), ("Transfer-Encoding:\r\n chunked", "5\r\nhello\r\n0\r\n\r\n"),
            ]
        )
        func folded(fields: String, payload: String) async throws {
            let output = try await output(of: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(payload)")
            let isError = output.connectionError?.name == "malformedResponse"
            #expect(isError || output.response?.payload == Data("hello".utf8), "\(output)")
        }

        @Test(
            "equal lengths in several fields are one length",
            arguments: [
                "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 005", "content-length:5 ",
                "Content-Length:\t5\t",
                "Content-Length: 5\r\ncontent-length: 05",
            ]
        )
        func oneLength(fields: String) async throws {
            let output = try await output(of: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello")
            #expect(output.response?.payload == Data("hello".utf8), "\(output)")
        }

        @Test(
            "a lone Transfer-Encoding of identity is no coding: the length counts, or the end of the connection",
            arguments: [
                ("", "hello"), ("Content-Length: 5\r\n", "hello"), ("Content-Length: 5\r\n", "hello and more"),
                ("Content-Length: 0\r\n", ""), ("Content-Length: 0\r\n", "more"),
            ]
        )
        func identity(length: String, payload: String) async throws {
            let ends: [ServerScriptStep] = length.isEmpty ? [.close] : [.waitForClose]
            for fields in ["Transfer-Encoding: Identity\r\n\(length)", "\(length)transfer-encoding: identity\r\n"] {
                for delivery in [Delivery.memory, .stream] {
                    let answer = "HTTP/1.1 200 OK\r\n\(fields)\r\n\(payload)"
                    let counted = length.contains("0") ? "" : "hello"
                    try await LoopbackServer.playing({ _ in [.receiveRequest, .send(answer)] + ends }) { server in
                        let connector = Connector.curl(options: ConnectionOptions(idleTimeout: .seconds(5)))
                        for _ in 0..<2 {
                            let input = Input(url: server.url, delivery: delivery)
                            let output = await WebAPI.call(with: input, via: connector)
                            var bytes = Data()
                            if let body = output.response?.body {
                                while let chunk = try await body.next() { bytes += chunk }
                            } else {
                                bytes = try #require(output.response, "\(output)").payload
                            }
                            #expect(bytes == Data(counted.utf8), "\(answer)")
                        }
                    }
                }
            }
        }

        @Test("a payload that is shorter than its length is lost, also with a Transfer-Encoding of identity")
        func shortIdentity() async throws {
            let fields = "Transfer-Encoding: identity\r\nContent-Length: 9\r\n"
            let output = try await output(of: "HTTP/1.1 200 OK\r\n\(fields)\r\nhello")
            #expect(output.connectionError?.name == "connectionLost", "\(output)")
        }

        @Test(
            "a payload delimited by the end of the connection is lost if TLS does not end with it",
            .enabled(if: SecureServer.isAvailable, "this machine has no OpenSSL 3"),
            arguments: [false, true]
        )
        func noCloseNotify(hasLength: Bool) async throws {
            let output = try await SecureServer.running(isHTTP2: false) { url, caFile in
                let options = ConnectionOptions(proxy: .none, caFile: caFile)
                return await WebAPI.call(with: Input(url: url), via: .curl(options: options))
            } serving: { connection in
                let field = hasLength ? "Content-Length: 5" : "Connection: close"
                if connection.readHead() { connection.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\nhello") }
                connection.close()
            }.result
            let error = output.connectionError
            #expect(hasLength ? error == nil : error?.name == "connectionLost", "\(output)")
            #expect((output.response ?? error?.response)?.payload == Data("hello".utf8))
        }

        @Test("an unrequested 101 is malformed at once, and its bytes are no payload", arguments: [true, false])
        func switching(closes: Bool) async throws {
            let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\u{1}raw"
            let end: ServerScriptStep = closes ? .close : .waitForClose
            for fields in ["", "HTTP/1.1 103 Early Hints\r\n\r\n"] {
                try await LoopbackServer.playing({ _ in [.receiveRequest, .send(fields + answer), end] }) { server in
                    let output = await WebAPI.call(with: Input(url: server.url), via: .curl())
                    #expect(output.connectionError?.name == "malformedResponse", "\(output)")
                    #expect(output.connectionError?.response == nil && !RetryCondition.isTransient(output))
                }
            }
        }

        @Test("the length after a 1xx counts, and a length of a 1xx does not") func informational() async throws {
            let hints = "HTTP/1.1 103 Early Hints\r\nContent-Length: 7\r\nLink: </a>\r\n\r\n"
            let bad = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"
            let good = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            #expect(try await output(of: hints + bad).connectionError?.name == "malformedResponse")
            #expect(try await output(of: hints + hints + good).response?.payload == Data("hello".utf8))
        }

        @Test(
            "a response that has no payload may have any length field, and name any coding",
            arguments: ["204 No Content", "304 Not Modified", "HEAD"]
        )
        func noPayload(status: String) async throws {
            let isHead = status == "HEAD"
            let fields =
                "Content-Length: 5\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Encoding: x\r\nConnection: close"
            let answer = "HTTP/1.1 \(isHead ? "200 OK" : status)\r\n\(fields)\r\n\r\n"
            let output = try await output(of: answer, isHead ? .head : .get)
            #expect(output.response?.statusCode.code == (isHead ? 200 : Int(status.prefix(3))), "\(output)")
            #expect(output.response?.payload == Data())
        }

        @Test("an invalid response ends its connection") func connectionEnds() async throws {
            let bad =
                "HTTP/1.1 200 OK\r\nContent-Length: 5,6\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
            let scripts: [[ServerScriptStep]] = [
                [.receiveRequest, .send(bad), .waitForClose], [.receiveRequest, .send(good)],
            ]
            try await LoopbackServer.playing({ scripts[min($0, 1)] }) { server in
                let connector = Connector.curl()
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.response?.payload == Data("hi".utf8), "\(output)")
            }
        }

        @Test(
            "nothing that a server sends is an engine failure",
            arguments: [
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nnonsense\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n: nameless\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n folded\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: nameless\r\n\r\n", "HTTP/1.1 200 OK\r\n folded\r\nX: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n", "HTTP/1.1 200 OK\r\n\u{0}\r\n\r\n",
                "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n",
                "HTTP/1.1 999999 X\r\n\r\n", "HTTP/1.1 20 X\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/3 200\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM x\r\n"
                    + "WWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Digest\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nAlt-Svc: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nSet-Cookie: \(String(repeating: "a", count: 20_000))\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX-A: \(String(repeating: "a", count: 120_000))\r\n\r\n",
                "HTTP/1.1 \(String(repeating: "2", count: 120_000))",
                "HTTP/1.1 200 \(String(repeating: "a", count: 120_000))\r\n\r\n", "",
            ]
        )
        func never(answer: String) async throws {
            let output = try await output(of: answer)
            let (isLong, isHexadecimal) = (answer.contains("X-A: aaa"), answer.contains("0x5"))
            let others = isLong || isHexadecimal ? [] : ["connectionLost", "unreadablePayload"]
            let isUsual = (["malformedResponse"] + others).contains(output.connectionError?.name)
            #expect(isUsual || others != [] && output.response != nil, "\(output)")
            if isLong { #expect("\(output)".contains("no header line of more than 100 KB"), "\(output)") }
        }

        @Test("a failure in the same iteration of the loop as a pause is reported") func failureInPause() async throws {
            // More than the window at once, and then an invalid chunk.
            let large = String(repeating: "a", count: 0x60000)
            let steps: [ServerScriptStep] = [
                .receiveRequest,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n60000\r\n\(large)\r\nxyz\r\n"),
                .close,
            ]
            for _ in 0..<10 {
                try await LoopbackServer.playing({ _ in steps }) { server in
                    let output = await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: .curl())
                    let error = await #expect(throws: ConnectionError.self) {
                        if let error = output.connectionError { throw error }
                        while try await output.response?.body?.next() != nil { await Task.yield() }
                    }
                    #expect(error?.name == "malformedResponse")
                }
            }
        }

        @Test("a call that lacks a descriptor fails with engineUnavailable") func noDescriptors() async {
            await #expect(processExitsWith: .success) {
                let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
                try await LoopbackServer.playing({ _ in [.receiveRequest, .send(ok), .close] }) { server in
                    let connector = Connector.curl()
                    _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                    var held: [Int32] = []
                    while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { held.append(descriptor) }
                    let failed = await WebAPI.call(with: Input(url: server.url), via: connector)
                    for descriptor in held { close(descriptor) }
                    guard failed.connectionError?.name == "engineUnavailable",
                        failed.connectionError?.debugInfo.contains("Too many open files") == true
                    else { throw Unexpected(failed) }
                    let next = await WebAPI.call(with: Input(url: server.url), via: connector)
                    guard next.response?.payload == Data("hi".utf8) else { throw Unexpected(next) }
                }
            }
        }
    }
#endif
