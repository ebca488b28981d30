import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

/// Payloads in which a secret is found, and its forms elsewhere in the recording.
@Suite struct SecretsTests {
    private let file = TestFile()

    @Test(
        "secrets in JSON are removed from any text that contains it, and from the rest of the recording",
        arguments: [
            ("application/json", "{\"pin\":\"hunter2-pin\",\"password\":\"hunter2-word\",\"note\":\"a\u{7F}b\"}"),
            ("application/json-seq", "\u{1E}{\"a\":1}\n\u{1E}{\"password\":\"hunter2-word\"}\n"),
            ("application/x-ndjson", "{\"a\":1}\n{\"password\":\"hunter2-word\"}\n"),
            ("text/event-stream", "event: token\ndata: {\"access_token\":\"hunter2-word\"}\n\n"),
            ("text/event-stream", "data: a 5\" disk\ndata: {\"access_token\":\"hunter2-word\"}\n\n"),
            ("text/event-stream", "data: {\"access_token\":\ndata: \"hunter2-word\"}\n\n"),
            ("text/plain", "\u{1}see https://a/?token=hunter2-word"),
            ("application/x-www-form-urlencoded", "a=\u{1B}&password=hunter2-word"),
        ]
    )
    func payloads(type: String, payload: String) async throws {
        let post = HTTPMethodAndPayload.post(
            payload: Payload(.data(Data(payload.utf8)), mediaType: MediaType(rawValue: type))
        )
        await Connector.recording([Sample.input("https://a/", post)], to: file) { _ in
            .hasResponse(Response(statusCode: .ok, headers: ["Content-Type": type], payload: Data(payload.utf8)))
        }
        #expect(!file.text.contains("hunter2"))
    }

    @Test("a secret of JSON in an event stream is hidden in the rest of the recording too")
    func elsewhere() async {
        let events = "data: {\"access_token\":\"hunter2-word\"}\n\n"
        await Connector.recording([Sample.input("https://a/hunter2-word")], to: file) { _ in
            .hasResponse(
                Response(statusCode: .ok, headers: ["Content-Type": "text/event-stream"], payload: Data(events.utf8))
            )
        }
        #expect(!file.text.contains("hunter2"))
    }

    @Test(
        "a secret is found in the escaped forms of JSON and URLs, escaped wholly or in part",
        arguments: [
            ("pass\"hunter2", #"pass\"hunter2"#), ("pass\\hunter2", #"pass\\hunter2"#),
            ("pass/hunter2", #"pass\/hunter2"#), ("pass\tähunter2", #"pass\tähunter2"#),
            ("pass<hunter2", #"pass\u003Chunter2"#), ("pass<hunter2", #"pass\u003chunter2"#),
            ("pass😀hunter2", #"pass\ud83d\ude00hunter2"#), ("pass/+hunter2", "pass%2f%2Bhunter2"),
            ("pass/+hunter2", "pass/%2bhunter2"), ("pass/+hunter2", "%70ass%2F+hunter2"),
            ("pass word hunter2", "pass+word%20hunter2"), ("pass%2Fhunter2", "pass%2Fhunter2"),
            ("pass%2Fhunter2", "pass%252Fhunter2"), ("pass\\nhunter2", "pass\\nhunter2"),
            ("pass/&hunter2", #"pass%2f\u0026hunter2"#), ("pass\"hunter2", #"pass\\\"hunter2"#),
        ]
    )
    func forms(secret: String, written: String) async throws {
        let json = try String(decoding: JSONEncoder().encode(["password": secret]), as: UTF8.self)
        let post = HTTPMethodAndPayload.post(payload: Either.text(json, mediaType: .json).right)
        await Connector.recording([Sample.input("https://a/", post)], to: file) { _ in
            .text("you said \(written), twice: \(written)")
        }
        let payload = try #require(try Cassette(at: file.url).exchanges.first?.response.payload)
        #expect(String(decoding: payload, as: UTF8.self) == "you said <redacted-1>, twice: <redacted-1>")
    }

    /// Header fields, a form, and the secret in one of them.
    private static let accented: [(headers: HTTPHeaders, form: String, secret: String)] = [
        (["Cookie": "a=1;\u{301}sid=hunter2-word"], "", "hunter2-word"),
        (["Cookie": "a=1; sid=\u{301}hunter2-word"], "", "\u{301}hunter2-word"),
        (["Set-Cookie": "sid=hunter2-word;\u{301}Path=/"], "", "hunter2-word"),
        (["Authorization": "Bearer \u{301}hunter2-word"], "", "\u{301}hunter2-word"),
        ([:], "token=\u{301}hunter2-word", "\u{301}hunter2-word"),
        ([:], "a=1&\u{301}token=hunter2-word", "hunter2-word"),
        ([:], "token=hunter2-word&\u{301}a=1", "hunter2-word"),
    ]

    @Test("a delimiter with a combining accent is still a delimiter, as it is for a server", arguments: accented)
    func accents(headers: HTTPHeaders, form: String, secret: String) async throws {
        let post = HTTPMethodAndPayload.post(payload: Payload(.data(Data(form.utf8)), mediaType: .form))
        await Connector.recording([Sample.input("https://a/", post, headers: headers)], to: file) { _ in
            .text("you said \(secret), twice: \(secret)")
        }
        #expect(!file.text.utf8.contains(secret.utf8))
    }

    @Test(
        "a form is recognized with blanks before its media type or an accent after it",
        arguments: [" application/x-www-form-urlencoded", "\tApplication/x-www-form-urlencoded;\u{301}a"]
    )
    func formTypes(type: String) async {
        let payload = Payload(.data(Data("a=1\n&password=hunter2-word".utf8)), mediaType: MediaType(rawValue: type))
        await Connector.recording([Sample.input("https://a/", .post(payload: payload))], to: file) { _ in
            .text("you said hunter2-word")
        }
        #expect(!file.text.contains("hunter2"))
    }

    @Test(
        "Basic credentials are decoded, however they are written",
        arguments: [
            "Basic bWU6aHVudGVyMi13b3Jk", "basic  bWU6aHVudGVyMi13b3Jk", "Basic aHVudGVyMi13b3JkOg==",
            "Basic aHVudGVyMi13b3JkOg", "Basic aHVudGVyMi13b3Jk", "Basic bWU65DpodW50ZXIyLXdvcmQ=",
        ]
    )
    func basic(value: String) async {
        let password = value.hasSuffix("bWU65DpodW50ZXIyLXdvcmQ=") ? "ä:hunter2-word" : "hunter2-word"
        let input = Sample.input("https://a/", headers: ["Authorization": value])
        await Connector.recording([input], to: file) { _ in .text("hello me, your password is \(password)") }
        #expect(!file.text.contains("hunter2"))
        #expect(file.text.contains("hello me"))
    }

    @Test(
        "malformed Base64 after Basic is hidden as a whole",
        arguments: ["Basic", "Basic ?", "Basic a", "Basic =", "Basic a b"]
    )
    func noBasic(value: String) async {
        await Connector.recording([Sample.input("https://a/", headers: ["Authorization": value])], to: file)
        #expect(file.text.contains("\"Authorization: <redacted-1>\""))
    }

    /// Header fields, and the part of each that a server repeats.
    private static let credentials: [(name: String, value: String, echo: String)] = [
        (
            "Authorization", #"Digest username="me", realm="a", uri="/", response="hunter2-digest", qop=auth"#,
            "hunter2-digest"
        ),
        (
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=hunter2-id/20260101/a, SignedHeaders=host;x-a, Signature=hunter2-sign",
            "hunter2-sign"
        ),
        ("Authorization", #"OAuth oauth_token="hunter2%2Ftoken",oauth_version="1.0""#, "hunter2/token"),
        ("X-Api-Key", "hunter2-key;ver=1", "hunter2-key"),
        ("Authorization", "Token token=hunter2-rails, nonce=1", "hunter2-rails"),
        ("Cookie", "a=hunter2%2Fcookie", "hunter2/cookie"), ("Authorization", "Bearer aHVudGVyMg==", "aHVudGVyMg=="),
        ("Cookie", "s=%7B%22id%22%3A%22x%22%2C%22token%22%3A%22hunter2-inner%22%7D", "hunter2-inner"),
    ]

    @Test("a part of a credential that a server repeats is hidden", arguments: credentials)
    func parts(name: String, value: String, echo: String) async {
        let input = Sample.input("https://a/index", headers: HTTPHeaders([.init(name: name, value: value)]))
        await Connector.recording([input], to: file) { _ in .text("bad \(echo) at /index of the realm") }
        #expect(file.plainText.contains("bad <redacted> at /index of the realm"), "\(file.text)")
    }

    @Test("a known secret is removed from a method, a field's name and a payload's media type, too")
    func otherPlaces() async throws {
        let payload = Payload(.data(Data("a".utf8)), mediaType: "text/plain; token=hunter2-word")
        let inputs = [
            Sample.input("https://a/", .post(payload: payload)),
            Sample.input("https://a/", HTTPMethodAndPayload(method: "hunter2-word", payload: nil)),
            Sample.input("https://a/", headers: ["X-hunter2-word": "1", "Authorization: Bearer hunter2-word": "2"]),
        ]
        await Connector.recording(inputs, to: file) { _ in .text("ok", headers: ["hunter2-word": "1"]) }
        #expect(!file.text.contains("hunter2"), "\(file.text)")
        #expect(try Cassette(at: file.url).exchanges.count == 3)
        #expect(await WebAPI.call(with: inputs[1], via: .replay(from: file.url)).connectionError == nil)
    }

    @Test(
        "a compressed payload without Content-Encoding is not kept, unless its media type says that it is compressed",
        arguments: [
            (nil, false), ("application/json", false), ("application/octet-stream", false), ("text/plain", false),
            ("application/gzip", true), ("application/x-tar+gzip", true),
        ]
    )
    func compressed(type: String?, isKept: Bool) async throws {
        let bytes = Data([
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
        ])
        let post = HTTPMethodAndPayload.post(
            payload: Payload(.data(bytes), mediaType: type.map { MediaType(rawValue: $0) })
        )
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        await Connector.recording([Sample.input("https://a/", post)], to: file) { _ in
            .hasResponse(Response(statusCode: .ok, headers: headers, payload: bytes))
        }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect((exchange.input.methodAndPayload.body == bytes) == isKept)
        #expect((exchange.response.payload == bytes) == isKept)
    }

    @Test("credentials of a URL are hidden where a server repeats them as Basic credentials", arguments: ["=", ""])
    func userInfo(end: String) async {
        await Connector.recording([Sample.input("https://me:userInfoTen@a/")], to: file) { _ in
            .text("you sent Basic bWU6dXNlckluZm9UZW4\(end)")
        }
        #expect(file.text.contains("\"you sent Basic <redacted-1>\""))
    }

    @Test(
        "secrets of a Link field's URL are hidden elsewhere, without the surrounding text",
        arguments: [
            "<https://b/next?token=hunter2-word>; rel=next", "</a>; rel=a, <?token=hunter2-word&p=2>; rel=\"next\"",
            "https://b/?token=hunter2-word", "<https://b/#access_token=hunter2-word&state=1>",
        ]
    )
    func links(link: String) async {
        await Connector.recording([Sample.input("https://a/hunter2-word")], to: file) { _ in
            .text("your token is hunter2-word", headers: ["Link": link])
        }
        #expect(!file.text.contains("hunter2"))
    }

    @Test(
        "a cookie in quotes is hidden elsewhere, with and without the quotes",
        arguments: ["abcdefgh1", "\"abcdefgh1\"", "sid=abcdefgh1"]
    )
    func quoted(written: String) async {
        await Connector.recording([Sample.input("https://a/")], to: file) { _ in
            .text("you are \(written)", headers: ["Set-Cookie": "sid=\"abcdefgh1\"; Path=/"])
        }
        #expect(!file.text.contains("abcdefgh1"))
    }

    @Test("the user of a URL is a secret, like the password")
    func user() async {
        await Connector.recording([Sample.input("https://hunter2-user:x-oauth-basic@a/users/hunter2-user")], to: file)
        #expect(!file.text.contains("hunter2"))
    }

    @Test("secrets that overlap are hidden as one")
    func overlap() async throws {
        let headers: HTTPHeaders = ["Authorization": "hunter2-abc", "X-API-Key": "abc-hunter2"]
        await Connector.recording([Sample.input("https://a/", headers: headers)], to: file) { _ in
            .text("<hunter2-abc-hunter2>")
        }
        let payload = try #require(try Cassette(at: file.url).exchanges.first?.response.payload)
        #expect(String(decoding: payload, as: UTF8.self) == "<<redacted-1>>")
    }

    @Test("hostile texts are searched in linear time", .exhaustive, .timeLimit(.minutes(1)))
    func large() async {
        let secret = String(repeating: "a", count: 100_000)
        let text = String(repeating: "a", count: 99_999) + String(repeating: "\\\\%61", count: 30_000)
        await Connector.recording([Sample.input("https://a/", headers: ["Authorization": secret])], to: file) { _ in
            .text(text)
        }
        #expect(file.text.utf8.count > 99_999)
    }
}
