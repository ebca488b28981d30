import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Routes of a call: by a redirect, from another address, over a Unix domain socket.
@Suite("redirects, interfaces and Unix domain sockets", .timeLimit(.minutes(1)))
struct WayTests {
    @Test("a redirect from https to http is not followed: the response is the redirect", arguments: Engine.withCAFile)
    func downgrade(engine: Engine) async throws {
        try await Certificates.made { certificates in
            try await TestServer.running { plain in
                try await TestServer.running(.http1OverTLS(certificates.good.server)) { secure in
                    let input = Input(
                        url: secure.url("/redirect"),
                        queries: [URLQueryItem(name: "to", value: plain.url("/hello").absoluteString)]
                    )
                    let output = try await engine.use(caFile: certificates.caFile) { connector in
                        await WebAPI.call(with: input, via: connector.wrapped(by: .redirect()))
                    }
                    #expect(output.response?.statusCode == .found, "\(output)")
                    #expect(plain.accepted.elements.isEmpty)
                }
            }
        }
    }

    @Test("an engine follows no redirect by itself", arguments: Engine.allCases)
    func noRedirect(engine: Engine) async throws {
        try await TestServer.running { server in
            let response = try await engine.response(of: Input(url: server.url("/redirect")))
            #expect(response.statusCode == .found)
            #expect(response.headers["Location"] == "/hello")
            #expect(server.requested.elements.count == 1)
        }
    }

    @Test("a connection comes from the chosen address")
    func interface() async throws {
        try await TestServer.running { server in
            let connector = Connector.curl(options: ConnectionOptions(proxy: .none, interface: "127.0.0.2"))
            let output = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
            #expect(output.response?.headers["X-Client"] == "127.0.0.2", "\(output)")
        }
    }
}
