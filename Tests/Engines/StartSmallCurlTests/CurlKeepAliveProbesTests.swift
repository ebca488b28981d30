#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallTesting
    import TestSupport
    import Testing

    @testable import StartSmallEngines

    /// The probes of TCP on silent connections.
    @Suite(.timeLimit(.minutes(2))) struct CurlKeepAliveProbesTests {
        private typealias KeepAlive = ConnectionOptions.TCPKeepAlive

        @Test(
            "a connection has the probes of its options, within what the system accepts",
            arguments: [
                (KeepAlive(), 1, 60, 15), (KeepAlive(idle: .seconds(7), interval: .seconds(3)), 1, 7, 3),
                (KeepAlive(idle: .zero, interval: .milliseconds(1)), 1, 1, 1),
                (KeepAlive(idle: .seconds(Int64.max), interval: .seconds(40_000)), 1, 32_767, 32_767),
                (nil, 0, nil, nil),
            ] as [(ConnectionOptions.TCPKeepAlive?, Int32, Int32?, Int32?)]
        )
        func options(keepAlive: ConnectionOptions.TCPKeepAlive?, isOn: Int32, idle: Int32?, interval: Int32?)
            async throws
        {
            let (begun, release) = (Latch(), Latch())
            let steps: [ServerScriptStep] = [
                .receiveRequest, .open(begun), .wait(release),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let options = ConnectionOptions(
                    connectTimeout: nil,
                    idleTimeout: nil,
                    tcpKeepAlive: keepAlive,
                    proxy: .none
                )
                async let output = WebAPI.call(with: Input(url: server.url), via: .curl(options: options))
                await begun.wait()
                let sockets = Self.sockets(to: server.port)
                #expect(sockets.map { Self.option(SO_KEEPALIVE, of: SOL_SOCKET, $0) } == [isOn])
                if let idle, let interval {
                    #expect(sockets.map { Self.option(TCP_KEEPIDLE, of: Int32(IPPROTO_TCP), $0) } == [idle])
                    #expect(sockets.map { Self.option(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), $0) } == [interval])
                }
                release.open()
                #expect(await output.response?.payload == Data("hi".utf8))
            }
        }

        /// Returns the sockets of this process that are connected to a port of this machine.
        private static func sockets(to port: UInt16) -> [Int32] {
            (0..<4_096).filter { descriptor in
                var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
                let result = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
                }
                return result == 0 && address.sin_family == AF_INET && UInt16(bigEndian: address.sin_port) == port
            }
        }

        private static func option(_ name: Int32, of level: Int32, _ descriptor: Int32) -> Int32? {
            var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : nil
        }

        // MARK: a network that forgets silent connections

        private static let server = ProcessInfo.processInfo.environment["STARTSMALL_FORGETFUL_SERVER"]

        private static let isForgetful = ConditionTrait.enabled(
            if: server != nil,
            "a network that forgets connections takes a network namespace: Tests/NetworkNamespace/run.sh"
        )

        private func output(port: Int, _ keepAlive: KeepAlive?, idleTimeout: Duration?) async throws -> Output {
            let options = ConnectionOptions(
                idleTimeout: idleTimeout.map { .limit($0) } ?? .none,
                tcpKeepAlive: keepAlive,
                proxy: .none
            )
            let server = try #require(Self.server)
            let url = try #require(URL(string: "http://\(server):\(port)/"))
            return await WebAPI.call(with: Input(url: url), via: .curl(options: options))
        }

        private static let eachSecond = KeepAlive(idle: .seconds(1), interval: .seconds(1))

        @Test("an answer after a silence arrives over a connection that is probed", isForgetful)
        func probed() async throws {
            let output = try await output(port: 8_080, Self.eachSecond, idleTimeout: .seconds(60))
            #expect(output.response?.payload == Data("hi".utf8), "\(output)")
        }

        @Test("without probes, the answer does not arrive", isForgetful)
        func forgotten() async throws {
            let output = try await output(port: 8_080, nil, idleTimeout: .seconds(10))
            #expect(output.connectionError?.name == "timedOut", "\(output)")
        }

        @Test("a connection that is gone ends a call without a time limit", isForgetful)
        func gone() async throws {
            let output = try await output(port: 8_081, Self.eachSecond, idleTimeout: nil)
            #expect(output.connectionError?.name == "connectionLost", "\(output)")
        }
    }
#endif
