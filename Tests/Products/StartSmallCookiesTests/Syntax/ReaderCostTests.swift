import Foundation
import StartSmall
import TestSupport
import Testing

@testable import StartSmallCookies

/// The time in which cookies and their hosts are read.
@Suite(.enabled(if: isExhaustive)) struct ReaderCostTests {
    @Test("a cookie, a date or a host is read in linear time", arguments: readers)
    func read(_ reader: ReaderCost) { reader.expectLinear() }

    private static let readers = [
        ReaderCost(
            "Set-Cookie",
            words: ["a=b;", ";", "Path=/;", "Domain=a;", "Expires=9;", "Max-Age=9;"],
            frames: ["", "a=b; Path=/", "a=b; Domain=", "a=b; Expires=", "a=b; Max-Age=", "a="]
        ) { text in
            let jar = CookieFixture.jar()
            for _ in 0..<2 { _ = try? jar.receive(text, from: CookieFixture.url("https://h.test/")) }
            _ = (jar.cookieHeader(for: CookieFixture.url("https://h.test/")), "\(jar.cookies)")
        },
        ReaderCost("Expires", words: ["9:", "Jan", "29 Feb "], frames: ["", "08:49:37 "]) {
            _ = CookieDate.date(Array($0.utf8)[...])
        },
        ReaderCost("a host", words: ["a.", ".", "1.", "["], frames: ["", "["]) { text in
            guard let host = CookieHost.canonical(text) else { return }
            _ = (CookieFixture.suffixes.domains(of: host), CookieHost.isLoopback(host), CookieHost.isAddress(host))
            _ = (CookieHost.matches(host, domain: "test"), CookieHost.matches(host, domain: text))
        },
        ReaderCost("a path", words: ["/"], frames: ["/"]) { text in
            _ = (CookiePath.defaultPath(of: text), CookiePath.matches(text, cookiePath: text + "/"))
        },
    ]
}
