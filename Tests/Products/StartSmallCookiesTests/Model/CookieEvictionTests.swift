import Foundation
@testable import StartSmallCookies
import Testing

struct CookieEvictionTests {
    private static func policy(perDomain: Int = 4, total: Int = 3000) -> CookiePolicy {
        CookiePolicy(publicSuffixes: CookieFixture.suffixes, maximumPerDomain: perDomain, maximumTotal: total)
    }

    private static func names(_ jar: CookieJar) -> String { jar.cookies.map(\.name).joined() }

    @Test("RFC 6265bis 6.1: by default, 50 cookies of a domain and 3000 in all are kept, and no more")
    func defaults() {
        let jar = CookieFixture.jar()
        for number in 0..<51 { _ = jar.rejection(of: "c\(number)=1") }
        #expect(jar.cookies.count == 50 && jar.cookies.first?.name == "c1")
        for number in 0..<3100 { _ = jar.rejection(of: "c\(number % 50)=1", from: "https://h\(number / 50).test/") }
        #expect(jar.cookies.count == 3000)
    }

    @Test("RFC 6265bis 5.7: of a domain, the cookie that was not used for the longest time is evicted first")
    func leastRecentlyUsed() {
        let jar = CookieFixture.jar(policy: Self.policy())
        for name in ["a", "b", "c", "d"] { _ = jar.rejection(of: "\(name)=1; Path=/\(name)") }
        _ = jar.header("https://h.test/a")
        _ = jar.rejection(of: "b=2; Path=/b")
        _ = jar.rejection(of: "e=1")
        #expect(Self.names(jar) == "abde")
    }

    @Test("RFC 6265bis 5.7, priority 2 before 3: cookies without Secure are evicted before others of their domain")
    func secureLast() {
        let jar = CookieFixture.jar("a=1; Secure", "b=1", "c=1; Secure", "d=1", policy: Self.policy())
        for name in ["e", "f"] { _ = jar.rejection(of: "\(name)=1; Secure") }
        #expect(Self.names(jar) == "acef")
        _ = jar.rejection(of: "g=1")
        #expect(Self.names(jar) == "acef", "the new one is the only one without Secure")
        _ = jar.rejection(of: "h=1; Secure")
        #expect(Self.names(jar) == "cefh")
    }

    @Test("RFC 6265bis 5.7, priority 4: of a full jar, the cookie of any domain that was not used for the longest time")
    func total() {
        let jar = CookieFixture.jar(policy: Self.policy(total: 3))
        for name in ["a", "b", "c"] { _ = jar.rejection(of: "\(name)=1", from: "https://\(name).test/") }
        _ = jar.header("https://a.test/")
        for name in ["d", "e"] { _ = jar.rejection(of: "\(name)=1", from: "https://d.test/") }
        #expect(Self.names(jar) == "ade")
    }

    @Test("RFC 6265bis 5.7, priority 1: expired cookies are evicted before any other")
    func expiredFirst() {
        let time = TestTime()
        let jar = CookieFixture.jar("a=1", "b=1; Max-Age=1", policy: Self.policy(perDomain: 2, total: 2), time: time)
        time.advance(by: 1)
        _ = jar.rejection(of: "c=1")
        #expect(Self.names(jar) == "ac")
    }

    @Test("a limit of 0 or less stores nothing", arguments: [0, -1, .min])
    func nothing(_ limit: Int) {
        for policy in [Self.policy(perDomain: limit), Self.policy(total: limit)] {
            let jar = CookieFixture.jar("a=1", policy: policy)
            #expect(jar.cookies.isEmpty)
            jar.merge(CookieSnapshot([Cookie(name: "a", value: "b", domain: "h.test")]))
            #expect(jar.cookies.isEmpty)
        }
    }

    @Test("the cookies of a snapshot are evicted by their last use, before new ones")
    func restored() {
        let time = TestTime()
        let jar = CookieFixture.jar(policy: Self.policy(perDomain: 3), time: time)
        for name in ["a", "b", "c"] {
            _ = jar.rejection(of: "\(name)=1; Max-Age=999; Path=/\(name)")
        }
        time.advance(by: 1)
        _ = jar.header("https://h.test/a")
        let again = CookieJar(jar.snapshot(), policy: Self.policy(perDomain: 3), now: time.now)
        _ = again.rejection(of: "d=1")
        #expect(Self.names(again) == "acd")
    }
}
