import Foundation
@testable import StartSmallCookies
import Testing

struct CookieReceptionTests {
    private static let day = 86_400.0

    @Test(
        "RFC 6265bis 5.7 step 6 and 5.5: the expiry time, Max-Age before Expires, at most 400 days",
        arguments: [
            ("", nil), ("Max-Age=60", 60), ("Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60", 60), ("Max-Age=x; Expires=", nil),
            ("Expires=Mon, 23 Nov 2026 12:01:00 GMT", 60), ("Expires=Mon, 23 Nov 2026 12:01:00 GMT; Max-Age=x", 60),
            ("Max-Age=34560000", 400 * day), ("Max-Age=34560001", 400 * day), ("Max-Age=\(Int.max)", 400 * day),
            ("Max-Age=99999999999999999999999999", 400 * day), ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * day),
        ] as [(String, Double?)]
    )
    func expiry(_ attributes: String, _ seconds: Double?) {
        let jar = CookieFixture.jar("a=b; \(attributes)")
        #expect(jar.cookies.map(\.expiresAt) == [seconds.map { CookieFixture.date.addingTimeInterval($0) }])
        #expect(jar.cookies.first?.isPersistent == (seconds != nil))
    }

    @Test(
        "RFC 6265bis 5.7: an expired cookie removes the one of its name, domain and path, and is not stored",
        arguments: [
            "Max-Age=0", "Max-Age=-1", "Expires=Sun, 06 Nov 1994 08:49:37 GMT", "Max-Age=-99999999999999999999",
        ]
    )
    func expired(_ attributes: String) {
        let jar = CookieFixture.jar("a=b", "a=x; Path=/x", "c=d", "a=; \(attributes)")
        #expect(jar.header("https://h.test/x") == "a=x; c=d")
        #expect(jar.rejection(of: "e=f; \(attributes)") == nil && jar.cookies.count == 2)
    }

    @Test(
        "a policy may trust http to this machine",
        arguments: [
            ("http://localhost:8080/", true), ("http://a.localhost/", true), ("http://127.0.0.1/", true),
            ("http://127.255.0.1/", true), ("http://[::1]/", true), ("http://notlocalhost/", false),
            ("http://localhost.test/", false), ("http://127.0.0.1.test/", false), ("http://126.0.0.1/", false),
            ("http://127.1/", false), ("http://[::2]/", false), ("http://127.0.0.x/", false),
        ]
    )
    func loopback(_ url: String, _ isTrusted: Bool) {
        let policy = CookiePolicy(publicSuffixes: CookieFixture.suffixes, trustsLoopback: true)
        let jar = CookieFixture.jar(from: (url, "a=b; Secure"), policy: policy)
        #expect((jar.header(url) == "a=b") == isTrusted)
    }

    @Test(
        "RFC 6265bis 5.7: Secure needs https (13), SameSite=None needs Secure (19), and prefixes are kept (20-22)",
        arguments: rejections + prefixes.map { ("https://site.test/", $0.0, $0.1) }
    )
    func rejected(_ url: String, _ setCookie: String, _ rejection: CookieRejection?) {
        let jar = CookieFixture.jar()
        #expect(jar.rejection(of: setCookie, from: url) == rejection)
        #expect((jar.header(url) != nil) == (rejection == nil), "any SameSite is sent: no other site begins a request")
    }

    private static let rejections: [(String, String, CookieRejection?)] = [
        ("https://h.test/", "a=b; Secure", nil), ("http://h.test/", "a=b; Secure", .insecure),
        ("http://localhost/", "a=b; Secure", .insecure), ("http://127.0.0.1/", "a=b; Secure", .insecure),
        ("https://h.test/", "a=b; SameSite=None", .insecure),
        ("https://h.test/", "a=b; SameSite=None; Secure", nil), ("https://h.test/", "a=b; SameSite=Lax", nil),
        ("https://h.test/", "a=b; SameSite=Strict", nil),
        ("https://h.test/", "a=b; SameSite=None; SameSite=Lax", nil),
        ("https://h.test/x/y", "__Host-a=b; Secure; Path=", .brokenPrefix),
    ]

    /// Prefixes, in any case, and nameless cookies that imitate them (RFC 6265bis 5.4).
    private static let prefixes: [(String, CookieRejection?)] = [
        ("__Secure-a=b; Secure", nil), ("__Secure-a=b; Secure; Domain=site.test", nil),
        ("__secure-a=b; Secure", nil), ("__Secure-a=b", .brokenPrefix), ("__SECURE-a=b", .brokenPrefix),
        ("__Host-a=b; Secure; Path=/", nil), ("__HOST-a=b; Secure; Path=/", nil),
        ("__Host-a=b; Secure; Path=/; Domain=", nil), ("__Host-a=b", .brokenPrefix),
        ("__Host-a=b; Secure", .brokenPrefix), ("__Host-a=b; Path=/", .brokenPrefix),
        ("__host-a=b; Secure; Path=/x", .brokenPrefix),
        ("__Host-a=b; Secure; Path=/; Domain=site.test", .brokenPrefix),
        ("__HOST-a=b; Secure; Path=/; Domain=site.test", .brokenPrefix),
        ("__Host-a=b; Secure; Path=", nil), ("=__Secure-a=b; Secure", .brokenPrefix),
        ("__Secure-a; Secure", .brokenPrefix), ("=__hOST-a; Secure; Path=/", .brokenPrefix),
        ("x=__Host-a", nil), ("_Host-a=b", nil), ("__Hosta=b", nil), (" __Host-a=b", .brokenPrefix),
    ]

    @Test("RFC 6265bis 5.7: all parts of a cookie are stored")
    func parts() {
        let url = CookieFixture.url("https://www.h.test/x/y")
        let jar = CookieFixture.jar()
        let received = try? jar.receive(
            "a=b; Domain=h.test; Path=/x; Max-Age=9; Secure; HttpOnly; SameSite=Lax",
            from: url
        )
        let cookie = jar.cookies[0]
        #expect(received == cookie && jar.cookies.count == 1 && jar.header("https://h.test/x") == "a=b")
        #expect((cookie.name, cookie.value, cookie.domain, cookie.path) == ("a", "b", "h.test", "/x"))
        #expect(!cookie.isHostOnly && cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
        #expect(cookie.createdAt == CookieFixture.date && cookie.lastAccessedAt == CookieFixture.date)
    }

    @Test(
        "a cookie of the app must be one that can be sent and received",
        arguments: [
            (Cookie(name: "a", value: "b", domain: "h.test"), nil),
            (Cookie(name: "", value: "b", domain: "h.test"), nil),
            (Cookie(name: "a", value: "", domain: "h.test"), nil),
            (Cookie(name: "a", value: "b=c", domain: "[::1]", path: "/x"), nil),
            (Cookie(name: "a", value: "b", domain: "h.test", isHostOnly: false), nil),
            (Cookie(name: "", value: "", domain: "h.test"), .malformed),
            (Cookie(name: "a", value: "b\r\nX: y", domain: "h.test"), .malformed),
            (Cookie(name: "a\u{0}", value: "b", domain: "h.test"), .malformed),
            (Cookie(name: "a", value: "b", domain: "h.test", path: "/\n"), .malformed),
            (Cookie(name: "a", value: String(repeating: "b", count: 4096), domain: "h.test"), .tooLong),
            (Cookie(name: "a", value: "b; c=d", domain: "h.test"), .malformed),
            (Cookie(name: "a=b", value: "c", domain: "h.test"), .malformed),
            (Cookie(name: " a", value: "b", domain: "h.test"), .malformed),
            (Cookie(name: "a", value: "b\t", domain: "h.test"), .malformed),
            (Cookie(name: "a", value: "b", domain: ""), .malformed),
            (Cookie(name: "a", value: "b", domain: "H.test"), .malformed),
            (Cookie(name: "a", value: "b", domain: ".h.test"), .malformed),
            (Cookie(name: "a", value: "b", domain: "münchen.test"), .malformed),
            (Cookie(name: "a", value: "b", domain: "h.test", path: ""), .malformed),
            (Cookie(name: "a", value: "b", domain: "h.test", path: "x"), .malformed),
            (Cookie(name: "a", value: "b", domain: "h.test", path: "/;"), .malformed),
            (Cookie(name: "a", value: "b", domain: "h.test", expiresAt: Date(timeIntervalSince1970: .nan)), .malformed),
            (Cookie(name: "a", value: "b", domain: "test", isHostOnly: false), .publicSuffix),
            (Cookie(name: "__Host-a", value: "b", domain: "h.test", path: "/x"), .brokenPrefix),
            (Cookie(name: "a", value: "b", domain: "h.test", isSecure: false, sameSite: .none), .insecure),
        ] as [(Cookie, CookieRejection?)]
    )
    func ofApp(_ cookie: Cookie, _ expected: CookieRejection?) {
        let jar = CookieFixture.jar()
        var rejection: CookieRejection?
        do throws(CookieRejection) { try jar.set(cookie) } catch { rejection = error }
        #expect(rejection == expected && jar.cookies.count == (expected == nil ? 1 : 0))
        #expect(CookieJar(CookieSnapshot([cookie]), policy: CookieFixture.policy).cookies.count == jar.cookies.count)
    }
}
