import Foundation
import StartSmall
@testable import StartSmallCookies
import StartSmallTesting
import Testing

/// Requests that ask for several hosts at one URL, by their own `Host` (RFC 9110 7.1).
struct CookiesHostTests {
    private static let gateway = CookieFixture.url("http://127.0.0.1:8080/a")

    /// Returns the `Cookie` fields that calls with these `Host` fields send, whose responses set `host=HOST`.
    private static func sent(_ jar: CookieJar, _ hosts: [String], _ url: URL = gateway) async -> [String?] {
        let sent = Recorder<Input>()
        let connector = Connector.stub(recording: sent) { input in
            .status(.ok, headers: ["Set-Cookie": "host=\(input.headers["Host"] ?? "-")"])
        }.wrapped(by: .cookies(in: jar))
        for host in hosts {
            let headers: HTTPHeaders = host.isEmpty ? [:] : ["Host": host]
            _ = await WebAPI.call(with: Input(url: url, headers: headers), via: connector)
        }
        return sent.elements.map { $0.headers["Cookie"] }
    }

    @Test("of two hosts at one URL, each gets its own cookies alone, in any case and with any port")
    func hosts() async {
        let jar = CookieFixture.jar()
        let hosts = ["a.test", "b.test", "A.test:80", "B.TEST:8080", "", "127.0.0.1"]
        let expected = [nil, nil, "host=a.test", "host=b.test", nil, "host=-"]
        #expect(await Self.sent(jar, hosts) == expected)
        #expect(jar.cookies.map(\.domain) == ["a.test", "b.test", "127.0.0.1"])
        #expect(jar.header("http://a.test/") == "host=A.test:80")
    }

    @Test("a malformed Host, or several, get no cookie and set none", arguments: ["a/b", "a.test,b.test", "u@a.test"])
    func malformed(_ host: String) async {
        let jar = CookieFixture.jar(from: ("http://127.0.0.1/", "own=1"), ("http://a.test/", "a=1"))
        #expect(await Self.sent(jar, [host]) == [nil])
        let twice = Input(url: Self.gateway, headers: ["Host": "a.test", "Host": "a.test"])
        let sent = Recorder<Input>()
        let connector = Connector.stub(.status(.ok, headers: ["Set-Cookie": "b=1"]), recording: sent)
        _ = await WebAPI.call(with: twice, via: connector.wrapped(by: .cookies(in: jar)))
        #expect(sent.elements.map { $0.headers["Cookie"] } == [nil] && jar.cookies.count == 2)
    }

    @Test("the URL alone, and not a Host, makes a connection secure")
    func secure() async {
        var policy = CookieFixture.policy
        policy.trustsLoopback = true
        let jar = CookieFixture.jar(
            from: ("https://localhost/", "s=1; Secure"),
            ("https://a.test/", "s=2; Secure"),
            policy: policy
        )
        #expect(await Self.sent(jar, ["localhost"], CookieFixture.url("http://evil.test/")) == [nil])
        #expect(await Self.sent(jar, ["a.test"], CookieFixture.url("http://127.0.0.1/")) == ["s=2"])
        #expect(await Self.sent(jar, ["a.test"], CookieFixture.url("https://gateway.test/")) == ["s=2; host=a.test"])
    }

    @Test("after a redirect inside, the host stays within the origin of the URL, and is gone at another one")
    func redirected() async {
        for (location, domain) in [("/b", "a.test"), ("http://other.test/", "other.test")] {
            let jar = CookieFixture.jar()
            let stub = Connector.stub { input in
                input.url == Self.gateway
                    ? .status(.found, headers: ["Location": location])
                    : .status(.ok, headers: ["Set-Cookie": "a=1; Path=/"])
            }
            let connector = stub.wrapped(by: .cookies(in: jar), .redirect())
            _ = await WebAPI.call(with: Input(url: Self.gateway, headers: ["Host": "a.test"]), via: connector)
            #expect(jar.cookies.map(\.domain) == [domain])
        }
    }
}
