import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct CassetteTests {
    private let file = TestFile()

    @Test("the text of a cassette is readable")
    func text() throws {
        let input = Sample.input("https://api.example.com/users?b=2&a=1", headers: ["Accept": "application/json"])
        let exchange = Exchange(input: input, response: Sample.answer, recorded: Sample.noon)
        let text = String(decoding: Cassette([exchange]).data(), as: UTF8.self)
        #expect(
            text == """
                {
                  "exchanges" : [
                    {
                      "recorded" : "2023-11-14T22:13:20Z",
                      "request" : {
                        "headers" : [
                          "Accept: application/json"
                        ],
                        "method" : "GET",
                        "url" : "https://api.example.com/users?b=2&a=1"
                      },
                      "response" : {
                        "headers" : [
                          "Content-Type: application/json",
                          "Link: 1",
                          "link: 2"
                        ],
                        "payload" : {
                          "text" : [
                            "{",
                            "  \\"login\\": \\"octocat\\"",
                            "}",
                            ""
                          ]
                        },
                        "status" : 200
                      }
                    }
                  ],
                  "version" : 2
                }

                """
        )
    }

    @Test(
        "a cassette that is written and read again is equal, byte by byte",
        arguments: [
            Data(), Data("a".utf8), Data("a\r\nb\n\n".utf8), Data("\n".utf8), Data([0, 0xFF, 10, 13]),
            Data("\u{0}\u{1F}あ🇯🇵\u{2028}\u{FEFF}\"\\/".utf8), Data((0...255).map { UInt8($0) }),
        ]
    )
    func roundTrip(bytes: Data) throws {
        let step = Redirection(from: Sample.user.url, statusCode: .found, to: Sample.user.url)
        let response = Response(
            statusCode: .unsupported(code: 777),
            headers: ["A": "b: c", "Empty": ""],
            payload: bytes,
            trailers: ["T": "1"],
            redirections: [step]
        )
        let payload = Payload(.data(bytes), mediaType: "text/x-a")
        let input = Sample.input(
            "https://example.com/%2F?a=%20",
            .custom(method: "QUERY", payload: payload),
            headers: ["B": "c"]
        )
        let cassette = Cassette([Exchange(input: input, response: response, recorded: Sample.noon)])
        #expect(try Cassette(reading: cassette.data()) == cassette)
    }

    @Test(
        "a malformed file is an error with the position",
        arguments: [
            ("", "the file is incomplete JSON: it ends after 0 bytes"), ("{\"version\": x", "invalid JSON at byte 12"),
            ("[]", "the file is not a value of type Dictionary"), ("{}", "the file has no member \"version\""),
            ("{\"version\":1,\"exchanges\":[7]}", "version 1 is not supported, only version 2: record the file again"),
            ("{\"version\":2,\"exchanges\":[{}]}", "exchanges[0]"),
            (entry(recorded: "today"), "exchanges[0] can't be read: Expected date string"),
            (entry(url: ""), "not a URL"),
            (entry(headers: "[\"Accept\"]"), "not a header field: \"Accept\""),
            (entry(headers: "7"), "exchanges[0].response.headers"),
            (entry(payload: "{\"base64\":\"?\"}"), "Base64"),
            (entry(payload: "{}"), "one of \"text\", \"json\""),
            (entry(payload: "{\"text\":[],\"base64\":\"\"}"), "one of \"text\", \"json\""),
            (entry(payload: "{\"text\":[],\"json\":[]}"), "one of \"text\", \"json\""),
            (entry(payload: "{\"text\":[],\"chunks\":[-1]}"), "a size that its payload can't have"),
            (
                entry(payload: "{\"text\":[\"a\"],\"chunks\":[\(Int.max),\(Int.max)]}"),
                "a size that its payload can't have"
            ),
            (#"{"version":2,"exchanges":[\#(request)}]}"#, "neither"),
            (entry(headers: "[\"A\\u0000: b\"]"), "not the name of a header field"),
            (entry(headers: "[\"A: b\\r\\nC: d\"]"), "a control character in the header field A"),
            (entry(payload: String(repeating: "{\"text\":", count: 100_000)), "the file"),
            (String(repeating: "[", count: 1_000_000), "the file is incomplete JSON: it ends after 1000000 bytes"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let error = #expect(throws: CassetteError.self) { try Cassette(reading: Data(text.utf8)) }
        #expect(try #require(error).description.contains(reason), "\(String(describing: error))")
    }

    @Test("any number can be a status, as on the wire", arguments: [Int.min, -1, 0, 99, 1_000, .max])
    func status(code: Int) throws {
        let cassette = try Cassette(reading: Data(Self.entry(status: "\(code)").utf8))
        #expect(cassette.exchanges.first?.response.statusCode.code == code)
    }

    @Test("neither a device nor a file that is too large is read")
    func unreadable() throws {
        let missing = #expect(throws: CassetteError.self) { try Cassette(at: file.url) }
        #expect(missing?.description.hasPrefix("cassette.json: ") == true)
        let device = #expect(throws: CassetteError.self) { try Cassette(at: URL(filePath: "/dev/zero")) }
        #expect(device?.description == "zero: the path is not a regular file")
        try file.write("")
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        let large = #expect(throws: CassetteError.self) { try Cassette(at: file.url) }
        #expect(large?.description.contains("more than the 1073741824 bytes that are read") == true)
    }

    @Test("JSON on one long line is split after its commas, and read unchanged")
    func pieces() throws {
        let json = "{" + (0..<20).map { "\"name\($0)\":\"a,\"" }.joined(separator: ",") + "}"
        let response = Response(statusCode: .ok, payload: Data(json.utf8))
        let cassette = Cassette([Exchange(input: Sample.user, response: response, recorded: Sample.noon)])
        #expect(String(decoding: cassette.data(), as: UTF8.self).contains("\"\\\"name1\\\":\\\"a,\""))
        #expect(try Cassette(reading: cassette.data()) == cassette)
    }

    @Test("a cassette is written into a folder that does not exist yet")
    func written() throws {
        try Cassette().write(to: file.url)
        #expect(try Cassette(at: file.url) == Cassette())
        #expect(file.names == ["cassette.json"])
    }

    private static let request = #"{"recorded":"2001-02-03T04:05:06Z","request":{"method":"GET","url":"https://a"}"#

    private static func entry(
        recorded: String = "2023-11-14T22:13:20Z",
        url: String = "https://example.com",
        status: String = "200",
        headers: String = "[\"A: b\"]",
        payload: String = "{\"text\":[\"a\"]}"
    ) -> String {
        """
        {"version": 2, "exchanges": [{"recorded": "\(recorded)", "request": {"method": "GET", "url": "\(url)"},
        "response": {"status": \(status), "headers": \(headers), "payload": \(payload)}}]}
        """
    }
}
