import Foundation
@testable import StartSmallCookies
import Testing

struct CookieStorageTests {
    @Test(
        "RFC 6265bis 5.7 step 23: a cookie is replaced by one of the same name, domain, host-only flag and path",
        arguments: [
            ("https://h.test/", "a=2", 1), ("https://h.test/", "A=2", 2), ("https://h.test/x/", "a=2", 2),
            ("https://h.test/x/", "a=2; Path=/", 1), ("https://h.test/", "a=2; Domain=h.test", 2),
            ("https://w.h.test/", "a=2", 2), ("https://H.TEST/", "a=2", 1), ("https://h.test/", "a=2; Secure", 1),
            ("https://h.test/", "=a", 2), ("https://h.test/", "a=1", 1), ("https://h.test:81/", "a=2", 1),
            ("https://h.test/", "e=\u{301}", 2),
        ]
    )
    func replaced(_ url: String, _ setCookie: String, _ count: Int) {
        #expect(CookieFixture.jar(from: ("https://h.test/", "a=1"), (url, setCookie)).cookies.count == count)
    }

    @Test("RFC 6265bis 5.7 step 23: the replaced cookie's time of creation is kept, and with it the order")
    func creation() {
        let time = TestTime()
        let jar = CookieFixture.jar("a=1", "b=1", time: time)
        time.advance(by: 60)
        _ = jar.rejection(of: "a=2; Max-Age=9")
        #expect(jar.header() == "a=2; b=1")
        #expect(jar.cookies[0].createdAt == CookieFixture.date && jar.cookies[0].expiresAt == time.now() + 9)
    }

    @Test("RFC 6265bis 5.7: after its removal by an expired one, a cookie is new")
    func createdAgain() {
        let jar = CookieFixture.jar("a=1", "b=1", "a=; Max-Age=0", "a=3")
        #expect(jar.header() == "b=1; a=3")
    }

    @Test(
        "RFC 6265bis 5.7 step 16: a response over http leaves Secure cookies alone",
        arguments: [
            ("http://h.test/", "a=2; Path=/login", .insecure), ("http://h.test/", "a=2; Path=/", nil),
            ("http://h.test/", "a=2; Path=/login/en", .insecure), ("http://h.test/", "a=2; Path=/loginx", nil),
            ("http://h.test/", "A=2; Path=/login", nil), ("http://h.test/", "a=2; Path=/foo", nil),
            ("http://w.h.test/", "a=2; Path=/login", .insecure),
            ("http://w.h.test/", "a=2; Path=/login; Domain=h.test", .insecure),
            ("http://other.test/", "a=2; Path=/login", nil), ("http://badh.test/", "a=2; Path=/login", nil),
            ("http://h.test/", "a=; Path=/login; Max-Age=0", .insecure),
            ("https://h.test/", "a=2; Path=/login", nil), ("http://h.test/", "b=2; Domain=h.test", .insecure),
            ("http://other.h.test/", "b=2", nil),
        ] as [(String, String, CookieRejection?)]
    )
    func secureLeftAlone(_ url: String, _ setCookie: String, _ rejection: CookieRejection?) {
        let jar = CookieFixture.jar(
            from: ("https://h.test/", "a=1; Path=/login; Secure"),
            ("https://w.h.test/", "b=1; Secure")
        )
        #expect(jar.rejection(of: setCookie, from: url) == rejection)
        if rejection != nil { #expect(jar.header("https://h.test/login") == "a=1") }
    }

    @Test("RFC 6265bis 5.7: cookies are evicted at the moment at which they expire, in any order")
    func expiry() {
        let time = TestTime()
        let jar = CookieFixture.jar(
            from: ("https://h.test/", "a=1; Max-Age=30"),
            ("https://h.test/", "b=1; Max-Age=10"),
            ("https://h.test/", "c=1"),
            ("https://i.test/", "d=1; Max-Age=20"),
            time: time
        )
        for (step, count) in [(9.5, 4), (0.5, 3), (9.5, 3), (0.5, 2), (10, 1), (1e9, 1)] {
            time.advance(by: step)
            #expect(jar.cookies.count == count)
        }
        #expect(jar.description == "CookieJar of 1 cookies")
    }

    @Test("a clock that jumps back leaves order and expiry as they are")
    func clockJumps() {
        let time = TestTime()
        let policy = CookiePolicy(publicSuffixes: CookieFixture.suffixes, maximumPerDomain: 2)
        let jar = CookieFixture.jar("a=1", "b=1", policy: policy, time: time)
        time.advance(by: -1e9)
        _ = jar.rejection(of: "c=1")
        #expect(jar.header() == "b=1; c=1", "the newest cookie is not the one to evict")
    }
}

struct CookieHeaderTests {
    @Test("RFC 6265bis 5.8.3 step 4: longer paths first, then earlier creation")
    func order() {
        let jar = CookieFixture.jar(
            "a=1; Path=/",
            "b=1; Path=/x/y",
            "c=1; Path=/",
            "d=1; Path=/x; Domain=h.test",
            "e=1; Path=/x/y"
        )
        #expect(jar.header("https://h.test/x/y") == "b=1; e=1; d=1; a=1; c=1")
        #expect(jar.cookies(for: CookieFixture.url("https://h.test/x/y")).map(\.name) == ["b", "e", "d", "a", "c"])
    }

    @Test("RFC 6265bis 5.8.3 step 6: cookies without name or value")
    func serialized() {
        let jar = CookieFixture.jar("a=", "=b", "c=d=e")
        #expect(jar.header() == "a=; b; c=d=e")
    }

    @Test("RFC 6265bis 5.8.3 step 5: sending a cookie updates its last use; looking at it does not")
    func lastUse() {
        let time = TestTime()
        let jar = CookieFixture.jar("a=b", time: time)
        time.advance(by: 5)
        _ = (jar.cookies, jar.cookies(for: CookieFixture.url("https://h.test/")))
        #expect(jar.cookies.map(\.lastAccessedAt) == [CookieFixture.date])
        _ = jar.header()
        #expect(jar.cookies.map(\.lastAccessedAt) == [CookieFixture.date + 5])
    }
}
