#if os(Linux)
    import CCurl
    import Foundation
    import Glibc
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore
    @testable import StartSmallCurl

    /// The address of the only name server, from which the system awaits an answer for two seconds.
    private let silentNameServer = ProcessInfo.processInfo.environment["STARTSMALL_SILENT_NAME_SERVER"]

    /// Calls whose names are looked up by a name server that never answers.
    @Suite(
        "lookups of names that take longer than their calls",
        .serialized,
        .timeLimit(.minutes(1)),
        .enabled(
            if: silentNameServer != nil,
            "a name server that never answers takes a mount namespace: Tests/MountNamespace/run.sh"
        )
    )
    struct CurlLookupTests {
        private static let name = ProcessInfo.processInfo.environment["STARTSMALL_TWO_ADDRESSES"] ?? ""

        @Test("calls that have ended during their lookup hold no connection", arguments: [10, 100])
        func connectionsAreFree(rounds: Int) async throws {
            let output = try await output(
                from: "127.0.0.1",
                waitingAtMost: .seconds(1),
                maxConnections: 4,
                rounds: rounds
            )
            #expect(output.response?.payload == Data("hi".utf8), "\(output)")
        }

        @Test("calls that have ended during their lookup do not delay another name", arguments: [25, 60])
        func namesAreFree(rounds: Int) async throws {
            let output = try await output(from: Self.name, waitingAtMost: .seconds(1), rounds: rounds)
            #expect(output.response?.payload == Data("hi".utf8), "\(output)")
        }

        @Test("the lookups that go on without their calls have a limit, which no address needs")
        func limit() async throws {
            // The lookups of other tests end after two seconds.
            await eventually { Self.threads < 100 }
            let rounds = ccurl_lookup_limit / 4 + 50
            let output = try await output(from: "127.0.0.1", waitingAtMost: .seconds(4), rounds: rounds)
            #expect(output.response?.payload == Data("hi".utf8), "\(output)")
            #expect(Self.threads < ccurl_lookup_limit + 100)
        }

        /// The number of threads of this process.
        private static var threads: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? .max
        }

        @Test(
            "a call beyond the limit of lookups ends with hostNotFound at once",
            .enabled(if: isLimitedHere, "this libcurl has a limit of its own, at which lookups wait")
        )
        func beyondTheLimit() async throws {
            let rounds = ccurl_lookup_limit / 4 + 50
            let output = try await output(from: Self.name, waitingAtMost: .seconds(4), rounds: rounds)
            #expect(output.connectionError?.name == "hostNotFound", "\(output)")
            #expect(output.connectionError?.isTransient == true)
        }

        private static let isLimitedHere =
            Connector.curlUnavailable == nil && !CurlLoop.limitsLookups(ccurl_version())

        /// Calls names for a moment, four in each round, and then a server by its host name or address.
        private func output(
            from host: String,
            waitingAtMost connectTimeout: Duration,
            maxConnections: Int = ConnectionOptions.defaultMaxConnections,
            rounds: Int = 10
        ) async throws -> Output {
            let silent = try boundSocket()
            defer { close(silent) }
            let options = ConnectionOptions(
                connectTimeout: connectTimeout,
                maxConnections: maxConnections,
                proxy: .none
            )
            let connector = Connector.curl(options: options)
            let limited = connector.wrapped(by: .timeout(.milliseconds(20)))
            for number in 0..<rounds {
                await withTaskGroup { group in
                    for call in 0..<4 {
                        guard let url = URL(string: "http://name-\(number)-\(call).test/") else { continue }
                        group.addTask {
                            let output = await WebAPI.call(with: Input(url: url), via: limited)
                            if ["timedOut", "hostNotFound"].contains(output.connectionError?.name) { return }
                            Issue.record("\(output)")
                        }
                    }
                }
            }
            let loopback: UInt32 = host == "127.0.0.1" ? 0x7f00_0001 : 0x7f00_0003
            return try await withServer(at: loopback) { port in
                let url = try #require(URL(string: "http://\(host):\(port)/"))
                return await WebAPI.call(with: Input(url: url), via: connector)
            } serving: {
                if readHead($0) { write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", to: $0) }
            }
        }

        /// Returns the socket of the name server, whose queries nobody reads.
        private func boundSocket() throws -> Int32 {
            let descriptor = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(53).bigEndian
            try #require(inet_pton(AF_INET, silentNameServer ?? "", &address.sin_addr) == 1)
            var reuse: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &reuse, socklen_t(MemoryLayout.size(ofValue: reuse)))
            let isBound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if !isBound { throw Unexpected("errno \(errno)") }
            return descriptor
        }
    }
#endif
