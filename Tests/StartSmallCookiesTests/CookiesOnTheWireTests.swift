import Foundation
import StartSmall
import StartSmallCookies
import StartSmallTesting
import Testing

struct CookiesOnTheWireTests {
    private static func connector(_ jar: CookieJar) -> Connector {
        .standard(over: .engine.wrapped(by: .cookies(in: jar)))
    }

    /// Serves `/` with a redirect that sets a cookie, and any other path with the `Cookie` field that arrived.
    private static let site = Connector.stub { input in
        if input.url.path() == "/" {
            return .hasResponse(
                Response(
                    statusCode: .found,
                    headers: ["Location": "/home", "Set-Cookie": "sid=1; Path=/", "Set-Cookie": "é=\"ü\"; Path=/"]
                )
            )
        }
        let headers: HTTPHeaders = ["Set-Cookie": "seen=\(input.url.path())"]
        let payload = Data((input.headers["Cookie"] ?? "-").utf8)
        return .hasResponse(Response(statusCode: .ok, headers: headers, payload: payload))
    }

    @Test("a login over a redirect")
    func login() async throws { try await login(over: .engine) }

    @Test("a login over a redirect and URLSession")
    func loginOverURLSession() async throws { try await login(over: .urlSession()) }

    private func login(over engine: Connector) async throws {
        let jar = CookieFixture.jar()
        let site = Connector.stub { input in
            let seen = "\(input.url.path())=\(input.headers["Cookie"] ?? "-")"
            return .hasResponse(
                Response(
                    statusCode: input.url.path() == "/" ? .found : .ok,
                    headers: [
                        "Location": "/home", "Set-Cookie": "sid=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
                        "Set-Cookie": "own=2", "Set-Cookie": "lang=en; Path=/",
                    ],
                    payload: Data(seen.utf8)
                )
            )
        }
        try await LoopbackServer.serving(site) { server in
            let connector = Connector.standard(over: engine.wrapped(by: .cookies(in: jar)))
            for expected in ["/home=sid=1; own=2; lang=en", "/home=sid=1; own=2; lang=en"] {
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.response.map { String(decoding: $0.payload, as: UTF8.self) } == expected)
            }
            #expect(jar.cookies.map(\.isPersistent) == [true, false, false])
        }
    }

    @Test("the response keeps its fields, and a value outside of ASCII comes back octet by octet")
    func unchanged() async throws {
        let jar = CookieFixture.jar()
        try await LoopbackServer.serving(Self.site) { server in
            let output = await WebAPI.call(with: Input(url: server.url), via: Self.connector(jar))
            #expect(output.response.map { String(decoding: $0.payload, as: UTF8.self) } == "sid=1; é=\"ü\"")
            #expect(output.response?.headers.values(of: "Set-Cookie") == ["seen=/home"])
            #expect(jar.cookieHeader(for: server.url) == "sid=1; é=\"ü\"; seen=/home")
        }
    }

    @Test("RFC 6265bis 5.3: an interim response sets no cookie; the final one does, even if it breaks off")
    func interim() async throws {
        let jar = CookieFixture.jar()
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("HTTP/1.1 103 Early Hints\r\nSet-Cookie: early=1\r\n\r\n"),
            .send("HTTP/1.1 200 OK\r\nSet-Cookie: final=1\r\nset-cookie:  second=2 \r\nContent-Length: 9\r\n\r\n1234"),
            .close,
        ]
        try await LoopbackServer.playing({ _ in steps }) { server in
            let output = await WebAPI.call(with: Input(url: server.url), via: Self.connector(jar))
            #expect(output.connectionError != nil)
            #expect(jar.cookieHeader(for: server.url) == "final=1; second=2")
        }
    }

    @Test("a jar without cookies for a host adds nothing to the request's bytes")
    func nothing() async throws {
        let jar = CookieFixture.jar(("https://h.test/", "a=b"), ("https://127.0.0.1/", "a=b; Secure"))
        let steps: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 204 No Content\r\n\r\n"), .close]
        try await LoopbackServer.playing({ _ in steps }) { server in
            _ = await WebAPI.call(with: Input(url: server.url), via: Self.connector(jar))
            let request = String(decoding: server.received.elements.first ?? Data(), as: UTF8.self)
            #expect(request.hasPrefix("GET / HTTP/1.1\r\n") && !request.lowercased().contains("cookie"))
        }
    }
}
