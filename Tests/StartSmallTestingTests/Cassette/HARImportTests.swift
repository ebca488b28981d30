import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct HARImportTests {
    private let file = TestFile()

    /// As browsers write it, with members that nobody reads here.
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

    @Test("what a browser recorded is there, without credentials")
    func imports() throws {
        let cassette = try Cassette(har: Data(Self.har.utf8))
        #expect(cassette.exchanges.count == 2)
        let (first, second) = (cassette.exchanges[0], cassette.exchanges[1])
        #expect(first.input.url.absoluteString == "https://api.example.com/users?token=%3Credacted%3E&page=1")
        #expect(first.input.headers == ["Accept": "*/*", "Authorization": "<redacted>"])
        #expect(first.response.headers == ["Content-Type": "application/json"])
        #expect(first.response.payload == Data(#"{"echo": "<redacted>"}"#.utf8))
        #expect(abs(first.recorded.timeIntervalSince(Sample.noon)) < 1)
        #expect(second.input.methodAndPayload.method == "POST")
        #expect(second.input.methodAndPayload.body == Data("a=b+c".utf8))
        #expect(second.response.payload == Data([0, 0xFF]))
        #expect(second.response.statusCode == .created)
    }

    @Test("a fragment stays out, an accent on its mark or not")
    func fragment() throws {
        for mark in ["#", "#\u{301}"] {
            let har = Self.har.replacingOccurrences(of: "#top", with: "\(mark)token=hunter2")
            let url = try #require(try Cassette(har: Data(har.utf8)).exchanges.first?.input.url)
            #expect(url.fragment() == nil, "\(url)")
        }
    }

    @Test("what was imported is replayed")
    func replays() async throws {
        try Cassette(har: Data(Self.har.utf8)).write(to: file.url)
        #expect(!file.text.contains("secret"))
        let input = Sample.input("https://api.example.com/users?page=1&token=mine")
        #expect(await WebAPI.call(with: input, via: .replay(from: file.url)).response?.statusCode == .ok)
    }

    @Test(
        "a malformed file is an error that says where",
        arguments: [
            ("", "the file ends after 0 bytes"), ("{}", "the file has no member \"log\""),
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

    @Test func theRightOneAmongTheMalformedIsRead() throws {
        #expect(try Cassette(har: Data(Self.entry().utf8)).exchanges.count == 1)
    }

    private static func entry(
        started: String = "2023-11-14T22:13:21Z",
        url: String = "https://a/",
        content: String = #"{"text": "a"}"#
    ) -> String {
        """
        {"log": {"entries": [{"startedDateTime": "\(started)", "request": {"method": "GET", "url": "\(url)", "headers": []},
        "response": {"status": 200, "headers": [], "content": \(content)}}]}}
        """
    }
}
