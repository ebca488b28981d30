import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Requests through a proxy, and the errors of a failed one.
@Suite("proxy", .timeLimit(.minutes(1)))
struct ProxyTests {
    private func output(of url: URL, _ proxy: String, caFile: URL? = nil) async -> Output {
        let connector = Connector.curl(options: ConnectionOptions(proxy: .url(proxy), caFile: caFile))
        return await WebAPI.call(with: Input(url: url), via: connector)
    }

    @Test("an https host is reached by a CONNECT tunnel (RFC 9110 9.3.6), whose content the proxy can't read")
    func tunnel() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http2OverTLS(certificates.good.server)) { server in
                try await ForwardProxy.running { proxy in
                    let output = await output(of: server.url("/hello"), proxy.url, caFile: certificates.caFile)
                    #expect(output.response?.payload == Data("hello".utf8), "\(output)")
                    #expect(output.response?.headers["X-HTTP-Version"] == "2")
                    #expect(output.response?.headers["Date"] == Routes.date)
                    let target = "127.0.0.1:\(server.url.port!)"
                    #expect(proxy.asked.elements.map(\.words) == [["CONNECT", target, "HTTP/1.1"]])
                }
            }
        }
    }

    @Test("the server behind a tunnel must be trusted")
    func untrusted() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http1OverTLS(Certificates.selfSigned.server)) { server in
                try await ForwardProxy.running { proxy in
                    let output = await output(of: server.url("/hello"), proxy.url, caFile: certificates.caFile)
                    #expect(output.connectionError?.name == "serverCertificateUntrusted", "\(output)")
                    #expect(proxy.asked.elements.count == 1)
                }
            }
        }
    }

    @Test("the user and password of the proxy's URL go to the proxy, and to no server", arguments: [false, true])
    func credentials(secure: Bool) async throws {
        try await Certificates.made { certificates in
            let transport = secure ? TestServer.Transport.http1OverTLS(try certificates.good.server) : .http1
            try await TestServer.running(transport) { server in
                try await ForwardProxy.running { proxy in
                    let url = proxy.url.replacing("http://", with: "http://user:secret@")
                    let output = await output(of: server.url("/fields"), url, caFile: certificates.caFile)
                    let credentials = "Basic " + Data("user:secret".utf8).base64EncodedString()
                    #expect(proxy.asked.elements.map { $0.value(of: "Proxy-Authorization") } == [credentials])
                    let fields = output.response.map { String(decoding: $0.payload, as: UTF8.self) }
                    #expect(fields?.lowercased().contains("authorization") == false, "\(output)")
                }
            }
        }
    }

    @Test("the credentials for a server behind a tunnel do not go to the proxy")
    func serversCredentials() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http1OverTLS(certificates.good.server)) { server in
                try await ForwardProxy.running { proxy in
                    let options = ConnectionOptions(proxy: .url(proxy.url), caFile: certificates.caFile)
                    let headers: HTTPHeaders = ["Authorization": "Bearer secret", "Cookie": "a=secret"]
                    let input = Input(url: server.url("/fields"), headers: headers)
                    let output = await WebAPI.call(with: input, via: .curl(options: options))
                    let fields = output.response.map { String(decoding: $0.payload, as: UTF8.self) }
                    #expect(fields?.contains("Bearer secret") == true, "\(output)")
                    #expect(proxy.asked.elements.flatMap(\.fields).filter { $0.contains("secret") } == [])
                }
            }
        }
    }
}

/// Proxies of the environment: each test runs in its own process, as the environment is global.
@Suite("proxies of the environment", .timeLimit(.minutes(1)))
struct ProxyEnvironmentTests {
    @Test("the proxy of the environment is used by default")
    func environment() async throws {
        await #expect(processExitsWith: .success) {
            try await TestServer.running { server in
                try await ForwardProxy.running { proxy in
                    setenv("http_proxy", proxy.url, 1)
                    unsetenv("no_proxy")
                    unsetenv("NO_PROXY")
                    let output = await WebAPI.call(with: Input(url: server.url("/hello")), via: .curl())
                    try #require(output.response?.statusCode == .ok, "\(output)")
                    try #require(proxy.asked.elements.count == 1)
                }
            }
        }
    }

    @Test("the proxy of the environment is not used if the option is none")
    func none() async throws {
        await #expect(processExitsWith: .success) {
            try await TestServer.running { server in
                try await ForwardProxy.running { proxy in
                    setenv("http_proxy", proxy.url, 1)
                    setenv("all_proxy", proxy.url, 1)
                    let connector = Connector.curl(options: ConnectionOptions(proxy: .none))
                    let output = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
                    try #require(output.response?.statusCode == .ok, "\(output)")
                    try #require(proxy.asked.elements.isEmpty)
                }
            }
        }
    }

    @Test("hosts in no_proxy are called without the proxy of the environment")
    func noProxy() async throws {
        await #expect(processExitsWith: .success) {
            try await TestServer.running { server in
                setenv("http_proxy", "http://127.0.0.1:1", 1)
                setenv("no_proxy", "127.0.0.1", 1)
                let output = await WebAPI.call(with: Input(url: server.url("/hello")), via: .curl())
                try #require(output.response?.statusCode == .ok, "\(output)")
            }
        }
    }

    @Test("a given proxy is used for all hosts, whatever no_proxy contains")
    func given() async throws {
        await #expect(processExitsWith: .success) {
            try await TestServer.running { server in
                try await ForwardProxy.running { proxy in
                    setenv("no_proxy", "127.0.0.1", 1)
                    let connector = Connector.curl(options: ConnectionOptions(proxy: .url(proxy.url)))
                    let output = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
                    try #require(output.response?.statusCode == .ok, "\(output)")
                    try #require(proxy.asked.elements.count == 1)
                }
            }
        }
    }

    @Test("a missing proxy of the environment: proxyFailed")
    func gone() async throws {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let url = try #require(URL(string: "http://127.0.0.1:2/"))
            let output = await WebAPI.call(with: Input(url: url), via: .curl())
            try #require(output.connectionError?.name == "proxyFailed", "\(output)")
        }
    }

    @Test("a missing server, for a host in no_proxy: connectionRefused")
    func goneServer() async throws {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("no_proxy", "127.0.0.1", 1)
            let url = try #require(URL(string: "http://127.0.0.1:2/"))
            let output = await WebAPI.call(with: Input(url: url), via: .curl())
            try #require(output.connectionError?.name == "connectionRefused", "\(output)")
        }
    }
}
