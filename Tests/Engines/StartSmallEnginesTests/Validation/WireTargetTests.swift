import Foundation
@testable import StartSmallCore
@testable import StartSmallEngines
import TestSupport
import Testing

private func wire(_ url: String, _ queries: [URLQueryItem] = []) throws -> Either<ConnectionError, ValidatedRequest> {
    ValidatedRequest.from(Input(url: try #require(URL(string: url)), queries: queries))
}

struct WireTargetTests {
    @Test("query items are added to the URL exactly once, after its own items", .parity("A10"))
    func queries() throws {
        let items = [URLQueryItem(name: "a", value: "+ &"), URLQueryItem(name: "b", value: nil)]
        #expect(try wire("https://h/p?z=0#f", items).right?.url.absoluteString == "https://h/p?z=0&a=%2B%20%26&b")
        #expect(try wire("https://h", items).right?.url.absoluteString == "https://h?a=%2B%20%26&b")
    }

    @Test(
        "the URL is sent without fragment and user information, with its scheme in lower case",
        arguments: [
            ("https://h/p#f", "https://h/p"), ("HTTP://h/", "http://h/"),
            ("https://u:p@h:8443/p?q#f", "https://h:8443/p?q"), ("http://[::1]:80/", "http://[::1]:80/"),
            ("http://u@[fe80::1%25en0]/", "http://[fe80::1%25en0]/"),
            ("http://[2001:DB8::a:0:1]/", "http://[2001:DB8::a:0:1]/"), ("http://[::]/", "http://[::]/"),
            ("http://[::ffff:192.0.2.1]:8080/a", "http://[::ffff:192.0.2.1]:8080/a"), ("https://h", "https://h"),
            ("https://h?q", "https://h?q"), ("https://h:/", "https://h:/"), ("https://h:65535/", "https://h:65535/"),
            ("https://@h/", "https://h/"), ("https://h/@a:b", "https://h/@a:b"),
            ("https://h/p?u=http://x:y@z", "https://h/p?u=http://x:y@z"), ("https://h//a/../b?", "https://h//a/../b?"),
            ("https://H.Example/", "https://H.Example/"),
            ("https://u@xn--bcher-kva.example:1/", "https://xn--bcher-kva.example:1/"),
            ("https://%C3%BC:p@XN--bcher-kva.example./", "https://XN--bcher-kva.example./"),
        ]
    )
    func sent(_ url: String, _ sent: String) throws {
        #expect(try wire(url).right?.url.absoluteString == sent)
    }

    @Test(
        "a URL that no engine can call is malformed, and the error names the reason",
        arguments: [
            ("/x", "no scheme"), ("x", "no scheme"), ("//h/x", "no scheme"), ("?a", "no scheme"),
            ("ftp://h/", "neither http nor https"), ("file:///tmp", "neither http nor https"),
            ("mailto:a@b", "neither http nor https"), ("httpss://h/", "neither http nor https"),
            ("data:,x", "neither http nor https"), ("http:///x", "no host"), ("http:h", "no host"),
            ("http:/h", "no host"), ("http://?a", "no host"), ("http://:80/", "no host"), ("http://u@/", "no host"),
            ("http://u@:80/", "no host"), ("http://[]/", "not a host"), ("http://u@[]:80/", "not a host"),
            ("http:x://h/", "no host"), ("http://#a", "no host"), ("http://h:65536/", "not a port"),
            ("http://h:99999999999999999999/", "not a port"), ("http://a%2Fb/", "the host has a percent sign"),
            ("http://a%EF%BC%8Fb/", "the host is not ASCII"), ("http://a%0D%0Ab/", "the host has a percent sign"),
            ("http://[www.google.com]/", "not a host"), ("http://[www.google.com]:80/x", "not a host"),
            ("http://[::%31]/", "only a link-local IPv6"), ("http://u@[::%31]:80/", "only a link-local IPv6"),
            ("http://[127.0.0.1]/", "not a host"), ("http://[::1%25]/", "only a link-local IPv6"),
            ("http://[::1%31]/", "only a link-local IPv6"), ("http://[fe80::1%25a%2Fb]/", "only a link-local IPv6"),
            ("http://[v1.x]/", "not a host"), ("http://[:::1]/", "not a host"), ("http://[1:2:3]/", "not a host"),
            ("http://[::12345]/", "not a host"), ("http://[::ffff:1.2.3.256]/", "not a host"),
            ("http://u%3Av:p@h/", "user information"), ("http://u%0A@h/", "user information"),
            ("http://u:p%00@h/", "user information"), ("http://u:p%7F@h/", "user information"),
        ]
    )
    func malformed(_ url: String, _ reason: String) throws {
        let error = try wire(url).left
        #expect(error?.name == "malformedURL")
        #expect(error?.debugInfo.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test(
        "user information is sent in Authorization, percent-decoded to its exact bytes",
        arguments: [
            ("u:p", "u:p"), ("u", "u:"), ("u:", "u:"), (":p", ":p"), ("u:p:q", "u:p:q"), ("%C3%A9:%40%2F", "é:@/"),
            ("u:%3A", "u::"), ("a+b:%2B", "a+b:+"),
        ]
    )
    func basic(_ userInfo: String, _ plain: String) throws {
        let authorization = try wire("https://\(userInfo)@h/").right?.headers["Authorization"]
        #expect(authorization == "Basic " + Data(plain.utf8).base64EncodedString())
        let bytes = try wire("https://u%FF@h/").right?.headers["Authorization"]
        #expect(bytes == "Basic " + Data([0x75, 0xFF, 0x3A]).base64EncodedString())
    }

    @Test("a given Authorization takes precedence, and empty user information is ignored")
    func given() throws {
        let input = Input(url: URL(string: "https://u:p@h/")!, headers: ["authorization": "Bearer x"])
        #expect(ValidatedRequest.from(input).right?.headers.values(of: "Authorization") == ["Bearer x"])
        #expect(try wire("https://@h/").right?.headers.fields.isEmpty == true)
    }

    @Test(
        "an error shows no credential",
        arguments: ["ftp://u:hunter2@h/", "http://u:hunter2@/?token=hunter2", "http://u:hunter2@h:99999/"]
    )
    func redaction(_ url: String) throws {
        #expect(try wire(url).left?.description.contains("hunter2") == false)
    }
}
