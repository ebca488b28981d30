import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmallStreams
@testable import StartSmall
import StartSmallSupport
@testable import StartSmallCore

/// Hosts that no request is sent to, and the reasons, on every platform and whatever an app links.
private enum RefusedHosts {
    static let notASCII = "the host is not ASCII, and must be given in its form xn--… (RFC 5890 2.3.2.1)"
    static let percent = "the host has a percent sign"
    static let zone =
        "only a link-local IPv6 address (fe80::/10) has a zone, of unreserved characters after %25 (RFC 4007 6, 11; "
        + "RFC 6874 2), as in [fe80::1%25eth0]"

    /// Hosts as they are written in a text.
    ///
    /// IDNA maps each of those that are not ASCII to a host in ASCII (UTS 46 4): the last of them to addresses, dots,
    /// the letter `k`, and nothing.
    static let all =
        [
            ("b\u{FC}cher.example", notASCII), ("B\u{DC}CHER.example", notASCII), ("bu\u{308}cher.example", notASCII),
            ("xn--bcher-kva.b\u{FC}cher.example", notASCII), ("\u{4F8B}\u{3048}.jp", notASCII),
            ("fa\u{DF}.de", notASCII),
            ("\u{FF25}\u{FF38}.com", notASCII), ("\u{FF11}\u{FF12}\u{FF17}.0.0.1", notASCII),
            ("127\u{3002}0\u{FF0E}0.1", notASCII), ("\u{2460}27.0.0.1", notASCII), ("\u{212A}.example", notASCII),
            ("ex\u{AD}ample.com", notASCII), ("ex\u{200D}ample.com", notASCII), ("evil.com\u{FF0F}.example", notASCII),
        ] + encoded

    /// Hosts as a URL has them without IDNA, or as a text has them.
    static let encoded = [
        ("b%C3%BCcher.example", notASCII), ("%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1", notASCII), ("%FF", notASCII),
        ("%E2%84%AA.example", notASCII), ("a%20b", percent), ("%3127.0.0.1", percent), ("%41.example", percent),
        ("evil.com%2F.example", percent), ("me%40evil.com", percent), ("a%3A80", percent), ("a%00b", percent),
        ("%25", percent), ("xn--bcher-kva%2Eexample", percent), ("%5B::1%5D", percent), ("[::%31]", zone),
        ("[::1%25]", zone), ("[::1%25lo]", zone), ("[fe80::1%25]", zone),
        ("[fe80::1%25a%2Fb]", zone), ("[fe80::1%25%C3%BC]", zone), ("[fe80::1%25a%25b]", zone),
        ("[2001:db8::1%25en0]", zone), ("[example.com]", "not a host"),
    ]
}

struct AuthorityTests {
    @Test(
        "a host of any other form than ASCII without percent signs is refused, wherever it stands",
        arguments: RefusedHosts.all
    )
    func refused(_ host: String, _ reason: String) {
        for text in ["http://\(host)", "//\(host)/x", "HTTPS://u:p@\(host):80?q#f", "http://\u{FC}%41@\(host)#f"] {
            #expect(Authority(of: text)?.refusal == reason, "\(text)")
        }
    }

    @Test(
        "a host that is ASCII is used as it is, with a trailing dot, and in its A-label form in any case",
        arguments: [
            "example.com", "example.com.", "EXAMPLE.com", "xn--bcher-kva.example", "XN--BCHER-KVA.example.", "xn--",
            "a_b", "a!$&'()*+,;=b", "127.0.0.1", "[::1]", "[2001:DB8::1]", "[fe80::1%25eth0]", "[FE80::1%252]", "",
        ]
    )
    func allowed(_ host: String) {
        for text in [
            "http://\(host)", "//\(host)/\u{FC}", "https://u:p@\(host):80?%", "http://\u{FC}%41@\(host)#\u{FC}",
        ] {
            #expect(Authority(of: text)?.host == host[...], "\(text)")
            #expect(Authority(of: text)?.refusal == nil, "\(text)")
        }
    }

    @Test(
        "a zone that is raw, or has a delimiter, is no host",
        arguments: [
            "[fe80::1%eth0]", "[fe80::1%]", "[fe80::1%25a/b]", "[fe80::1%25a@b]", "[fe80::1%25a?b]", "[fe80::1",
        ]
    )
    func zones(_ host: String) {
        let isCut = ["[fe80::1", "[fe80::1%25a/b]", "[fe80::1%25a?b]"].contains(host)
        let refusal = Authority(of: "http://\(host)/")?.refusal
        #expect(isCut ? refusal != nil : refusal == (host.contains("@") ? "not a host" : RefusedHosts.zone), "\(host)")
    }

    @Test(
        "a port that no connection can have is refused, wherever it stands",
        arguments: ["65536", "99999", "99999999999999999999", "+80", "-1", "\u{664}", "80:80"]
    )
    func ports(_ port: String) throws {
        let location = "http://home.example:\(port)/"
        #expect(Authority(of: location)?.refusal == "not a port")
        #expect(
            Either<ConnectionError, Input>.get("\(location)" as String).left?.debugInfo.hasPrefix("not a port") == true
        )
        let home = try #require(URL(string: "http://home.example/"))
        #expect(home.resolving(location) == nil)
        #expect(Request(url: home, headers: ["Host": "home.example:\(port)"]).targetURL == nil)
        if let url = URL(string: location, encodingInvalidCharacters: false) { #expect(Origin(url) == nil) }
    }

    @Test("every other port is a port", arguments: ["", "0", "1", "00080", "65535"])
    func legalPorts(_ port: String) {
        #expect(Authority(of: "http://h:\(port)/")?.refusal == nil)
    }

    @Test(
        "a text without an authority has no host",
        arguments: ["", "/\u{FC}", "\u{FC}", "mailto:a@\u{FC}", "a/b://\u{FC}"]
    )
    func none(_ text: String) {
        #expect(Authority(of: text) == nil)
    }
}

/// Each user of a host asks the same rule.
struct RefusedHostTests {
    private static let home = URL(string: "http://home.example/a/b")!
    private static let path = URL(string: "/x")!

    /// Returns the URL of a host that `URL` does not change; nil if there is none.
    private func url(_ host: String) -> URL? { URL(string: "http://\(host)/x", encodingInvalidCharacters: false) }

    @Test("a builder refuses such a host, in its template and in a value, with the reason", arguments: RefusedHosts.all)
    func builders(_ host: String, _ reason: String) {
        let built = [
            Either<ConnectionError, Input>.get("http://\(host)/x" as String), .get("{+base}/x", ["base": "//\(host)"]),
        ]
        for error in built.map(\.left) {
            #expect(error?.name == "malformedURL")
            #expect(error?.debugInfo.hasPrefix("\(reason): ") == true, "\(String(describing: error))")
        }
        let value = Either<ConnectionError, Input>.get("http://{host}/x", ["host": host])
        #expect(value.left?.name == "malformedURL", "\(value)")
    }

    @Test("a reference to such a host leads nowhere: no link, no page, no redirect", arguments: RefusedHosts.all)
    func references(_ host: String, _ reason: String) {
        for reference in ["http://\(host)/x", "//\(host)/x", "http://home.example@\(host)", "https:\(host)"] {
            #expect(Self.home.resolving(reference) == nil, "\(reference)")
            let headers = HTTPHeaders([.init(name: "Location", value: reference)])
            let response = Response(statusCode: .found, headers: headers)
            #expect(RedirectPolicy().next(after: response, to: Input(url: Self.home)) == nil, "\(reference)")
        }
    }

    @Test("a URL of such a host is malformed, has no origin, and is no base", arguments: RefusedHosts.encoded)
    func urls(_ host: String, _ reason: String) async {
        guard let url = url(host) else { return }
        let error = ValidatedRequest.from(Input(url: url)).left
        #expect(error?.debugInfo.hasPrefix("\(reason): ") == true, "\(String(describing: error))")
        #expect(Origin(url) == nil)
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: .baseURL(url))
        let output = await WebAPI.call(with: Input(url: Self.path), via: connector)
        #expect(output.connectionError?.name == "malformedURL")
        #expect(output.connectionError?.debugInfo.hasPrefix("\(reason): ") == true, "\(output)")
        #expect(sent.elements.isEmpty)
        let scope = CredentialScope.origin(url)
        #expect(Input(url: url).isIn(scope).left?.debugInfo.hasPrefix("\(reason): ") == true)
    }

    @Test("a Host field of such a host names no resource", arguments: RefusedHosts.all)
    func hostFields(_ host: String, _ reason: String) {
        #expect(Request(url: Self.home, headers: HTTPHeaders([.init(name: "Host", value: host)])).targetURL == nil)
    }

    @Test("a link to a page at such a host ends the pages with the reason")
    func pages() {
        let response = Response(statusCode: .ok, headers: ["Link": "<http://b%C3%BCcher.example/>; rel=next"])
        let page = PageContext(page: "", number: 1, input: Input(url: Self.home), response: response)
        let next = PaginationStrategy<String>.link().next(page)
        #expect(next?.left?.debugInfo.contains(RefusedHosts.notASCII) == true, "\(String(describing: next))")
    }

    @Test(
        "credentials are not sent to a host that differs from theirs only by a mapping",
        arguments: [
            "b%C3%BCcher.example", "b\u{FC}cher.example", "xn--bcher-kva%2Eexample", "xn--bcher-kva.ex\u{AD}ample",
        ]
    )
    func credentials(_ other: String) async throws {
        let url = try #require(URL(string: "https://me:secret@xn--bcher-kva.example/"))
        let sent = Recorder<Input>()
        let redirect = Response(
            statusCode: .temporaryRedirect,
            headers: HTTPHeaders([.init(name: "Location", value: "https://\(other)/")])
        )
        let stub = Connector.stub(sequence: [.hasResponse(redirect), .hasResponse(Fixture.ok)], recording: sent)
        let input = Input(url: url, headers: ["Authorization": "Bearer secret"])
        let output = await WebAPI.call(with: input, via: stub.wrapped(by: .redirect()))
        #expect(output.response?.statusCode == .temporaryRedirect)
        #expect(sent.elements.count == 1)
    }

    @Test("a URL that Foundation has mapped to ASCII has the origin of the mapped host, as the wire has it")
    func mapped() throws {
        let ascii = try #require(URL(string: "https://xn--bcher-kva.example/"))
        // Without IDNA, the URL has a percent sign, and no origin.
        let url = try #require(URL(string: "https://B\u{FC}cher.example/"))
        #expect(Origin(url) == nil || Origin(url) == Origin(ascii))
        #expect(Origin(ascii)?.host == "xn--bcher-kva.example")
        #expect(Origin(try #require(URL(string: "https://XN--bcher-KVA.example/"))) == Origin(ascii))
    }

    @Test("a base URL, a link and a redirect keep the zone of an address")
    func zones() async throws {
        let base = try #require(URL(string: "http://[fe80::1%25eth0]:8080/v3"))
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: .baseURL(base))
        for path in ["/x", "/x;y"] {
            _ = await WebAPI.call(with: Input(url: try #require(URL(string: path))), via: connector)
        }
        #expect(
            sent.elements.map(\.url.absoluteString) == ["x", "x;y"].map { "http://[fe80::1%25eth0]:8080/v3/\($0)" }
        )
        #expect(base.resolving("../y")?.absoluteString == "http://[fe80::1%25eth0]:8080/y")
        #expect(base.resolving("//[fe80::2%25b]/")?.absoluteString == "http://[fe80::2%25b]/")
        #expect(Origin(base) != Origin(try #require(URL(string: "http://[fe80::1%25eth1]:8080/v3"))))
    }
}
