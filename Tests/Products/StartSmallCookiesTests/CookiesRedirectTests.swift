import Foundation
import StartSmall
import StartSmallCookies
import StartSmallTesting
import Testing

struct CookiesRedirectTests {
    /// Calls the first of several URLs, each of which sets a cookie and leads to the next one.
    ///
    /// - Returns: the `Cookie` fields of the requests.
    private func sent(
        _ jar: CookieJar,
        own headers: HTTPHeaders = [:],
        isInside: Bool = true,
        over hops: [(url: String, setCookie: String)]
    ) async -> [String?] {
        let sent = Recorder<Input>()
        let stub = Connector.stub(recording: sent) { input in
            guard let hop = hops.firstIndex(where: { $0.url == input.url.absoluteString }) else {
                return .noResponse(.cancelled)
            }
            var headers: HTTPHeaders = ["Set-Cookie": hops[hop].setCookie]
            if hop + 1 < hops.count { headers["Location"] = hops[hop + 1].url }
            return .status(hop + 1 < hops.count ? .found : .ok, headers: headers)
        }
        let wrappers: [Wrapper] = [.redirect(), .cookies(in: jar)]
        let connector = stub.wrapped(by: .all(isInside ? wrappers : wrappers.reversed()))
        _ = await WebAPI.call(with: Input(url: CookieFixture.url(hops[0].url), headers: headers), via: connector)
        return sent.elements.map { $0.headers["Cookie"] }
    }

    @Test("a cookie that the first hop sets is sent by the second one, and each hop's own cookies are stored")
    func chain() async {
        let jar = CookieFixture.jar()
        let hops = [
            ("https://h.test/login", "sid=1; Path=/"), ("https://h.test/a/b", "step=2"),
            ("https://h.test/c", "sid=3; Path=/"),
        ]
        let sent = await sent(jar, over: hops)
        #expect(sent == [nil, "sid=1", "sid=1"] && jar.header("https://h.test/a/x") == "step=2; sid=3")
    }

    @Test("cookies of one origin are not sent to another, and there and back each host gets its own")
    func crossOrigin() async {
        let jar = CookieFixture.jar(from: ("https://h.test/", "own=1"), ("https://evil.test/", "evil=1"))
        let hops = [
            ("https://h.test/", "sid=2; Path=/"), ("https://evil.test/", "sid=stolen; Domain=h.test"),
            ("https://h.test/back", "last=3"),
        ]
        let sent = await sent(jar, over: hops)
        #expect(sent == ["own=1", "evil=1", "own=1; sid=2"])
        #expect(jar.header() == "own=1; sid=2; last=3" && jar.header("https://evil.test/") == "evil=1")
    }

    @Test("the caller's own Cookie field stays within its origin; at another one, the jar's cookies are sent")
    func explicit() async {
        let jar = CookieFixture.jar(from: ("https://other.test/", "jar=1"), ("https://h.test/", "jar=2"))
        let hops = [("https://h.test/", "a=1"), ("https://h.test/same", "b=1"), ("https://other.test/", "c=1")]
        let sent = await sent(jar, own: ["Cookie": "own=1"], over: hops)
        #expect(sent == ["own=1", "own=1", "jar=1"])
    }

    @Test("outside of a redirect, cookies of the last response belong to the last URL, not to the first")
    func outside() async {
        let jar = CookieFixture.jar("own=1")
        let hops = [("https://h.test/", "a=1"), ("https://evil.test/x/", "sid=evil")]
        #expect(await sent(jar, isInside: false, over: hops) == ["own=1", nil])
        #expect(jar.header() == "own=1" && jar.header("https://evil.test/x/y") == "sid=evil")
    }
}
