#if os(Linux)
    import CCurl
    import Foundation
    import StartSmall
    import StartSmallTesting
    import TestSupport
    import Testing

    @testable import StartSmallCore
    @testable import StartSmallCurl

    @Suite("options of the engine for Linux") struct CurlOptionsTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        private func message(_ options: ConnectionOptions, headers: HTTPHeaders = [:]) async throws -> RawMessage {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { server in
                let output = await WebAPI.call(
                    with: Input(url: server.url, headers: headers),
                    via: .curl(options: options)
                )
                #expect(output.response?.payload == Data("hi".utf8))
                return RawMessage(try #require(server.received.elements.first))
            }
        }

        @Test("given certificates replace the system's: no other directory is trusted besides")
        func trust() {
            let file = URL(filePath: "/nowhere/ca.pem")
            #expect(ConnectionOptions(caFile: file).directories == [ccurl_ca_path, ccurl_proxy_ca_path])
            #expect(ConnectionOptions().directories == [])
            #expect(ConnectionOptions.systemCAFiles.contains("/etc/ssl/certs/ca-certificates.crt"))
        }

        @Test("a transfer that ends does not wait for its name lookup, from libcurl 7.87 on") func quickExit() throws {
            try LoneTransfer.made { lone in
                let isKnown = ccurl_set_long(lone.handle, ccurl_quick_exit, 1) == 0
                #expect(isKnown == !CurlLoop.waitsForLookup(ccurl_version()))
            }
            #expect(CurlLoop.waitsForLookup(0x075600) && !CurlLoop.waitsForLookup(0x075700))
        }

        @Test("successive requests over HTTP/2 without TLS succeed", .timeLimit(.minutes(1)))
        func http2() async throws {
            try await withHTTP2Server { port in
                let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
                let connector = Connector.curl(options: ConnectionOptions(httpVersion: .http2, proxy: .none))
                for _ in 0..<20 {
                    let output = await WebAPI.call(with: Input(url: url), via: connector)
                    #expect(output.response?.statusCode == .noContent, "\(output)")
                }
            }
        }

        @Test(
            "of two addresses of a host, a silent one is abandoned in time for the other",
            .enabled(
                if: ProcessInfo.processInfo.environment["STARTSMALL_TWO_ADDRESSES"] != nil,
                "a name with two addresses takes a mount namespace: Tests/MountNamespace/run.sh"
            )
        )
        func twoAddresses() async throws {
            let name = try #require(ProcessInfo.processInfo.environment["STARTSMALL_TWO_ADDRESSES"])
            try await withSilentServer(at: 0x7f00_0002) { port in
                try await withServer(at: 0x7f00_0003, port: port) { port in
                    let url = try #require(URL(string: "http://\(name):\(port)/"))
                    let options = ConnectionOptions(connectTimeout: .seconds(4), proxy: .none)
                    let output = await WebAPI.call(with: Input(url: url), via: .curl(options: options))
                    #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                } serving: {
                    if readHead($0) { write(Self.answer, to: $0) }
                }
            }
        }

        @Test("the versions of libcurl that can't reuse a connection of HTTP/2 without TLS are known") func broken() {
            let broken: [UInt32] = [0x075800, 0x075801]
            let whole: [UInt32] = [0x075100, 0x075700, 0x080000, 0x081700]
            #expect(broken.allSatisfy(ConnectionOptions.breaksReusedHTTP2))
            #expect(!whole.contains(where: ConnectionOptions.breaksReusedHTTP2))
        }

        @Test("nothing is added but required fields, content codings, and a User-Agent")
        func nothingIsAdded() async throws {
            let message = try await message(ConnectionOptions())
            #expect(Set(message.headers.fields.map(\.name)) == ["Host", "Accept-Encoding", "User-Agent"])
            #expect(message.headers["User-Agent"] == "StartSmall")
            #expect(message.headers["Accept-Encoding"]?.hasPrefix("gzip") == true)
        }

        @Test("without decompression, no coding is requested, and the payload is returned undecoded")
        func withoutDecompressionNo() async throws {
            #expect(try await message(ConnectionOptions(decompression: .none)).headers["Accept-Encoding"] == nil)
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nraw"),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let connector = Connector.curl(options: ConnectionOptions(decompression: .none))
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.response?.payload == Data("raw".utf8), "\(output)")
            }
        }

        @Test("a proxy is used, and its password is redacted") func aProxyIs() async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { server in
                let proxy = ConnectionOptions.Proxy.url("http://me:secret@127.0.0.1:\(server.port)")
                let input = Input(url: try #require(URL(string: "http://startsmall.invalid/a?b")))
                let output = await WebAPI.call(with: input, via: .curl(options: ConnectionOptions(proxy: proxy)))
                #expect(output.response?.payload == Data("hi".utf8))
                let message = RawMessage(try #require(server.received.elements.first))
                #expect(message.requestLine == "GET http://startsmall.invalid/a?b HTTP/1.1")
                #expect(
                    message.headers["Proxy-Authorization"] == "Basic " + Data("me:secret".utf8).base64EncodedString()
                )
                #expect(!"\(proxy) \(ConnectionOptions(proxy: proxy)) \(String(reflecting: proxy))".contains("secret"))
            }
        }

        @Test(
            "an unreachable proxy is a proxy failure, and a missing Unix domain socket or interface an error",
            arguments: [
                (ConnectionOptions(proxy: .url("http://127.0.0.1:1")), "startsmall.invalid", "proxyFailed"),
                (ConnectionOptions(unixSocket: URL(filePath: "/no.sock")), "startsmall.invalid", "connectionRefused"),
                (ConnectionOptions(interface: "no-such-thing"), "127.0.0.1:1", "other"),
            ]
        )
        func unreachable(options: ConnectionOptions, host: String, name: String) async throws {
            let input = Input(url: try #require(URL(string: "http://\(host)/")))
            let error = await WebAPI.call(with: input, via: .curl(options: options)).connectionError
            let failedInterface = 45
            #expect(error?.name == name, "\(error as Any)")
            if name == "other" { #expect(error?.cause?.code == failedInterface) }
        }

        @Test(
            "a tunnel that the proxy refuses is a proxy failure, and only a transient one is asked for again",
            arguments: [401, 403, 407, 502, 503, 504]
        )
        func refusedTunnel(status: Int) async throws {
            let refusal = "HTTP/1.1 \(status) No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"
            let connections = Recorder<Int>()
            try await LoopbackServer.playing({
                connections.append($0)
                return [.receiveRequest, .send(refusal), .close]
            }) { server in
                let proxy = ConnectionOptions.Proxy.url("http://me:hunter2@127.0.0.1:\(server.port)")
                let input = Input(url: try #require(URL(string: "https://startsmall.invalid/")))
                let connector = Connector.curl(options: ConnectionOptions(proxy: proxy))
                    .wrapped(by: .retry(.exponential(attempts: 3, baseDelay: .zero), random: { 0 }))
                let error = await WebAPI.call(with: input, via: connector).connectionError
                #expect(error?.name == "proxyFailed")
                #expect(error?.debugInfo.contains("credentials") == (status == 407), "\(error as Any)")
                #expect(error?.debugInfo.contains("\(status)") == true)
                #expect(error?.debugInfo.contains("hunter2") == false)
            }
            #expect(connections.elements.count == (status < 500 ? 1 : 3))
        }

        @Test(
            "a client certificate that can't be read ends the call before TLS, without its password",
            arguments: ["PEM", "PKCS12"]
        )
        func clientCertificate(kind: String) async throws {
            try await withFile(Data("no certificate".utf8)) { file in
                let certificate: ConnectionOptions.ClientCertificate =
                    kind == "PEM"
                    ? .pem(certificateFile: file, keyFile: file, keyPassword: "hunter2")
                    : .pkcs12(file: file, password: "hunter2")
                try await LoopbackServer.playing({ _ in [.waitForClose] }) { server in
                    let input = Input(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
                    let connector = Connector.curl(options: ConnectionOptions(clientCertificate: certificate))
                    let error = await WebAPI.call(with: input, via: connector).connectionError
                    #expect(error?.name == "engineUnavailable")
                    #expect(error?.debugInfo.contains("\(kind) ") == true, "\(error?.debugInfo ?? "")")
                    #expect(error?.debugInfo.contains("hunter2") == false)
                }
            }
        }

        @Test("an interface is used") func anInterfaceIs() async throws {
            _ = try await message(ConnectionOptions(interface: "lo"))
        }

        @Test("a Unix domain socket is used, whatever the host") func aUnixDomain() async throws {
            let input = Input(url: try #require(URL(string: "http://startsmall.invalid/")))
            let output = try await withUnixServer(answering: Self.answer) { path in
                await WebAPI.call(with: input, via: .curl(options: ConnectionOptions(unixSocket: URL(filePath: path))))
            }
            #expect(output.response?.payload == Data("hi".utf8), "\(output)")
        }

        @Test("connections to a host stay within the limit, and queued calls are not overdue")
        func noMoreConnections() async throws {
            let connections = Recorder<Int>()
            let go = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .wait(go), .send(Self.answer), .receiveRequest, .send(Self.answer),
            ]
            try await LoopbackServer.playing({
                connections.append($0)
                return steps
            }) { server in
                let options = ConnectionOptions(
                    connectTimeout: .milliseconds(250),
                    idleTimeout: nil,
                    maxConnectionsPerHost: 1
                )
                let connector = Connector.curl(options: options)
                async let first = WebAPI.call(with: Input(url: server.url), via: connector)
                async let second = WebAPI.call(with: Input(url: server.url), via: connector)
                // Longer than the connect timeout.
                try await passTime(.milliseconds(500))
                go.open()
                #expect(await [first, second].compactMap { $0.response?.statusCode } == [.ok, .ok])
            }
            #expect(connections.elements == [0])
        }

        @Test("connections to all hosts stay within the limit")
        func noMoreConnectionsInAll() async throws {
            let (connections, go) = (Recorder<Void>(), Latch())
            let script: @Sendable (Int) -> [ServerScriptStep] = { _ in
                connections.append(())
                return [.receiveRequest, .wait(go), .send(Self.answer), .receiveRequest, .send(Self.answer)]
            }
            try await LoopbackServer.playing(script) { first in
                try await LoopbackServer.playing(script) { second in
                    let options = ConnectionOptions(idleTimeout: nil, maxConnectionsPerHost: 2, maxConnections: 3)
                    let connector = Connector.curl(options: options)
                    let calls = [first, second, first, second].map { server in
                        Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                    }
                    await eventually { connections.elements.count == 3 }
                    // Much longer than a fourth connection would need.
                    try await passTime(.milliseconds(300))
                    #expect(connections.elements.count == 3)
                    go.open()
                    for call in calls {
                        let output = await call.value
                        #expect(output.response?.statusCode == .ok, "\(output)")
                    }
                }
            }
        }

        @Test("a connection older than its lifetime is not reused, even if it is busy", .exhaustive)
        func lifetime() async throws {
            // Each answer is the number of the server's connection that carried it.
            let connections = Recorder<Int>()
            let answers = { @Sendable (number: Int) in
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: \("\(number)".utf8.count)\r\n\r\n\(number)"
                return Array(repeating: [ServerScriptStep.receiveRequest, .send(answer)], count: 6).flatMap(\.self)
            }
            try await LoopbackServer.playing(answers) { mortal in
                try await LoopbackServer.playing({
                    connections.append($0)
                    return answers($0)
                }) { immortal in
                    let dying = Connector.curl(options: ConnectionOptions(connectionLifetime: .seconds(1)))
                    let lasting = Connector.curl(options: ConnectionOptions(connectionLifetime: nil))
                    var (short, long) = ([Data](), [Data]())
                    // libcurl counts whole seconds: it sees that the first is over only after two.
                    for _ in 0..<6 {
                        let first = await WebAPI.call(with: Input(url: mortal.url), via: dying)
                        short.append(try #require(first.response?.payload, "\(first)"))
                        let second = await WebAPI.call(with: Input(url: immortal.url), via: lasting)
                        long.append(try #require(second.response?.payload, "\(second)"))
                        try await passTime(.milliseconds(500))
                    }
                    #expect(Set(short).count > 1)
                    #expect(Set(long).count == 1, "\(long.map { String(decoding: $0, as: UTF8.self) })")
                    #expect(connections.elements == [0])
                }
            }
        }

        @Test("an unused connection is closed at its age limit, without another call") func aConnectionThat()
            async throws
        {
            let closed = Latch()
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .send(Self.answer), .waitForClose, .open(closed)]
            }) { server in
                let connector = Connector.curl(options: ConnectionOptions(idleConnectionAge: .milliseconds(100)))
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                await closed.wait()
                withExtendedLifetime(connector) {}
            }
        }

        @Test("each call reports an option that libcurl refuses") func anOptionThat() async throws {
            // More than CURL_MAX_INPUT_LENGTH, the longest text that libcurl accepts.
            let interface = String(repeating: "a", count: 8_000_001)
            let connector = Connector.curl(options: ConnectionOptions(interface: interface))
            for _ in 0..<2 {
                let error = await WebAPI.call(with: Fixture.input, via: connector).connectionError
                #expect(error?.name == "engineUnavailable")
                #expect(error?.debugInfo.hasPrefix("libcurl rejects option ") == true)
            }
        }

        @Test(
            "no duration ends the process",
            arguments: [Duration.zero, .nanoseconds(1), .seconds(Int64.max)]
        )
        func noDurationEnds(duration: Duration) async throws {
            let options = ConnectionOptions(
                connectTimeout: duration,
                idleTimeout: .limit(duration),
                idleConnectionAge: duration,
                connectionLifetime: duration
            )
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { server in
                let output = await WebAPI.call(with: Input(url: server.url), via: .curl(options: options))
                let isExpected = output.response?.statusCode == .ok || output.connectionError?.name == "timedOut"
                #expect(isExpected, "\(output)")
            }
        }
    }
#endif
