import Foundation
@testable import StartSmall
import Testing
import ParityTrait

private typealias Built = Either<ConnectionError, Input>

struct BuildersTests {
    @Test("brackets in a relative URL are encoded, also with a URL in its query")
    func brackets() {
        let input = Built.get("/search?filter[name]=a&u=https://x")
        #expect(input.right?.url.absoluteString == "/search?filter%5Bname%5D=a&u=https://x")
    }

    @Test(
        "a login of any characters is one path segment that decodes to the login",
        .parity("A9"),
        arguments: [
            "octocat", "/", "?", "#", "%", " ", "a b", "👩‍🚀", "é", "\r\n", "a/../b", "../../x", "%2e%2e", "%2E", "{x}",
            "{login}", "\0",
            "...", "a.", ".a", "+", "&", "=", ";", ":", "@", "\\", "//", "a?b#c", "\u{202E}", "\"", "<>", "|", "~", "[",
            "日本",
            String(repeating: "a/", count: 50_000),
        ]
    )
    private func hostileLogins(_ login: String) throws {
        let built = Built.get("https://api.github.com/users/{login}", ["login": login])
        let url = try #require(built.right.flatMap { ValidatedRequest.from($0).right }).url
        let segments = url.absoluteString.split(separator: "/", omittingEmptySubsequences: false)
        #expect(segments.count == 5)
        #expect(segments[0..<4] == ["https:", "", "api.github.com", "users"])
        #expect(URIEncoding.decoded(segments[4]) == Array(login.utf8))
        #expect(!segments[4].contains { "?#".contains($0) })
        #expect(url.host() == "api.github.com")
        #expect(url.query() == nil)
        #expect(url.fragment == nil)
    }

    @Test("a login that can't be a path segment is a malformed URL", .parity("A9"), arguments: ["", ".", ".."])
    private func impossibleLogins(_ login: String) {
        #expect(
            Built.get("https://api.github.com/users/{login}", ["login": login])
                == .left(
                    .malformedURL(
                        debugInfo: "{login} must not be empty, . or ..: https://api.github.com/users/{login}"
                    )
                )
        )
    }

    @Test("a login that is missing is a malformed URL")
    func forgotten() {
        #expect(Built.get("https://h/users/{login}", ["lgoin": "a"]).left?.name == "malformedURL")
    }

    @Test("every builder creates its method, with and without payload")
    func methods() {
        let url = "https://h/{x}"
        let variables = ["x": "1"]
        let payload = Payload(.data(Data("p".utf8)), mediaType: .text)
        let built: [(Built, HTTPMethodAndPayload)] = [
            (.get(url, variables), .get), (.head(url, variables), .head),
            (.post(url, variables), .post(payload: nil)),
            (.post(url, variables, payload: .text("p")), .post(payload: payload)),
            (.put(url, variables), .put(payload: nil)),
            (.put(url, variables, payload: .text("p")), .put(payload: payload)),
            (.patch(url, variables), .patch(payload: nil)),
            (.patch(url, variables, payload: .text("p")), .patch(payload: payload)),
            (.delete(url, variables), .delete(payload: nil)),
            (.delete(url, variables, payload: .text("p")), .delete(payload: payload)),
            (.options(url, variables), .options(payload: nil)),
            (.options(url, variables, payload: .text("p")), .options(payload: payload)),
            (.custom("QUERY", url, variables), .custom(method: "QUERY", payload: nil)),
            (.custom("QUERY", url, variables, payload: .text("p")), .custom(method: "QUERY", payload: payload)),
        ]
        for (input, methodAndPayload) in built {
            #expect(input == .right(Input(url: URL(string: "https://h/1")!, methodAndPayload: methodAndPayload)))
        }
    }

    @Test("every builder takes a ready URL, and keeps it byte by byte")
    func readyURLs() throws {
        let url = try #require(URL(string: "HTTPS://h/a%2fb//{x}/?q=%7e+&r#f"))
        let payload = Payload(.data(Data("p".utf8)), mediaType: .text)
        let built: [(Built, HTTPMethodAndPayload)] = [
            (.get(url), .get), (.head(url), .head), (.post(url), .post(payload: nil)),
            (.post(url, payload: .text("p")), .post(payload: payload)),
            (.put(url, payload: .text("p")), .put(payload: payload)),
            (.patch(url, payload: .text("p")), .patch(payload: payload)),
            (.delete(url), .delete(payload: nil)), (.options(url), .options(payload: nil)),
            (.custom("QUERY", url, payload: .text("p")), .custom(method: "QUERY", payload: payload)),
        ]
        for (input, methodAndPayload) in built {
            #expect(input == .right(Input(url: url, methodAndPayload: methodAndPayload)))
            #expect(input.right?.url.absoluteString == url.absoluteString)
        }
        let parts = Built.get(url, queries: ["page": 2], headers: ["A": "1"]).right
        #expect(parts?.queries == [URLQueryItem(name: "page", value: "2")])
        #expect(parts?.headers == ["A": "1"])
        #expect(Built.post(url, payload: .json(Double.nan)).left?.name == "malformedPayload")
    }

    @Test(
        "a ready URL that no engine can send is refused before anything is sent",
        arguments: ["file:///etc/passwd", "ftp://h/", "/relative", "https:///path"]
    )
    private func unsendable(_ text: String) throws {
        let input = Built.get(try #require(URL(string: text)))
        #expect(input.flatMap(ValidatedRequest.from).left?.name == "malformedURL")
    }

    @Test("queries and headers are kept unchanged")
    func parts() {
        let queries = [URLQueryItem(name: "a", value: "1"), URLQueryItem(name: "a", value: nil)]
        let input = Built.get("https://h/?b", queries: Queries(queries), headers: ["A": "1", "a": "2"]).right
        #expect(input?.queries == queries)
        #expect(input?.headers.fields.map(\.value) == ["1", "2"])
    }

    @Test("a builder returns the error of a payload that could not be created")
    func malformedPayload() {
        #expect(Built.post("https://h/", payload: .json(Double.nan)).left?.name == "malformedPayload")
    }

    @Test(
        "a text that expands to no URL is malformed, and its error shows no credential",
        arguments: [
            "https://user:hunter2@h/{", "https://h/?token=hunter2&a={b c}", "https://user:hunter2{ }@h/",
            "https://h/}?key=hunter2",
            "https://user:{hunter2!}@h/", "http://h:hunter2@x:port/", "", "https://user:hunter2@h:x/",
            "http://a b:hunter2@/ ]",
        ]
    )
    func malformedTemplates(_ template: String) {
        let built = Built.get(template)
        #expect(built.left?.name == "malformedURL" || ValidatedRequest.from(built.right!).left?.name == "malformedURL")
        #expect(built.left?.debugInfo.contains("hunter2") != true)
    }

    @Test(
        "a literal may contain brackets, percent-encoded bytes and letters beyond ASCII, as a URL may",
        arguments: [
            ("https://h/a%20b", "https://h/a%20b"),
            ("https://h/?filter[name]=é", "https://h/?filter%5Bname%5D=%C3%A9"),
            ("https://h/%20[", "https://h/%20%5B"), ("http://[::1]:80/", "http://[::1]:80/"),
            ("https://h/a'b", "https://h/a'b"),
        ]
    )
    func literals(_ template: String, _ url: String) {
        #expect(Built.get(template).right?.url.absoluteString == url)
    }

    @Test(
        "a character that no URL may contain is a malformed URL with its position",
        arguments: [
            ("https://h/a b", "U+20 is not allowed in a URI at byte 11"),
            ("https://h/100%", "% without two hexadecimal digits at byte 13"),
            ("https://h/a|b", "| is not allowed in a URI at byte 11"),
        ]
    )
    func illegalLiterals(_ template: String, _ reason: String) {
        #expect(Built.get(template).left == .malformedURL(debugInfo: "\(reason): \(template)"))
    }

    @Test("values of all kinds and every operator expand to a URL")
    func values() {
        let page: Int? = nil
        let ids = [1, 2]
        let built = Built.get(
            "https://h/users/{login}{/part}{?page,ids*}",
            ["login": "a b", "part": "c", "page": page, "ids": ids]
        )
        #expect(built.right?.url.absoluteString == "https://h/users/a%20b/c?ids=1&ids=2")
    }

    @Test(
        "a value for a host, a port or a password may not change another part",
        arguments: [
            ("https://{x}.example.com/", "evil.com/"), ("https://{x}.example.com/", "evil.com#"),
            ("https://{x}.example.com/", "a@evil.com"),
            ("https://{x}.example.com/", "evil.com:80"), ("https://{x}.example.com/", "evil.com?"),
            ("https://{x}.example.com/", "evil.com\\"),
            ("https://{x}.example.com/", "evil.com\u{FF0F}"), ("https://{x}.example.com/", "evil.com\u{2100}"),
            ("https://{x}.example.com/", "\0"),
            ("https://{x}.example.com/", "a b"), ("https://example.com:{x}/", "80@evil.com"),
            ("https://example.com{x}/", "@evil.com"),
            ("https://{x}.example.com/", "evil.com\u{FF1F}"), ("https://{x}.example.com/", "evil.com\u{FF03}"),
            ("https://{x}.example.com/", "evil.com%2F"), ("https://example.com{x}/", ":80"),
        ]
    )
    private func authority(_ template: String, _ value: String) {
        let error = Built.get(template, ["x": value]).flatMap(ValidatedRequest.from).left
        #expect(error?.name == "malformedURL")
    }

    @Test("a password of any characters is sent as Basic", arguments: ["a@b", "a/b", "a:b", "a?b#c", "é", " ", "%"])
    private func passwords(_ password: String) {
        let wire = Built.get("https://joe:{password}@h/", ["password": password]).flatMap(ValidatedRequest.from).right
        #expect(wire?.url.absoluteString == "https://h/")
        #expect(wire?.headers["Authorization"] == "Basic " + Data("joe:\(password)".utf8).base64EncodedString())
    }
}
