import Foundation
import StartSmall
import StartSmallCookies
import Synchronization

/// The values that the tests of cookies have in common.
enum CookieFixture {
    /// 2026-11-23 12:00:00 GMT.
    static let date = Date(timeIntervalSince1970: 1_795_435_200)

    /// A list that needs no library: top-level domains, `co.uk`, and suffixes under domains that are none.
    static let suffixes = PublicSuffixList { domain in
        !domain.contains(".") || ["co.uk", "github.io", "s3.aws.test"].contains(domain)
    }

    static let policy = CookiePolicy(publicSuffixes: suffixes)

    static func url(_ text: String) -> URL { URL(string: text)! }

    /// Returns a jar that received cookies from `https://h.test/`.
    static func jar(_ received: String..., policy: CookiePolicy = policy, time: TestTime = TestTime()) -> CookieJar {
        let jar = CookieJar(policy: policy, now: time.now)
        for setCookie in received { _ = jar.rejection(of: setCookie) }
        return jar
    }

    /// Returns a jar that received cookies, each from a URL.
    static func jar(
        from first: (url: String, setCookie: String),
        _ others: (url: String, setCookie: String)...,
        policy: CookiePolicy = policy,
        time: TestTime = TestTime()
    ) -> CookieJar {
        let jar = CookieJar(policy: policy, now: time.now)
        for (url, setCookie) in [first] + others { _ = jar.rejection(of: setCookie, from: url) }
        return jar
    }
}

/// A time that a test sets.
final class TestTime: Sendable {
    private let date = Mutex(CookieFixture.date)

    var now: @Sendable () -> Date { { self.date.withLock { $0 } } }

    func advance(by seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

extension CookieJar {
    /// Receives a field, and returns the reason why it was ignored.
    func rejection(of setCookie: String, from url: String = "https://h.test/") -> CookieRejection? {
        do throws(CookieRejection) {
            try receive(setCookie, from: CookieFixture.url(url))
            return nil
        } catch {
            return error
        }
    }

    /// Returns the `Cookie` field for a URL.
    func header(_ url: String = "https://h.test/") -> String? { cookieHeader(for: CookieFixture.url(url)) }
}
