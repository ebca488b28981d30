import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct HARImportTests {
    private let file = TestFile()

    /// A HAR file as browsers write it, with members that the import ignores.
    private static let har = """
        {"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "pages": [], "entries": [
        {"pageref": "p", "startedDateTime": "2023-11-14T23:13:20.123+01:00", "time": 50, "cache": {}, "timings": {},
         "request": {"method": "GET", "url": "https://api.example.com/users?token=secret-of-mine&page=1#top",
          "httpVersion": "h2", "cookies": [], "queryString": [{"name": "page", "value": "1"}],
          "headers": [{"name": ":authority", "value": "api.example.com"}, {"name": "Accept", "value": "*/*"},
           {"name": "Authorization", "value": "Bearer another-secret"}], "headersSize": -1, "bodySize": 0},
         "response": {"status": 200, "statusText": "OK", "httpVersion": "h2", "cookies": [], "redirectURL": "",
          "headers": [{"name": "content-type", "value": "application/json"}], "headersSize": -1, "bodySize": 2,
          "content": {"size": 2, "mimeType": "application/json", "text": "{\\"echo\\": \\"another-secret\\"}"}}},
        {"startedDateTime": "2023-11-14T22:13:21Z",
         "request": {"method": "POST", "url": "https://api.example.com/form", "headers": [],
          "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "b c"}]}},
         "response": {"status": 201, "headers": [], "content": {"text": "AP8=", "encoding": "base64"}}},
        {"startedDateTime": "2023-11-14T22:13:22Z",
         "request": {"method": "GET", "url": "https://api.example.com/blocked", "headers": []},
         "response": {"status": 0, "headers": []}}
        ]}}
        """

    @Test("a browser's recording is imported without credentials")
    func imports() throws {
        let cassette = try Cassette(har: Data(Self.har.utf8))
        #expect(cassette.exchanges.count == 2)
        let (first, second) = (cassette.exchanges[0], cassette.exchanges[1])
        #expect(first.input.url.absoluteString == "https://api.example.com/users?token=%3Credacted-2%3E&page=1")
        #expect(first.input.headers == ["Accept": "*/*", "Authorization": "<redacted-1>"])
        #expect(first.response.headers == ["Content-Type": "application/json"])
        #expect(first.response.payload == Data(#"{"echo": "<redacted-1>"}"#.utf8))
        #expect(abs(first.recorded.timeIntervalSince(Sample.noon)) < 1)
        #expect(second.input.methodAndPayload.method == "POST")
        #expect(second.input.methodAndPayload.body == Data("a=b+c".utf8))
        #expect(second.response.payload == Data([0, 0xFF]))
        #expect(second.response.statusCode == .created)
    }

    @Test("a URL's fragment is removed, even if its # has a combining accent")
    func fragment() throws {
        for mark in ["#", "#\u{301}"] {
            let har = Self.har.replacingOccurrences(of: "#top", with: "\(mark)token=hunter2")
            let url = try #require(try Cassette(har: Data(har.utf8)).exchanges.first?.input.url)
            #expect(url.fragment() == nil, "\(url)")
        }
    }

    @Test("imported exchanges are replayed")
    func replays() async throws {
        try Cassette(har: Data(Self.har.utf8)).write(to: file.url)
        #expect(!file.text.contains("secret"))
        let input = Sample.input("https://api.example.com/users?page=1&token=mine")
        #expect(await WebAPI.call(with: input, via: .replay(from: file.url)).response?.statusCode == .ok)
    }

    @Test(
        "a malformed file is an error with the position",
        arguments: [
            ("", "the file is incomplete JSON: it ends after 0 bytes"), ("{}", "the file has no member \"log\""),
            (#"{"log": {"entries": 1}}"#, "log.entries"),
            (#"{"log": {"entries": [{}]}}"#, "log.entries[0]"),
            (entry(started: "now"), "not a time"), (entry(url: ""), "not a URL"),
            (entry(content: #"{"text": "?", "encoding": "base64"}"#), "Base64"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let error = #expect(throws: CassetteError.self) { try Cassette(har: Data(text.utf8)) }
        #expect(try #require(error).description.contains(reason), "\(String(describing: error))")
    }

    @Test("the error of a malformed entry has its position and its URL, without credentials")
    func oddEntry() throws {
        let har = Self.har.replacingOccurrences(of: "2023-11-14T23:13:20.123+01:00", with: "now")
        let error = #expect(throws: CassetteError.self) { try Cassette(har: Data(har.utf8)) }
        let text = try #require(error).description
        #expect(text.contains("log.entries[0], \"https://api.example.com/users?token=<redacted>&page=1"), "\(text)")
        #expect(!text.contains("secret-of-mine") && text.hasSuffix("not a time: \"now\""))
    }

    @Test("Base64 with line breaks is decoded")
    func base64InLines() throws {
        let har = Self.entry(type: "image/png", content: #"{"text": "AP\r\n8=\n", "encoding": "base64"}"#)
        let exchange = try Cassette(har: Data(har.utf8)).exchanges.first
        #expect(exchange?.response.payload == Data([0, 0xFF]), "\(String(describing: exchange?.response))")
    }

    /// Media types, texts, their bytes, and the media types in the cassette.
    private static let answers: [(type: String, text: String, bytes: [UInt8], kept: String)] = [
        ("text/plain; charset=iso-8859-1", "é", [0xE9], "text/plain; charset=iso-8859-1"),
        ("text/plain; charset=Shift_JIS", "名", [0x96, 0xBC], "text/plain; charset=Shift_JIS"),
        ("text/plain; charset=iso-8859-1", "名", [0xE5, 0x90, 0x8D], "text/plain; charset=utf-8"),
        ("text/plain; charset=klingon", "é", [0xC3, 0xA9], "text/plain; charset=utf-8"),
        ("text/plain; charset=UTF-8", "é", [0xC3, 0xA9], "text/plain; charset=UTF-8"),
        ("text/plain", "é", [0xC3, 0xA9], "text/plain"),
    ]

    @Test(
        "the text of a response is encoded in the charset of its media type, or in UTF-8 if that is impossible",
        arguments: answers
    )
    func charsets(type: String, text: String, bytes: [UInt8], kept: String) throws {
        let har = Self.entry(type: type, content: #"{"text": "\#(text)"}"#)
        let response = try #require(try Cassette(har: Data(har.utf8)).exchanges.first).response
        #expect(response.payload == Data(bytes))
        #expect(response.headers["Content-Type"] == kept)
    }

    @Test("an imported text is decoded as the original", arguments: ["iso-8859-1", "klingon", "utf-8"])
    func readAgain(charset: String) async throws {
        let har = Self.entry(type: "text/plain; charset=\(charset)", content: #"{"text": "é"}"#)
        try Cassette(har: Data(har.utf8)).write(to: file.url)
        let text = Endpoint.text(.get("https://a/"))
        #expect(await text.fetch(via: .replay(from: file.url)) == .right("é"))
    }

    @Test("a multipart form of which the file has only the items is built from them, without credentials")
    func multipart() throws {
        let params = """
            {"name": "title", "value": "Start small"}, {"name": "password", "value": "hunter2-secret"}, \
            {"name": "file", "fileName": "a.txt", "contentType": "text/plain"}
            """
        let har = Self.posting(#"{"mimeType": "multipart/form-data; boundary=x", "params": [\#(params)]}"#)
        let input = try #require(try Cassette(har: Data(har.utf8)).exchanges.first).input
        #expect(
            String(decoding: input.methodAndPayload.body ?? Data(), as: UTF8.self) == """
                --StartSmallCassette\r
                Content-Disposition: form-data; name="title"\r
                \r
                Start small\r
                --StartSmallCassette\r
                Content-Disposition: form-data; name="password"\r
                \r
                <redacted-1>\r
                --StartSmallCassette\r
                Content-Disposition: form-data; name="file"; filename="a.txt"\r
                Content-Type: text/plain\r
                \r
                \r
                --StartSmallCassette--\r\n
                """
        )
        #expect(input.methodAndPayload.payload?.mediaType == "multipart/form-data; boundary=StartSmallCassette")
    }

    @Test(
        "a multipart form that can't be built or parsed is hidden as a whole",
        arguments: [
            #"{"mimeType": "multipart/form-data", "params": [{"name": "password", "value": "hunter2-secret"}]}"#,
            #"{"mimeType": "multipart/form-data; boundary=é", "#
                + #""params": [{"name": "password", "value": "hunter2-secret"}]}"#,
            #"{"mimeType": "multipart/form-data; boundary=x", "params": [{"name": "pin", "contentType": "a\u0000b"}]}"#,
            #"{"mimeType": "multipart/form-data; boundary=x", "#
                + #""text": "--y\r\npassword\r\n\r\nhunter2-secret\r\n--y--"}"#,
        ]
    )
    func unreadableForm(posted: String) throws {
        let input = try #require(try Cassette(har: Data(Self.posting(posted).utf8)).exchanges.first).input
        #expect(input.methodAndPayload.body == Data(Redaction.placeholder.utf8))
    }

    private static func posting(_ data: String) -> String {
        """
        {"log": {"entries": [{"startedDateTime": "2023-11-14T22:13:21Z",
        "request": {"method": "POST", "url": "https://a/", "headers": [], "postData": \(data)},
        "response": {"status": 200, "headers": []}}]}}
        """
    }

    @Test func theRightOneAmongTheMalformedIsRead() throws {
        #expect(try Cassette(har: Data(Self.entry().utf8)).exchanges.count == 1)
    }

    private static func entry(
        started: String = "2023-11-14T22:13:21Z",
        url: String = "https://a/",
        type: String = "application/json",
        content: String = #"{"text": "a"}"#
    ) -> String {
        """
        {"log": {"entries": [{"startedDateTime": "\(started)", \
        "request": {"method": "GET", "url": "\(url)", "headers": []},
        "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "\(type)"}], \
        "content": \(content)}}]}}
        """
    }

    @Test(
        "a status without three digits and a header field that would end its line are errors",
        arguments: [
            (#""status": 1000000000, "headers": []"#, "not a status: 1000000000"),
            (#""status": 99, "headers": []"#, "not a status: 99"),
            (#""status": 200, "headers": [{"name": "A\r\nB", "value": "1"}]"#, "not the name of a header field"),
            (
                #""status": 200, "headers": [{"name": "A", "value": "1\r\nB: 2"}]"#,
                "a control character in the header field A"
            ),
        ]
    )
    func malformedFields(response: String, reason: String) throws {
        let text = """
            {"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z",
            "request": {"method": "GET", "url": "https://a/", "headers": []}, "response": {\(response)}}]}}
            """
        let error = #expect(throws: CassetteError.self) { try Cassette(har: Data(text.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
}
