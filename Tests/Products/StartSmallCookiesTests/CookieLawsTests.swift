import Foundation
@testable import StartSmallCookies
import StartSmallTesting
import Testing

/// The rules of RFC 6265bis 5.8.3, written once more in the simplest way, over the attributes that were sent.
private struct NaiveCookie {
    var name: String
    var host: String
    var domain: String?
    var path: String
    var isSecure: Bool

    func isSent(to host: String, _ path: String, isSecure isHTTPS: Bool) -> Bool {
        let labels = host.components(separatedBy: ".")
        let parents = (0..<labels.count).map { labels[$0...].joined(separator: ".") }
        let isHost = domain.map { parents.contains($0) } ?? (host == self.host)
        let isBelow = path == self.path || path.hasPrefix(self.path.hasSuffix("/") ? self.path : self.path + "/")
        return isHost && isBelow && (isHTTPS || !isSecure)
    }
}

struct CookieLawsTests {
    private static let hosts = ["h.test", "w.h.test", "v.w.h.test", "i.test", "xh.test", "1.2.3.4", "2.3.4", "test"]
    private static let paths = ["/", "/x", "/x/", "/x/y", "/xy", "/X", "//x", "/x%2Fy"]

    @Test("law: a random jar sends a cookie to exactly the hosts, paths and schemes of the naive rules")
    func oracle() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<60 {
            let jar = CookieFixture.jar()
            var expected: [NaiveCookie] = []
            for number in 0..<Int.random(in: 0...8, using: &random) {
                let host = Self.hosts.randomElement(using: &random)!
                let cookie = NaiveCookie(
                    name: "c\(number)",
                    host: host,
                    domain: Bool.random(using: &random) ? Self.hosts.randomElement(using: &random)! : nil,
                    path: Self.paths.randomElement(using: &random)!,
                    isSecure: Bool.random(using: &random)
                )
                let domain = cookie.domain.map { "; Domain=\($0)" } ?? ""
                let text = "\(cookie.name)=1; Path=\(cookie.path)\(cookie.isSecure ? "; Secure" : "")\(domain)"
                let isTaken = jar.rejection(of: text, from: "https://\(host)/") == nil
                let isAddress = host == "1.2.3.4" || host == "2.3.4"
                let mayTake = cookie.domain.map { $0 == host || $0 != "test" && !isAddress && host.hasSuffix("." + $0) }
                #expect(isTaken == (mayTake ?? true), "\(text) from \(host)")
                if isTaken { expected.append(cookie) }
            }
            for host in Self.hosts {
                for path in Self.paths {
                    for scheme in ["http", "https"] {
                        let url = CookieFixture.url("\(scheme)://\(host)\(path)")
                        let names = expected.filter { cookie in
                            // A host that is a suffix, or an address, has no subdomains for its cookies.
                            let hasSubdomains = cookie.domain != "test" && cookie.domain != "2.3.4"
                            return cookie.isSent(to: host, path, isSecure: scheme == "https")
                                && (hasSubdomains || cookie.domain == host)
                        }.map(\.name)
                        #expect(Set(jar.cookies(for: url).map(\.name)) == Set(names), "\(url)")
                    }
                }
            }
        }
    }

    @Test("law: whatever is received, limits and invariants hold after each step, and what is sent can be sent")
    func invariants() {
        var random = SplitMix64(seed: 4)
        let attributes = [
            "", "; Secure", "; Max-Age=0", "; Max-Age=5", "; Max-Age=-1", "; Path=/x", "; Domain=h.test",
            "; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "; SameSite=None", "; Domain=test", "; Path=",
        ]
        let policy = CookiePolicy(publicSuffixes: CookieFixture.suffixes, maximumPerDomain: 3, maximumTotal: 7)
        let time = TestTime()
        let jar = CookieFixture.jar(policy: policy, time: time)
        for step in 0..<600 {
            let (host, scheme) = (
                Self.hosts.randomElement(using: &random)!, ["http", "https"].randomElement(using: &random)!
            )
            let url = "\(scheme)://\(host)\(Self.paths.randomElement(using: &random)!)"
            let text =
                "c\(Int.random(in: 0..<9, using: &random))=\(step)" + attributes.randomElement(using: &random)!
                + attributes.randomElement(using: &random)!
            _ = (jar.rejection(of: text, from: url), jar.header(url))
            if step % 50 == 0 { time.advance(by: Double(Int.random(in: -3...9, using: &random))) }
            if step % 100 == 0 { jar.merge(jar.snapshot(includingSession: true)) }
            let cookies = jar.cookies
            #expect(cookies.count <= 7 && jar.description == "CookieJar of \(cookies.count) cookies")
            #expect(Dictionary(grouping: cookies, by: \.domain).values.allSatisfy { $0.count <= 3 })
            #expect(Set(cookies.map(\.key)).count == cookies.count)
            #expect(cookies.allSatisfy { !$0.isExpired(at: time.now()) && (try? $0.check(policy)) != nil })
        }
    }

    @Test("law: any bytes in a field leave the jar usable")
    func anyBytes() {
        var random = SplitMix64(seed: 5)
        let jar = CookieFixture.jar("a=b")
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let name = ["Expires", "Max-Age", "Domain", "Path", "SameSite"].randomElement(using: &random)!
            let text = String(decoding: bytes, as: UTF8.self)
            _ = jar.rejection(of: text, from: "https://h.test/x/")
            _ = jar.rejection(of: "c=d; \(name)=\(text)", from: "https://h.test/x/")
        }
        let header = jar.header() ?? ""
        #expect(!header.isEmpty && header.utf8.allSatisfy { !CookieBytes.isControl($0) })
    }
}
