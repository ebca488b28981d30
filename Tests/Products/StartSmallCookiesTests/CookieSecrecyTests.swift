import Foundation
import StartSmall
import StartSmallCookies
import StartSmallTesting
import Testing

struct CookieSecrecyTests {
    private static let secret = "s3cr3t-0123456789"

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text + "\(value)" + String(reflecting: value) + String(describing: value)
    }

    @Test("no description, mirror or dump of a cookie, a jar, a snapshot or an error has a value")
    func descriptions() throws {
        let jar = CookieFixture.jar(
            "sid=\(Self.secret); Max-Age=9; Secure; HttpOnly; SameSite=Lax",
            "=\(Self.secret); Domain=h.test"
        )
        let snapshot = jar.snapshot(includingSession: true)
        #expect(snapshot.cookies.count == 2)
        for text in [
            Self.dumped(jar), Self.dumped(snapshot), Self.dumped(jar.cookies), Self.dumped(jar.cookies[0]),
            Self.dumped(Set(jar.cookies)), Self.dumped(CookieRejection.allCases),
        ] {
            #expect(!text.contains(Self.secret) && !text.contains("s3cr3t"))
        }
        #expect(
            "\(jar.cookies[0])" == "sid=<redacted>; Host=h.test; Path=/; "
                + "Expires=Mon, 23 Nov 2026 12:00:09 GMT; Secure; HttpOnly; SameSite=lax"
        )
        #expect("\(jar.cookies[1])" == "=<redacted>; Domain=h.test; Path=/")
    }

    @Test("a description has one line and one of the years that HTTP has, whatever the name, path and expiry time are")
    func anyContent() {
        for seconds in [.nan, .infinity, -1e300, 1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect("\(Cookie(name: "a", value: "b", domain: "h.test", expiresAt: date))".contains("; Expires="))
        }
        let cookie = Cookie(name: "a\nb\u{2028}", value: "c", domain: "h\r", path: "/\u{85}")
        #expect("\(cookie)" == "a\u{FFFD}b\u{FFFD}=<redacted>; Host=h\u{FFFD}; Path=/\u{FFFD}; Secure")
    }

    @Test("neither the log of a call, nor its events, nor a cassette has a value")
    func callsAndCassettes() async throws {
        let jar = CookieFixture.jar("sid=\(Self.secret)")
        let (lines, log) = (Recorder<String>(), EventLog())
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let headers: HTTPHeaders = [
            "Set-Cookie": "next=\(Self.secret)-next; HttpOnly", "Set-Cookie": "bad=\(Self.secret); Domain=other.test",
        ]
        let sent = Recorder<Input>()
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, headers: headers)), recording: sent)
        let connector = stub.wrapped(
            by: .log(.headers, print: { lines.append($0) }),
            .listen(to: log.listener),
            .cookies(in: jar),
            .record(to: file)
        )
        _ = await WebAPI.call(with: Input(url: CookieFixture.url("https://h.test/")), via: connector)
        #expect(sent.elements.map { $0.headers["Cookie"] } == ["sid=\(Self.secret)"])
        #expect(jar.cookies.count == 2)
        #expect(!lines.elements.isEmpty && log.names.contains("cookieRejected"))
        let cassette = try String(contentsOf: file, encoding: .utf8)
        #expect(cassette.contains("Set-Cookie") && cassette.contains("Cookie: "))
        for text in lines.elements + [cassette] + log.events.map(Self.dumped) + sent.elements.map(Self.dumped) {
            #expect(!text.contains("s3cr3t"))
        }
    }
}
