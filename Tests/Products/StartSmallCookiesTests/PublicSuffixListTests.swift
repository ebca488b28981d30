import Foundation
@testable import StartSmallCookies
import Testing

struct PublicSuffixListTests {
    @Test(
        "RFC 6265bis 5.7 steps 7 to 10: the domains that a host may cover",
        arguments: [
            ("www.example.com", "example.com", nil), ("www.example.com", "www.example.com", nil),
            ("example.com", "example.com", nil), ("www.example.com", ".EXAMPLE.com", nil),
            ("www.example.com", "com", .publicSuffix), ("www.example.co.uk", "co.uk", .publicSuffix),
            ("www.example.com", "other.com", .foreignDomain), ("example.com", "www.example.com", .foreignDomain),
            ("www.example.com", "ample.com", .foreignDomain), ("a.github.io", "github.io", .publicSuffix),
            ("a.s3.aws.test", "aws.test", .publicSuffix), ("s3.aws.test", "aws.test", .publicSuffix),
            ("b.aws.test", "aws.test", nil), ("www.example.com", "example.com.", .foreignDomain),
            ("www.example.com.", "example.com.", nil), ("www.example.com.", "com.", .publicSuffix),
            ("www.example.com", "exämple.com", .foreignDomain), ("127.0.0.1", "0.0.1", .foreignDomain),
            ("127.0.0.1", "127.0.0.1", nil), ("[::1]", "[::1]", nil),
            ("www.example.com", "\"example.com\"", .foreignDomain),
            ("www.example.com", "example.com:443", .foreignDomain), ("www.example.com", ".", nil),
        ] as [(String, String, CookieRejection?)]
    )
    func covered(_ host: String, _ domain: String, _ rejection: CookieRejection?) {
        #expect(CookieFixture.jar().rejection(of: "a=b; Domain=\(domain)", from: "https://\(host)/") == rejection)
    }

    @Test("RFC 6265bis 5.7 step 9: the Domain of a host that is a suffix itself is left out")
    func suffixItself() {
        let jar = CookieFixture.jar(from: ("https://github.io/", "a=b; Domain=github.io"))
        #expect(jar.cookies.map(\.isHostOnly) == [true])
        #expect(jar.header("https://github.io/") == "a=b" && jar.header("https://a.github.io/") == nil)
    }

    @Test("without a list, a cookie for a parent domain is rejected, and one for the host itself is its own")
    func unknown() {
        let jar = CookieFixture.jar(policy: CookiePolicy(publicSuffixes: .unknown))
        #expect(jar.rejection(of: "a=b; Domain=example.com", from: "https://www.example.com/") == .publicSuffix)
        #expect(jar.rejection(of: "a=b; Domain=www.example.com", from: "https://www.example.com/") == nil)
        #expect(jar.header("https://www.example.com/") == "a=b" && jar.header("https://a.www.example.com/") == nil)
    }

    @Test("RFC 6265bis 5.8.3: a cookie whose domain has become a public suffix is not sent any more")
    func becameSuffix() throws {
        let time = TestTime()
        let changing = PublicSuffixList { domain in
            domain == "com" || domain == "example.com" && time.now() > CookieFixture.date
        }
        let jar = CookieFixture.jar(
            from: ("https://a.example.com/", "a=b; Domain=example.com"),
            policy: CookiePolicy(publicSuffixes: changing),
            time: time
        )
        #expect(jar.header("https://a.example.com/") == "a=b")
        time.advance(by: 1)
        #expect(jar.header("https://a.example.com/") == nil && jar.cookies.count == 1)
    }

    @Test("a library that is missing, or has none of the functions, is no list and no crash")
    func missingLibrary() {
        #expect(LibPSL.load("libpsl-that-is-missing.so.5") == nil)
        #expect(LibPSL.load("libm.so.6") == nil)
    }

    @Test(
        "the system's list, if there is one",
        .enabled(if: LibPSL.shared != nil, "libpsl.so.5 is not installed"),
        arguments: [
            ("com", true), ("co.uk", true), ("example.com", false), ("github.io", true), ("ck", true),
            ("www.ck", false), ("b.ck", true), ("kobe.jp", true), ("city.kobe.jp", false), ("xn--55qx5d.cn", true),
            ("unlisted", true), ("example.unlisted", false), ("127.0.0.1", false), ("com.", true),
            (String(repeating: "a", count: 70_000), true),
        ]
    )
    func system(_ domain: String, _ isSuffix: Bool) {
        #expect(PublicSuffixList.system.domains(of: domain).isEmpty == isSuffix)
    }
}
