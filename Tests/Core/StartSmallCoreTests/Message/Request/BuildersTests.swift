import Foundation
import StartSmall
import StartSmallSupport
import TestSupport
import Testing

private typealias Built = Either<ConnectionError, Input>

struct BuildersTests {
    @Test(
        "a login of any characters is one path segment that decodes to the login",
        .parity("A9"),
        arguments: [
            "octocat", "/", "?", "#", "%", " ", "a b", "👩‍🚀", "é", "\r\n", "a/../b", "../../x", "%2e%2e", "%2E", "{x}",
            "{login}", "\0", "...", "a.", ".a", "+", "&", "=", ";", ":", "@", "\\", "//", "a?b#c", "\u{202E}", "\"",
            "<>", "|", "~", "[", "日本", String(repeating: "a/", count: 50_000),
        ]
    )
    private func hostileLogins(_ login: String) throws {
        let built = Built.get("https://api.github.com/users/{login}", ["login": login])
        let url = try #require(built.right.flatMap { ValidatedRequest.from($0).right }).url
        let segments = url.absoluteString.split(separator: "/", omittingEmptySubsequences: false)
        #expect(segments.count == 5)
        #expect(segments[0..<4] == ["https:", "", "api.github.com", "users"])
        #expect(URIEncoding.decoded(String(segments[4])) == Array(login.utf8))
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

    @Test("a variable without a value is an error that says so, and so is a value without a variable, in a literal")
    private func names() {
        #expect(Built.get("https://h/{part}").left?.debugInfo == "{part} has no value: https://h/{part}")
        #expect(
            Built.get("https://h/{a,b}", ["c": "1", "a": "", "b": [String]()]).left?.debugInfo.hasPrefix("{c} is not")
                == true
        )
        #expect(Built.get("https://h/{a,b}", ["a": ""]).left?.debugInfo.hasPrefix("{a,b} must not be empty") == true)
        #expect(Built.get("https://h/{+path}").left?.debugInfo == "{+path} has no value: https://h/{+path}")
        let misspelt = Built.get("https://h/x{?page}", ["pagee": 1, "zzz": 2])
        #expect(misspelt.left == .malformedURL(debugInfo: "{pagee} is not in the template: https://h/x{?page}"))
        // A text from elsewhere may have dropped a variable.
        let text = "https://h/x{?page}"
        #expect(Built.get(text, ["pagee": 1]).right?.url.absoluteString == "https://h/x")
        #expect(Built.get("https://h/{", ["a": 1]).left?.debugInfo.contains("at byte") == true)
    }

    @Test("every builder of a literal has its method, and names an unknown variable")
    private func literals() {
        let built: [(String, Built, Built)] = [
            ("GET", .get("https://h/{x}", ["x": "1"]), .get("https://h/", ["x": "1"])),
            ("HEAD", .head("https://h/{x}", ["x": "1"]), .head("https://h/", ["x": "1"])),
            ("POST", .post("https://h/{x}", ["x": "1"]), .post("https://h/", ["x": "1"])),
            ("PUT", .put("https://h/{x}", ["x": "1"]), .put("https://h/", ["x": "1"])),
            ("PATCH", .patch("https://h/{x}", ["x": "1"]), .patch("https://h/", ["x": "1"])),
            ("DELETE", .delete("https://h/{x}", ["x": "1"]), .delete("https://h/", ["x": "1"])),
            ("OPTIONS", .options("https://h/{x}", ["x": "1"]), .options("https://h/", ["x": "1"])),
            ("QUERY", .custom("QUERY", "https://h/{x}", ["x": "1"]), .custom("QUERY", "https://h/", ["x": "1"])),
        ]
        for (method, known, unknown) in built {
            #expect(known.right?.methodAndPayload.method == method && known.right?.url.absoluteString == "https://h/1")
            #expect(unknown.left == .malformedURL(debugInfo: "{x} is not in the template: https://h/"))
        }
    }

    @Test("every builder creates its method, with and without payload, of a template or a ready URL, kept byte by byte")
    func methods() throws {
        let (url, ready) = ("https://h/{x}", try #require(URL(string: "HTTPS://h/a%2fb//{x}/?q=%7e+&r#f")))
        let payload = Payload(.data(Data("p".utf8)), mediaType: .text)
        let built: [(Built, Built, HTTPMethodAndPayload)] = [
            (.get(url, ["x": "1"]), .get(ready), .get), (.head(url, ["x": "1"]), .head(ready), .head),
            (.post(url, ["x": "1"]), .post(ready), .post(payload: nil)),
            (.post(url, ["x": "1"], payload: .text("p")), .post(ready, payload: .text("p")), .post(payload: payload)),
            (.put(url, ["x": "1"], payload: .text("p")), .put(ready, payload: .text("p")), .put(payload: payload)),
            (
                .patch(url, ["x": "1"], payload: .text("p")), .patch(ready, payload: .text("p")),
                .patch(payload: payload)
            ),
            (.delete(url, ["x": "1"]), .delete(ready), .delete(payload: nil)),
            (.options(url, ["x": "1"]), .options(ready), .options(payload: nil)),
            (
                .custom("QUERY", url, ["x": "1"], payload: .text("p")),
                .custom("QUERY", ready, payload: .text("p")), .custom(method: "QUERY", payload: payload)
            ),
        ]
        for (template, whole, methodAndPayload) in built {
            #expect(template == .right(Input(url: URL(string: "https://h/1")!, methodAndPayload: methodAndPayload)))
            #expect(whole == .right(Input(url: ready, methodAndPayload: methodAndPayload)))
            #expect(whole.right?.url.absoluteString == ready.absoluteString)
        }
        let parts = Built.get(ready, queries: ["page": 2], headers: ["A": "1", "a": "2"]).right
        #expect(parts?.queries == [URLQueryItem(name: "page", value: "2")])
        #expect(parts?.headers.fields.map(\.value) == ["1", "2"])
        for failed in [
            Built.post(url, ["x": "1"], payload: .json(Double.nan)), .post(ready, payload: .json(Double.nan)),
        ] {
            #expect(failed.left?.name == "malformedPayload")
        }
    }

    @Test(
        "a text that expands to no URL is malformed, and its error shows no credential",
        arguments: [
            "https://user:hunter2@h/{", "https://h/?token=hunter2&a={b c}", "https://user:hunter2{ }@h/",
            "https://h/}?key=hunter2", "https://user:{hunter2!}@h/", "http://h:hunter2@x:port/", "",
            "https://user:hunter2@h:x/", "http://a b:hunter2@/ ]",
        ]
    )
    func malformedTemplates(_ template: String) {
        let built = Built.get(template)
        #expect(built.left?.name == "malformedURL" || ValidatedRequest.from(built.right!).left?.name == "malformedURL")
        #expect(built.left?.debugInfo.contains("hunter2") != true)
    }

    @Test(
        "a value for a host, a port or a password may not change another part",
        arguments: [
            ("https://{x}.example.com/", "evil.com/"), ("https://{x}.example.com/", "evil.com#"),
            ("https://{x}.example.com/", "a@evil.com"), ("https://{x}.example.com/", "evil.com:80"),
            ("https://{x}.example.com/", "evil.com?"), ("https://{x}.example.com/", "evil.com\\"),
            ("https://{x}.example.com/", "evil.com\u{FF0F}"), ("https://{x}.example.com/", "evil.com\u{2100}"),
            ("https://{x}.example.com/", "\0"), ("https://{x}.example.com/", "a b"),
            ("https://example.com:{x}/", "80@evil.com"), ("https://example.com{x}/", "@evil.com"),
            ("https://{x}.example.com/", "evil.com\u{FF1F}"), ("https://{x}.example.com/", "evil.com\u{FF03}"),
            ("https://{x}.example.com/", "evil.com%2F"), ("https://example.com{x}/", ":80"),
        ]
    )
    private func authority(_ template: String, _ value: String) {
        let error = Built.get(template, ["x": value]).flatMap(ValidatedRequest.from).left
        #expect(error?.name == "malformedURL")
    }
}
