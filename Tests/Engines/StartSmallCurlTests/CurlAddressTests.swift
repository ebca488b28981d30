#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import Synchronization
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore
    @testable import StartSmallCurl

    @Suite("addresses of the engine for Linux", .timeLimit(.minutes(1))) struct CurlAddressTests {
        private typealias Policy = ConnectionOptions.AddressPolicy
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        private static let serves = Array(repeating: [ServerScriptStep.receiveRequest, .send(answer)], count: 9)
            .flatMap(\.self)

        /// Returns the output of a call to a server on 127.0.0.1, and the number of connections that the server got.
        private func call(
            host: String = "127.0.0.1",
            _ policy: Policy,
            resolve: [String: [String]] = [:]
        ) async throws -> (output: Output, connections: Int) {
            let connections = Recorder<Int>()
            let output = try await LoopbackServer.playing({
                connections.append($0)
                return Self.serves
            }) { server in
                let options = ConnectionOptions(proxy: .none, addressPolicy: policy, resolve: resolve)
                let url = try #require(URL(string: "http://\(host):\(server.port)/"))
                return await WebAPI.call(with: Input(url: url), via: .curl(options: options))
            }
            return (output, connections.elements.count)
        }

        @Test(
            "a URL of the own machine is refused before a connection, however its address is written",
            arguments: [
                "127.0.0.1", "localhost", "LOCALHOST", "0x7f.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.1",
                "127.0.1", "0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]",
                "127.0.0.1.", "localhost.",
            ]
        )
        func forms(host: String) async throws {
            let (output, connections) = try await call(host: host, .publicOnly)
            #expect(connections == 0)
            let error = try #require(output.connectionError)
            // A form that is not an address to this libcurl is a name that does not exist, or no URL.
            let isNoAddress = ["hostNotFound", "malformedURL"].contains(error.name)
            #expect(error.name == "requestRefused" || isNoAddress, "\(output)")
            if ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"].contains(host) {
                #expect(error.name == "requestRefused", "\(output)")
            }
        }

        @Test("the error names the policy and the address, and a retry does not repeat the call")
        func error() async throws {
            let count = Atomic<Int>(0)
            let options = ConnectionOptions(proxy: .none, addressPolicy: .publicOnly)
            let counted = Wrapper { input, next in
                count.add(1, ordering: .relaxed)
                return await next(input)
            }
            let connector = Connector.curl(options: options)
                .wrapped(by: .retry(.exponential(attempts: 3), clock: ManualClock()), counted)
            let input = Input(url: try #require(URL(string: "http://127.0.0.1:9/")))
            let output = await WebAPI.call(with: input, via: connector)
            let reason = "the address policy .publicOnly refuses 127.0.0.1 (loopback, RFC 1122)"
            #expect(output == .noResponse(.requestRefused(reason: reason)))
            #expect(count.load(ordering: .relaxed) == 1)
        }

        @Test("of the addresses of a name, a refused one is passed over for an allowed one")
        func mixed() async throws {
            for addresses in [["10.9.8.7", "127.0.0.1"], ["127.0.0.1", "10.9.8.7"], ["::1", "127.0.0.1"]] {
                let resolve = ["startsmall.invalid": addresses]
                let (output, _) = try await call(host: "startsmall.invalid", .only(["127.0.0.1"]), resolve: resolve)
                #expect(output.response?.payload == Data("hi".utf8), "\(addresses) \(output)")
            }
        }

        @Test("if an allowed address can't be reached, that is the error, and not the refusal of another")
        func unreachable() async throws {
            let resolve = ["startsmall.invalid": ["10.9.8.7", "127.0.0.1"]]
            let options = ConnectionOptions(proxy: .none, addressPolicy: .only(["127.0.0.1"]), resolve: resolve)
            let input = Input(url: try #require(URL(string: "http://startsmall.invalid:1/")))
            let output = await WebAPI.call(with: input, via: .curl(options: options))
            #expect(output.connectionError?.name == "connectionRefused", "\(output)")
        }

        @Test("a policy is asked for each request, also on a used connection")
        func eachRequest() async throws {
            let isOpen = Atomic<Bool>(true)
            let asked = Recorder<NetworkAddress>()
            try await LoopbackServer.playing({ _ in Self.serves }) { server in
                let policy = Policy.custom("while open") {
                    asked.append($0)
                    return isOpen.load(ordering: .relaxed)
                }
                let connector = Connector.curl(options: ConnectionOptions(proxy: .none, addressPolicy: policy))
                for _ in 0..<3 {
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.response?.statusCode == .ok)
                }
                #expect(asked.elements.count >= 3)
                #expect(Set(asked.elements.map { "\($0)" }) == ["127.0.0.1"])
                isOpen.store(false, ordering: .relaxed)
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                let reason = "the address policy while open refuses 127.0.0.1"
                #expect(output == .noResponse(.requestRefused(reason: reason)))
                #expect(server.received.elements.count == 3)
                // Nothing of the refusal is left in the handle.
                isOpen.store(true, ordering: .relaxed)
                let after = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(after.response?.statusCode == .ok, "\(after)")
            }
        }

        @Test("each redirect is judged anew, and a refused one ends the call with the redirections before it")
        func redirects() async throws {
            try await LoopbackServer.playing({ _ in Self.serves }) { hidden in
                let location = "Location: http://127.0.0.1:\(hidden.port)/\r\n"
                let redirect = "HTTP/1.1 302 Found\r\n\(location)Content-Length: 0\r\n\r\n"
                try await LoopbackServer.playing({ _ in [.receiveRequest, .send(redirect)] }) { server in
                    let isFirst = Atomic<Bool>(true)
                    // Stands for a public host whose redirect leads to an internal one: only the first connection is
                    // allowed.
                    let policy = Policy.custom("one host") { _ in isFirst.load(ordering: .relaxed) }
                    let options = ConnectionOptions(proxy: .none, addressPolicy: policy)
                    let closes = Wrapper { input, next in
                        defer { isFirst.store(false, ordering: .relaxed) }
                        return await next(input)
                    }
                    let connector = Connector.standard(over: .curl(options: options).wrapped(by: closes))
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.connectionError?.name == "requestRefused", "\(output)")
                    #expect(hidden.received.elements.isEmpty)
                }
            }
        }

        @Test("connectors with different policies share no connection, and no address")
        func apart() async throws {
            try await LoopbackServer.playing({ _ in Self.serves }) { server in
                let open = Connector.curl(options: ConnectionOptions(proxy: .none))
                let closed = Connector.curl(options: ConnectionOptions(proxy: .none, addressPolicy: .publicOnly))
                for _ in 0..<3 {
                    let output = await WebAPI.call(with: Input(url: server.url), via: open)
                    #expect(output.response?.statusCode == .ok)
                    let refused = await WebAPI.call(with: Input(url: server.url), via: closed)
                    #expect(refused.connectionError?.name == "requestRefused")
                }
                #expect(server.received.elements.count == 3)
            }
        }

        @Test("an address of an unknown kind is refused")
        func unknownKind() throws {
            let policy = try #require(Policy.custom("all") { _ in true }.forCallbacks())
            defer {
                policy.deinitialize(count: 1)
                policy.deallocate()
            }
            var address = ccurl_address()
            #expect(!Policy.check(policy, &address))
            address.count = 4
            #expect(Policy.check(policy, &address))
            #expect(Policy.any.forCallbacks() == nil)
        }

        @Test("a link-local address with a zone is refused", .enabled(if: hasIPv6, "this machine has no IPv6"))
        func zone() async throws {
            let connector = Connector.curl(options: ConnectionOptions(proxy: .none, addressPolicy: .publicOnly))
            let url = try #require(URL(string: "http://[fe80::1%251]:9/"))
            let output = await WebAPI.call(with: Input(url: url), via: connector)
            #expect(output.connectionError?.name == "requestRefused", "\(output)")
            #expect(output.connectionError?.debugInfo.contains("fe80::1") == true, "\(output)")
        }

        private static var hasIPv6: Bool {
            let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }

        @Test(
            "an IPv6 address with a zone is connected to in its zone, and Host has no zone (RFC 6874 4)",
            .enabled(if: linkLocal != nil, "this machine has no link-local address")
        )
        func connectedZone() async throws {
            let (text, name, scope) = try #require(linkLocal)
            for zone in [name, "\(scope)"] {
                var host = ""
                let head = try await withServer(at: text, inZone: scope) { port in
                    host = "[\(text)]:\(port)"
                    let built = Either<ConnectionError, Input>.get("http://[\(text)%25\(zone)]:\(port)/a" as String)
                    let connector = Connector.curl(options: ConnectionOptions(proxy: .none))
                    let output = await WebAPI.call(with: try #require(built.right), via: connector)
                    #expect(output.response?.statusCode == .noContent, "\(output)")
                }
                #expect(RawMessage(try #require(head)).headers["Host"] == host)
            }
        }

        // Fixed addresses.

        @Test(
            "a host with a fixed address is connected there, on any port, and keeps its name",
            arguments: ["startsmall.invalid", "STARTSMALL.invalid", "startsmall.invalid."]
        )
        func fixed(host: String) async throws {
            let resolve = ["StartSmall.invalid": ["127.0.0.1"]]
            try await LoopbackServer.playing({ _ in Self.serves }) { first in
                try await LoopbackServer.playing({ _ in Self.serves }) { second in
                    let connector = Connector.curl(options: ConnectionOptions(proxy: .none, resolve: resolve))
                    for port in [first.port, second.port, first.port] {
                        let url = try #require(URL(string: "http://\(host):\(port)/"))
                        let output = await WebAPI.call(with: Input(url: url), via: connector)
                        #expect(output.response?.statusCode == .ok, "\(output)")
                    }
                    let message = RawMessage(try #require(second.received.elements.first))
                    #expect(message.headers["Host"]?.lowercased().hasPrefix("startsmall.invalid") == true)
                }
            }
        }
    }

    /// An address of this machine that is link-local (RFC 4291 2.5.6), without its zone, and the name and the number of
    /// the zone; nil if the machine has none.
    private let linkLocal: (text: String, name: String, scope: UInt32)? = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee, let pointer = entry.ifa_addr,
                pointer.pointee.sa_family == sa_family_t(AF_INET6)
            else { continue }
            let address = pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee }
            let bytes = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
            guard bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80, let text = NetworkAddress(bytes: bytes) else { continue }
            return ("\(text)", String(cString: entry.ifa_name), address.sin6_scope_id)
        }
        return nil
    }()
#endif
