#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import Synchronization
    import Testing

    @testable import StartSmall

    /// HTTP/3 over a server that `make newest-curl` starts, with the libcurl that it fetches.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct CurlHTTP3Tests {
        /// The servers of Tests/NewestCurl/http3_server.py; nil unless they run.
        private static let servers: (http3: String, tcp: String, caFile: URL)? = {
            guard let text = ProcessInfo.processInfo.environment["STARTSMALL_HTTP3"] else { return nil }
            let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3 else { return nil }
            return ("https://127.0.0.1:\(parts[0])", "https://127.0.0.1:\(parts[1])", URL(filePath: parts[2]))
        }()

        private static let isServed = servers != nil
        /// Whether the libcurl of this run has no HTTP/3.
        private static let isLacking =
            Connector.curlUnavailable == nil
            && ConnectionOptions(httpVersion: .http3)
                .lacksHTTP3(features: ccurl_features(), version: ccurl_version()) != nil
        private static let reason: Comment = "make newest-curl starts the server"

        private static func options() throws -> ConnectionOptions {
            ConnectionOptions(httpVersion: .http3, proxy: .none, caFile: try #require(servers).caFile)
        }

        private static func input(_ path: String) throws -> Input {
            let server = try #require(servers).http3
            return Input(url: try #require(URL(string: server + path)))
        }

        private static func text(_ output: Output) -> String? {
            output.response.map { String(decoding: $0.payload, as: UTF8.self) }
        }

        @Test("a response over HTTP/3 has its status, header fields and payload", .enabled(if: isServed, reason))
        func whole() async throws {
            let log = EventLog()
            let connector = Connector.curl(options: try Self.options()).wrapped(by: .listen(to: log.listener))
            let output = await WebAPI.call(with: try Self.input("/hello"), via: connector)
            #expect(output.response?.statusCode == .ok, "\(output)")
            #expect(output.response?.headers["X-Server"] == "aioquic")
            #expect(Self.text(output) == "GET /hello ")
            let versions = log.events.compactMap {
                if case .timings(let timings) = $0 { timings.httpVersion } else { nil }
            }
            #expect(versions == ["3"])
        }

        @Test("an address policy judges connections over HTTP/3, too", .enabled(if: isServed, reason))
        func addressPolicy() async throws {
            var options = try Self.options()
            options.addressPolicy = .publicOnly
            let refused = await WebAPI.call(with: try Self.input("/hello"), via: .curl(options: options))
            #expect(refused.connectionError?.name == "requestRefused", "\(refused)")
            let asked = Recorder<NetworkAddress>()
            options.addressPolicy = .custom("all") {
                asked.append($0)
                return true
            }
            let connector = Connector.curl(options: options)
            for _ in 0..<2 {
                let output = await WebAPI.call(with: try Self.input("/hello"), via: connector)
                #expect(Self.text(output) == "GET /hello ", "\(output)")
            }
            #expect(Set(asked.elements.map { "\($0)" }) == ["127.0.0.1"])
        }

        @Test("trailers over HTTP/3 arrive", .enabled(if: isServed, reason))
        func trailers() async throws {
            let connector = Connector.curl(options: try Self.options())
            let output = await WebAPI.call(with: try Self.input("/trailers"), via: connector)
            #expect(Self.text(output) == "payload", "\(output)")
            #expect(output.response?.trailers["X-Checksum"] == "1")
        }

        @Test("a hundred concurrent calls share one connection", .enabled(if: isServed, reason))
        func shared() async throws {
            let connector = Connector.curl(options: try Self.options())
            let before = Int(Self.text(await WebAPI.call(with: try Self.input("/connections"), via: connector)) ?? "")
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        guard let input = try? Self.input("/\(number)") else { return false }
                        return Self.text(await WebAPI.call(with: input, via: connector)) == "GET /\(number) "
                    }
                }
                for await isRight in group { #expect(isRight) }
            }
            let after = Int(Self.text(await WebAPI.call(with: try Self.input("/connections"), via: connector)) ?? "")
            #expect(before != nil && after == before)
        }

        @Test("nothing of a POST is left in the GET, PUT and HEAD after it", .enabled(if: isServed, reason))
        func sequence() async throws {
            let connector = Connector.curl(options: try Self.options())
            var input = try Self.input("/a")
            let small = Payload(.data(Data("small".utf8)), mediaType: .text)
            let large = Payload(.data(Data(repeating: 0x78, count: 300_000)), mediaType: .text)
            for (method, sent, received) in [
                (HTTPMethodAndPayload.post(payload: small), 5, "POST /a ".count + 5),
                (.get, 0, "GET /a ".count), (.put(payload: large), 300_000, "PUT /a ".count + 300_000),
                (.head, 0, 0), (.delete(payload: nil), 0, "DELETE /a ".count),
                (.post(payload: large), 300_000, "POST /a ".count + 300_000), (.get, 0, "GET /a ".count),
            ] {
                input.methodAndPayload = method
                let output = await WebAPI.call(with: input, via: connector)
                #expect(output.response?.payload.count == received, "\(method.method) of \(sent) bytes: \(output)")
            }
        }

        @Test("8 MiB arrive in a file", .enabled(if: isServed, reason))
        func large() async throws {
            let file = URL.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            var input = try Self.input("/bytes/\(8 << 20)")
            input.delivery = .file(file)
            let output = await WebAPI.call(with: input, via: .curl(options: try Self.options()))
            #expect(output.response?.statusCode == .ok, "\(output)")
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            #expect(size == 8 << 20)
        }

        @Test(
            "a stream that the server resets is a lost connection, and the next call succeeds",
            .enabled(if: isServed, reason),
            arguments: ["/reset", "/cut", "/close"]
        )
        func lost(_ path: String) async throws {
            let connector = Connector.curl(options: try Self.options())
            _ = await WebAPI.call(with: try Self.input("/first"), via: connector)
            var input = try Self.input(path)
            input.methodAndPayload = .post(payload: nil)
            let output = await WebAPI.call(with: input, via: connector)
            guard case .noResponse(.connectionLost(let cause)) = output else {
                Issue.record("\(output)")
                return
            }
            #expect((cause.partial?.payload == Data("half".utf8)) == (path == "/cut"))
            #expect(Self.text(await WebAPI.call(with: try Self.input("/next"), via: connector)) == "GET /next ")
        }

        @Test("a POST whose stream is reset is not sent again", .enabled(if: isServed, reason))
        func once() async throws {
            let connector = Connector.curl(options: try Self.options())
            let before = Int(Self.text(await WebAPI.call(with: try Self.input("/resets"), via: connector)) ?? "") ?? -1
            var input = try Self.input("/reset")
            input.methodAndPayload = .post(payload: Payload(.data(Data("once".utf8)), mediaType: .text))
            _ = await WebAPI.call(with: input, via: connector)
            let after = Int(Self.text(await WebAPI.call(with: try Self.input("/resets"), via: connector)) ?? "")
            #expect(after == before + 1)
        }

        @Test("a call after the server has closed the connection opens another one", .enabled(if: isServed, reason))
        func closed() async throws {
            let connector = Connector.curl(options: try Self.options())
            let observer = Connector.curl(options: try Self.options())
            let before = Int(Self.text(await WebAPI.call(with: try Self.input("/connections"), via: observer)) ?? "")
            for count in 1...5 {
                #expect(Self.text(await WebAPI.call(with: try Self.input("/last"), via: connector)) == "GET /last ")
                #expect(Self.text(await WebAPI.call(with: try Self.input("/ended/\(count)"), via: observer)) == "")
            }
            let after = Int(Self.text(await WebAPI.call(with: try Self.input("/connections"), via: observer)) ?? "")
            #expect(try #require(after) == #require(before) + 5)
        }

        @Test("a cancelled call ends at once, and its connection carries the next call", .enabled(if: isServed, reason))
        func cancelled() async throws {
            let connector = Connector.curl(options: try Self.options())
            #expect(Self.text(await WebAPI.call(with: try Self.input("/first"), via: connector)) == "GET /first ")
            let silent = try Self.input("/silent")
            let task = Task { await WebAPI.call(with: silent, via: connector) }
            #expect(Self.text(await WebAPI.call(with: try Self.input("/second"), via: connector)) == "GET /second ")
            task.cancel()
            #expect(await task.value == .noResponse(.cancelled))
            #expect(Self.text(await WebAPI.call(with: try Self.input("/third"), via: connector)) == "GET /third ")
        }

        @Test("a server without HTTP/3 is called over TCP", .enabled(if: isServed, reason))
        func fallback() async throws {
            let server = try #require(Self.servers).tcp
            let url = try #require(URL(string: server))
            let connector = Connector.curl(options: try Self.options())
            for _ in 0..<2 { #expect(Self.text(await WebAPI.call(with: Input(url: url), via: connector)) == "tcp") }
        }

        @Test("a certificate that is not trusted ends the call before the request", .enabled(if: isServed, reason))
        func untrusted() async throws {
            let options = ConnectionOptions(httpVersion: .http3, proxy: .none)
            let output = await WebAPI.call(with: try Self.input("/secret"), via: .curl(options: options))
            guard case .noResponse(.serverCertificateUntrusted) = output else {
                Issue.record("\(output)")
                return
            }
        }

        @Test(
            "a libcurl without HTTP/3, or without its fallback, is named as the reason",
            arguments: [
                (UInt32(0x075700), UInt32.max, "httpVersion is .http3, which libcurl supports from 7.88 on"),
                (0x075800, 0, "httpVersion is .http3, and this libcurl was built without HTTP/3"),
                (0x081700, 1 << 25, nil),
            ]
        )
        func lacking(_ version: UInt32, _ features: UInt32, _ reason: String?) {
            #expect(ConnectionOptions(httpVersion: .http3).lacksHTTP3(features: features, version: version) == reason)
            #expect(ConnectionOptions().lacksHTTP3(features: 0, version: version) == nil)
        }

        @Test(
            "over a libcurl without HTTP/3, each call says so",
            .enabled(
                if: isLacking,
                "this libcurl has HTTP/3"
            )
        )
        func unavailable() async throws {
            let connector = Connector.curl(options: ConnectionOptions(httpVersion: .http3))
            let url = try #require(URL(string: "https://127.0.0.1:1/"))
            let output = await WebAPI.call(with: Input(url: url), via: connector)
            guard case .noResponse(.engineUnavailable(let text)) = output else {
                Issue.record("\(output)")
                return
            }
            #expect(text.hasPrefix("httpVersion is .http3"))
        }
    }
#endif
