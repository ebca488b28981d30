import Foundation
import StartSmall
import StartSmallURLSession
import StartSmallCookies
import StartSmallTesting
import Testing

struct CookiesOnTheWireTests {
    private static func connector(_ jar: CookieJar) -> Connector {
        .standard(over: .engine.wrapped(by: .cookies(in: jar)))
    }

    @Test("a login over a redirect, in which a value outside of ASCII comes back octet by octet, and the fields stay")
    func login() async throws { try await login("é=\"ü\"", over: .engine) }

    @Test("a login over a redirect and URLSession")
    func loginOverURLSession() async throws { try await login("lang=en", over: .urlSession()) }

    private func login(_ cookie: String, over engine: Connector) async throws {
        let jar = CookieFixture.jar()
        let fields: HTTPHeaders = [
            "Location": "/home", "Set-Cookie": "sid=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
            "Set-Cookie": "own=2", "Set-Cookie": "\(cookie); Path=/",
        ]
        let site = Connector.stub { input in
            let seen = "\(input.url.path())=\(input.headers["Cookie"] ?? "-")"
            return .text(seen, status: input.url.path() == "/" ? .found : .ok, headers: fields)
        }
        try await LoopbackServer.serving(site) { server in
            let connector = Connector.standard(over: engine.wrapped(by: .cookies(in: jar)))
            for _ in 0..<2 {
                let response = await WebAPI.call(with: Input(url: server.url), via: connector).response
                #expect(response.map { String(decoding: $0.payload, as: UTF8.self) } == "/home=sid=1; own=2; \(cookie)")
                #expect(response?.headers.values(of: "Set-Cookie") == fields.values(of: "Set-Cookie"))
            }
            #expect(jar.cookies.map(\.isPersistent) == [true, false, false])
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
}
