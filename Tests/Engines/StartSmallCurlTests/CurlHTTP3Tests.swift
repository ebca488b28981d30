#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import Synchronization
    import Testing

    import StartSmall
    @testable import StartSmallCore
    @testable import StartSmallCurl

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
