import Foundation
@testable import StartSmallCookies
import Testing

struct CookieJarTests {
    @Test("the app sets a cookie, which gets its times from the jar and at most 400 days (RFC 6265bis 5.5)")
    func set() throws {
        let time = TestTime()
        let jar = CookieFixture.jar(time: time)
        try jar.set(Cookie(name: "a", value: "b", domain: "h.test", expiresAt: .distantFuture))
        #expect(jar.cookies.map(\.expiresAt) == [time.now() + 400 * 86_400])
        #expect(jar.cookies.map(\.createdAt) == [time.now()])
        #expect(jar.header() == "a=b" && jar.header("http://h.test/") == nil, "Secure by default")
        try jar.set(Cookie(name: "a", value: "c", domain: "h.test", expiresAt: time.now()))
        #expect(jar.cookies.isEmpty, "an expired one removes it")
        // Step 16 of RFC 6265bis 5.7 is about responses.
        try jar.set(Cookie(name: "a", value: "b", domain: "h.test"))
        try jar.set(Cookie(name: "a", value: "c", domain: "h.test", isSecure: false))
        #expect(jar.header("http://h.test/") == "a=c", "it may replace a Secure cookie by one that is not")
    }

    @Test("cookies are removed by a condition, at the end of the session, and all at once")
    func remove() {
        func jar() -> CookieJar {
            CookieFixture.jar(
                from: ("https://h.test/", "a=1"),
                ("https://h.test/", "b=1; Max-Age=9"),
                ("https://i.test/", "a=1"),
                ("https://h.test/", "a=1; Path=/x")
            )
        }
        func rest(_ change: (CookieJar) -> Void) -> [String] {
            let jar = jar()
            change(jar)
            #expect(jar.description == "CookieJar of \(jar.cookies.count) cookies")
            return jar.cookies.map { "\($0.name)@\($0.domain)\($0.path)" }
        }
        #expect(rest { $0.remove { $0.name == "a" && $0.path == "/" } } == ["b@h.test/", "a@h.test/x"])
        #expect(rest { $0.remove { $0.domain == "h.test" } } == ["a@i.test/"])
        #expect(rest { jar in jar.remove { cookie in jar.cookies.first == cookie } }.count == 3, "no lock is held")
        #expect(rest { $0.remove { !$0.isPersistent } } == ["b@h.test/"])
        #expect(rest { $0.removeAll() } == [])
        #expect(rest { _ in }.count == 4)
    }

    @Test("law: a snapshot has all persistent cookies, all others on request, and comes back the same through JSON")
    func snapshot() throws {
        let jar = CookieFixture.jar(
            from: ("https://h.test/x/", "a=é\u{301}\"; Max-Age=9.5"),
            ("https://h.test/", "a=e\u{301}; Max-Age=9; SameSite=Lax"),
            ("https://w.h.test/", "=c; Domain=h.test; Secure; HttpOnly; Max-Age=99999999999"),
            ("http://[::1]/", "d=e")
        )
        #expect(jar.snapshot().cookies == jar.cookies.filter(\.isPersistent) && jar.snapshot().cookies.count == 2)
        let all = jar.snapshot(includingSession: true)
        #expect(all.cookies == jar.cookies && all.cookies.count == 4)
        let decoded = try JSONDecoder().decode(CookieSnapshot.self, from: JSONEncoder().encode(all))
        #expect(decoded == all)
        let again = CookieJar(decoded, policy: CookieFixture.policy, now: jar.now)
        #expect(again.cookies == jar.cookies)
        for url in ["https://h.test/x/", "https://w.h.test/", "http://[::1]/", "http://h.test/"] {
            #expect(again.header(url) == jar.header(url))
        }
    }

    @Test("a snapshot of another version, or without one, can't be decoded")
    func version() {
        for text in [#"{"cookies": []}"#, #"{"version": 2, "cookies": []}"#, "[]", "{", #"{"version": 1}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(CookieSnapshot.self, from: Data(text.utf8)) }
        }
    }

    @Test("a merged snapshot replaces cookies of the same key, and leaves out those that are expired")
    func merge() {
        let jar = CookieFixture.jar("a=1; Max-Age=9", "b=1")
        let time = TestTime()
        let other = CookieFixture.jar("a=2; Max-Age=9", "c=2", "d=1; Max-Age=5", time: time)
        let snapshot = other.snapshot(includingSession: true)
        time.advance(by: 6)
        let late = CookieJar(jar.snapshot(includingSession: true), policy: CookieFixture.policy, now: time.now)
        late.merge(snapshot)
        #expect(late.header() == "a=2; b=1; c=2")
    }

    @Test("a snapshot of any size is merged within the limits, with the cookies that were used last")
    func largeSnapshot() {
        let cookies = (0..<4_000).map { Cookie(name: "c\($0)", value: "v", domain: "h\($0 / 20).test") }
        let jar = CookieFixture.jar()
        jar.merge(CookieSnapshot(cookies))
        #expect(jar.cookies.count == 3_000 && jar.cookies.first?.name == "c1000")
        jar.merge(CookieSnapshot((0..<200).map { Cookie(name: "d\($0)", value: "v", domain: "h.test") }))
        #expect(jar.cookies.filter { $0.domain == "h.test" }.map(\.name) == (150..<200).map { "d\($0)" })
        #expect(jar.cookies.count == 3_000 && jar.cookies.first?.name == "c1050")
    }

    @Test("cookies are equal byte by byte, not as Unicode texts")
    func equality() {
        let composed = Cookie(name: "é", value: "é", domain: "h.test")
        for other in [
            Cookie(name: "e\u{301}", value: "é", domain: "h.test"),
            Cookie(name: "é", value: "e\u{301}", domain: "h.test"),
            Cookie(name: "é", value: "é", domain: "h.test", path: "/x"),
        ] {
            #expect(composed != other && Set([composed, other]).count == 2)
        }
        #expect(Set([composed, composed]).count == 1)
    }

    @Test("many tasks use a jar at the same time, and none of their cookies is lost")
    func concurrent() async {
        let jar = CookieFixture.jar()
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<40 {
                        _ = jar.rejection(of: "c\(number)=\(task)", from: "https://h\(task).test/")
                        _ = (jar.header("https://h\(task).test/"), jar.cookies.count)
                    }
                }
            }
        }
        #expect(jar.cookies.count == 320)
        for task in 0..<8 {
            #expect(jar.cookies(for: CookieFixture.url("https://h\(task).test/")).allSatisfy { $0.value == "\(task)" })
        }
    }
}
