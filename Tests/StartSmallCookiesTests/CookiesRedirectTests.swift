import Foundation
import StartSmall
import StartSmallCookies
import StartSmallTesting
import Testing

struct CookiesRedirectTests {
    /// A redirect with cookies; a page if there is no location.
    private static func answer(to location: String?, _ setCookies: String..., status: Int = 302) -> Output {
        var headers = HTTPHeaders(setCookies.map { .init(name: "Set-Cookie", value: $0) })
        headers["Location"] = location
        return .hasResponse(Response(statusCode: location == nil ? .ok : .from(code: status), headers: headers))
    }

    /// Returns the URLs and `Cookie` fields of a call.
    private static func sent(
        _ site: [String: Output],
        from url: String,
        own headers: HTTPHeaders = [:],
        _ jar: CookieJar
    ) async -> [String] {
        let sent = Recorder<Input>()
        let stub = Connector.stub(recording: sent) { site[$0.url.absoluteString] ?? .noResponse(.cancelled) }
        let connector = Connector.standard(over: stub.wrapped(by: .cookies(in: jar)))
        _ = await WebAPI.call(with: Input(url: CookieFixture.url(url), headers: headers), via: connector)
        return sent.elements.map { "\($0.url) \($0.headers["Cookie"] ?? "-")" }
    }

    @Test("a cookie that the first hop sets is sent by the second one, and each hop's own cookies are stored")
    func chain() async {
        let jar = CookieFixture.jar()
        let site = [
            "https://h.test/login": answer("sid=1; Path=/", "https://h.test/a/b", 303),
            "https://h.test/a/b": answer("step=2", "/c", 307), "https://h.test/c": answer("sid=3; Path=/", nil, 200),
        ]
        #expect(
            await Self.sent(site, from: "https://h.test/login", jar) == [
                "https://h.test/login -", "https://h.test/a/b sid=1", "https://h.test/c sid=1",
            ]
        )
        #expect(jar.header("https://h.test/a/x") == "step=2; sid=3")
    }

    private func answer(_ setCookie: String, _ location: String?, _ status: Int) -> Output {
        Self.answer(to: location, setCookie, status: status)
    }

    @Test("cookies of one origin are not sent to another, and there and back each host gets its own")
    func crossOrigin() async {
        let jar = CookieFixture.jar(from: ("https://h.test/", "own=1"), ("https://evil.test/", "evil=1"))
        let site = [
            "https://h.test/": answer("sid=2; Path=/", "https://evil.test/", 302),
            "https://evil.test/": answer("sid=stolen; Domain=h.test", "https://h.test/back", 302),
            "https://h.test/back": answer("last=3", nil, 200),
        ]
        #expect(
            await Self.sent(site, from: "https://h.test/", jar) == [
                "https://h.test/ own=1", "https://evil.test/ evil=1", "https://h.test/back own=1; sid=2",
            ]
        )
        #expect(jar.header() == "own=1; sid=2; last=3" && jar.header("https://evil.test/") == "evil=1")
    }

    @Test("the caller's own Cookie field stays within its origin; at another one, the jar's cookies are sent")
    func explicit() async {
        let jar = CookieFixture.jar(from: ("https://other.test/", "jar=1"), ("https://h.test/", "jar=2"))
        let site = [
            "https://h.test/": answer("a=1", "https://h.test/same", 302),
            "https://h.test/same": answer("b=1", "https://other.test/", 302),
            "https://other.test/": answer("c=1", nil, 200),
        ]
        #expect(
            await Self.sent(site, from: "https://h.test/", own: ["Cookie": "own=1"], jar) == [
                "https://h.test/ own=1", "https://h.test/same own=1", "https://other.test/ jar=1",
            ]
        )
    }

    @Test("outside of a redirect, cookies of the last response belong to the last URL, not to the first")
    func outside() async {
        let jar = CookieFixture.jar("own=1")
        let site = [
            "https://h.test/": answer("a=1", "https://evil.test/x/", 302),
            "https://evil.test/x/": answer("sid=evil", nil, 200),
        ]
        let sent = Recorder<Input>()
        let connector = Connector.stub(recording: sent) { site[$0.url.absoluteString] ?? .noResponse(.cancelled) }
            .wrapped(by: .cookies(in: jar), .redirect())
        _ = await WebAPI.call(with: Input(url: CookieFixture.url("https://h.test/")), via: connector)
        #expect(sent.elements.map { $0.headers["Cookie"] } == ["own=1", nil])
        #expect(jar.header() == "own=1" && jar.header("https://evil.test/x/y") == "sid=evil")
    }
}
