import Foundation
import StartSmall

@testable import StartSmallCookies

extension Target {
    /// The parsers and the jar of cookies.
    static let cookies = [setCookie, cookieDate]

    private static let now = Date(timeIntervalSince1970: 1_795_435_200)

    private static let policy = CookiePolicy(
        publicSuffixes: PublicSuffixList { !$0.contains(".") },
        maximumPerDomain: 3,
        maximumTotal: 5
    )

    private static let pages = ["https://h.test/x/y", "http://w.h.test/", "http://127.0.0.1/"].compactMap(URL.init)

    /// The target of `Set-Cookie` fields, one in each line, from several hosts.
    private static let setCookie = text(
        "set-cookie",
        words: [
            "a=b", "; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "; Max-Age=-1", "; Max-Age=9", "; Domain=h.test", ";",
            "; Domain=.test", "; Path=/x", "; Secure", "; HttpOnly", "; SameSite=None", "__Host-", "__Secure-", "=",
            "\n",
            "\t",
        ],
        starts: ["a=b; Path=/", "a=b; Max-Age=", "a=b; Expires=", "a=b; Domain=", "a=b;;;;", "a=b\na=b\n"],
        read: { text in
            // One long field: the time of many short ones would be that of their number.
            let field = text.utf8.map { CookieBytes.isControl($0) ? UInt8(ascii: " ") : $0 }
            _ = try? CookieJar(policy: policy).receive(String(decoding: field, as: UTF8.self), from: pages[0])
        },
        check: { text in
            let jar = jar(of: text)
            let cookies = jar.cookies
            try promise("a jar keeps its limits", cookies.count <= 5)
            try promise("a jar keeps the limits of its domains", domains(cookies).allSatisfy { $0 <= 3 })
            try promise("no cookie is there twice", Set(cookies.map(\.key)).count == cookies.count)
            try promise("no cookie is expired", !cookies.contains { $0.isExpired(at: now) })
            try promise("each cookie can be sent", cookies.allSatisfy { (try? $0.check(policy)) != nil })
            for page in pages {
                guard let header = jar.cookieHeader(for: page) else { continue }
                let input = Input(url: page, headers: ["Cookie": header])
                try promise("a header is a legal field", ValidatedRequest.from(input).isRight)
            }
            let again = CookieJar(jar.snapshot(includingSession: true), policy: policy) { now }
            try promise("a snapshot comes back unchanged", again.cookies == cookies)
            try promise("a description has one line", isOneLine("\(cookies)\(jar)"))
            return !cookies.isEmpty
        }
    )

    private static func domains(_ cookies: [Cookie]) -> [Int] {
        Dictionary(grouping: cookies, by: \.domain).values.map(\.count)
    }

    private static func jar(of text: String) -> CookieJar {
        let jar = CookieJar(policy: policy) { now }
        for (number, line) in text.utf8.split(separator: UInt8(ascii: "\n")).enumerated() {
            _ = try? jar.receive(String(decoding: line, as: UTF8.self), from: pages[number % pages.count])
        }
        return jar
    }

    private static let cookieDate = text(
        "cookie-date",
        words: [
            "Sun, ", "06 Nov 1994", "06-Nov-94", "08:49:37", " GMT", "29 Feb", "0:0:0", "1601", "69", "70", "9999",
        ],
        starts: ["06 Nov 1994 ", "08:49:37 6 ", "08:49:37 29 Feb "],
        read: { _ = CookieDate.date(Array($0.utf8)[...]) },
        check: { text in
            guard let date = CookieDate.date(Array(text.utf8)[...]) else { return false }
            let written = HTTPDate.text(date)
            try promise("a written date is read unchanged", CookieDate.date(Array(written.utf8)[...]) == date)
            try promise("HTTP reads the same date", HTTPDate.date(written, now: date) == date)
            return true
        }
    )
}

extension Either {
    fileprivate var isRight: Bool {
        if case .right = self { true } else { false }
    }
}
