import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallTesting
import TestSupport
import Testing

/// HARs of browsers, proxies and other programs as cassettes: what is read, and what is left out with a remark.
@Suite(.timeLimit(.minutes(1))) struct HARReaderTests {
    private let file = TestFile()

    private static let url = "https://api.example.com/users/octocat"

    /// A HAR with these entries.
    private static func har(_ entries: String...) -> String {
        #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
    }

    /// An entry with members in place of those of a plain one.
    private static func entry(
        request: String = "",
        response: String = #""content":{"text":"hello"}"#,
        status: String = "200",
        time: String = #""2026-01-02T03:04:05.678+09:00""#
    ) -> String {
        let request = request.isEmpty ? "" : ",\(request)"
        return """
            {"startedDateTime":\(time),"request":{"method":"GET","url":"\(url)"\(request)},\
            "response":{"status":\(status),\(response)}}
            """
    }

    private static func read(_ text: String) throws -> Cassette { try Cassette(reading: Data(text.utf8)) }

    private static func exchange(_ entry: String) throws -> Exchange {
        try #require(try read(har(entry)).exchanges.first)
    }

    @Test("a HAR is replayed as a cassette is, and its times are those of the recording")
    func replay() async throws {
        try file.write(Self.har(Self.entry()))
        #expect(
            await WebAPI.call(with: Sample.user, via: .replay(from: file.url)).response?.payload == Data("hello".utf8)
        )
        let expired = Connector.replay(from: file.url, expiringAfterDays: 1, now: { Sample.noon + 86_400 * 10_000 })
        #expect(
            await WebAPI.call(with: Sample.user, via: expired).connectionError?.debugInfo.contains(
                "recorded 2026-01-01T18:04:05Z"
            ) == true
        )
    }

    /// Times, and those that are read; nil for none.
    private static let times: [(String, Double?)] = [
        (#""2026-01-02T03:04:05.678Z""#, 1_767_323_045.678), (#""2026-01-02T03:04:05Z""#, 1_767_323_045),
        (#""2026-01-02T03:04:05.6789012-08:00""#, 1_767_351_845.678), ("1767323045", nil), (#""yesterday""#, nil),
        ("null", nil), (#""99999999999-01-01T00:00:00Z""#, nil),
    ]

    @Test("a time has fractions of a second and a zone, or not; one that can't be read is a remark", arguments: times)
    func time(text: String, seconds: Double?) throws {
        let cassette = try Self.read(Self.har(Self.entry(time: text)))
        let read = try #require(cassette.exchanges.first?.recorded.timeIntervalSince1970)
        #expect(abs(read - (seconds ?? 0)) < 0.01, "\(read)")
        #expect(cassette.remarks == (seconds == nil ? ["entries without a time, as old as 1970: 1"] : []))
    }

    /// Members of a response, and the payload and the reason why it has none.
    private static let contents: [(String, [UInt8], String?)] = [
        (#""content":{"text":"größe"}"#, Array("größe".utf8), nil),
        (#""content":{"text":"/9gA","encoding":"base64"}"#, [0xFF, 0xD8, 0], nil),
        (#""content":{"text":"/9\ngA=","encoding":"BASE64"}"#, [0xFF, 0xD8, 0], nil),
        (#""content":{"text":"!","encoding":"base64"}"#, [], "no Base64"),
        (#""content":{"text":"","size":0}"#, [], nil), (#""content":{"size":"12"}"#, [], "12 bytes: not in the HAR"),
        (#""content":{"size":12,"comment":"too long"}"#, [], "too long"), (#""content":[]"#, [], nil),
        (#""content":{"text":{"a":1},"size":-1}"#, [], nil), (#""content":{"text":5}"#, Array("5".utf8), nil),
        (#""headers":null"#, [], nil),
        // BrowserMob Proxy and other writers in Java have an empty comment in each object.
        (#""content":{"size":0,"mimeType":"","comment":""}"#, [], nil),
        (#""content":{"size":0,"comment":"cached"}"#, [], nil),
        (#""content":{"size":12,"comment":""}"#, [], "12 bytes: not in the HAR"),
    ]

    @Test("the content is text or Base64; one that is not in the file is described", arguments: contents)
    func content(response: String, payload: [UInt8], omitted: String?) throws {
        let cassette = try Self.read(Self.har(Self.entry(response: response)))
        let exchange = try #require(cassette.exchanges.first)
        #expect(Array(exchange.response.payload) == payload && exchange.omittedResponse == omitted)
        #expect(cassette.remarks == (omitted == nil ? [] : ["payloads of responses that are not in the file: 1"]))
    }

    /// Header fields in a HAR, those that are read, and the remarks.
    private static let fields: [(String, [String], [String])] = [
        (#"{"name":"ETag","value":"\"1\""}"#, [#"ETag: "1""#], []),
        // Chrome joins the fields of one name.
        (#"{"name":"Link","value":"<a>\n<b>\r\n<c>"}"#, ["Link: <a>", "Link: <b>", "Link: <c>"], []),
        (#"{"name":"Age","value":5}"#, ["Age: 5"], []), (#"{"name":"Via","value":""}"#, ["Via: "], []),
        (#"{"name":":status","value":"200"}"#, [], ["pseudo header fields of HTTP/2: 1"]),
        // WebPageTest has the request line as a field.
        (#"{"name":"GET /a?b HTTP/1.1","value":""}"#, [], ["header fields with an illegal name: 1"]),
        (#"{"name":"Server","value":"a\u0001b"}"#, [], ["header fields with a control character: 1"]),
        (#"{"name":"A"},{"value":"b"},5,null,["a","b"]"#, [], ["header fields without a name or a value: 5"]),
        (#"{"name":"A","value":{"b":1}}"#, [], ["header fields without a name or a value: 1"]),
    ]

    @Test("a header field is read as it was meant, and an impossible one is a remark", arguments: fields)
    func field(fields: String, expected: [String], remarks: [String]) throws {
        let cassette = try Self.read(Self.har(Self.entry(response: #""headers":[\#(fields)]"#)))
        let read = cassette.exchanges.first?.response.headers.fields.map { "\($0.name): \($0.value)" }
        #expect(read == expected && cassette.remarks == remarks)
    }

    @Test("content is decoded already: nobody decodes it again, or reads its bytes in another charset")
    func coded() throws {
        let exchange = try Self.exchange(
            Self.entry(
                response: #"""
                    "content":{"text":"größe"},"headers":[{"name":"content-encoding","value":"br"},
                    {"name":"Content-Length","value":"3"},{"name":"Transfer-Encoding","value":"chunked"},
                    {"name":"Content-Type","value":"text/plain; charset=iso-8859-1"}]
                    """#
            )
        )
        let fields = exchange.response.headers.fields.map { "\($0.name): \($0.value)" }
        #expect(fields == ["Content-Type: text/plain; charset=utf-8"])
    }

    /// Members of a request, and its payload with its media type, and the reason why it has none.
    private static let payloads: [(String, String?, String?, String?)] = [
        (#""postData":{"mimeType":"text/plain","text":"a"}"#, "a", "text/plain", nil),
        (#""postData":{"mimeType":"","text":""}"#, nil, nil, nil), (#""postData":null"#, nil, nil, nil),
        (
            #""postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"c&d"},{"name":"e","value":1}]}"#,
            "a+b=c%26d&e=1", "application/x-www-form-urlencoded", nil
        ),
        (
            #""postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"a","fileName":"b"}]}"#, "",
            "multipart/form-data; boundary=x", "a form with a value that is no text"
        ),
        (#""postData":{"params":[{"name":"a","value":{"b":1}}]}"#, "", nil, "a form with a value that is no text"),
        (#""postData":{"text":"","comment":"9 bytes"}"#, "", nil, "9 bytes"),
        (#""postData":{"text":"","params":[],"comment":""}"#, nil, nil, nil),
        (#""postData":{"params":[{"name":"a","value":"b"}],"comment":""}"#, "a=b", nil, nil),
        (#""postData":{"params":[{"name":"a","value":"b"}],"comment":"cached"}"#, "a=b", nil, nil),
        (
            #""postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"a","value":"b"}]}"#, "",
            "multipart/form-data; boundary=x", "the parts of a form, without their boundaries"
        ),
    ]

    @Test("the payload of a request is its text, or the form of its parameters", arguments: payloads)
    func payload(request: String, text: String?, type: String?, omitted: String?) throws {
        let exchange = try Self.exchange(Self.entry(request: request))
        #expect(exchange.input.methodAndPayload.body.map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(
            exchange.input.methodAndPayload.payload?.mediaType?.rawValue == type && exchange.omittedInput == omitted
        )
    }

    /// Entries that are no exchanges, and the reasons.
    private static let oddEntries: [(String, String)] = [
        (entry(status: "0"), "there was no response"), (entry(status: "-2"), "there was no response"),
        (entry(status: "1e400"), "there was no response"), (entry(status: #""abc""#), "there was no response"),
        ("5", "no request or no response"), ("{}", "no request or no response"),
        (#"{"request":{"method":"GET","url":"\#(url)"},"response":null}"#, "no request or no response"),
        (#"{"request":{"method":"GET","url":"data:,a"},"response":{}}"#, "the URL is not one of HTTP"),
        (#"{"request":{"method":"GET","url":"https://"},"response":{}}"#, "the URL is not one of HTTP"),
        (#"{"request":{"method":"GET","url":5},"response":{}}"#, "the URL is not one of HTTP"),
        (#"{"request":{"method":"G T","url":"\#(url)"},"response":{}}"#, "the method is not a token"),
        (
            #"{"request":{"method":"GET","url":"\#(url)"},"response":{"status":200},"_error":"net::ERR"}"#,
            "the response broke off"
        ),
    ]

    @Test("an odd entry is a remark with its number, and fails no other one", arguments: oddEntries)
    func odd(entry: String, reason: String) throws {
        let cassette = try Self.read(Self.har(Self.entry(), entry, Self.entry(status: #""201""#)))
        #expect(cassette.exchanges.map(\.response.statusCode.code) == [200, 201])
        #expect(cassette.remarks == ["entry 2: \(reason)"])
    }

    @Test("a byte order mark, and members of any other kind and depth, are no errors")
    func otherMembers() throws {
        let deep = String(repeating: #"{"parent":"#, count: 200) + "1" + String(repeating: "}", count: 200)
        let text = "\u{FEFF}" + Self.har(Self.entry(response: #""_initiator":\#(deep),"content":{"text":"a"}"#))
        #expect(try Self.read(text).exchanges.count == 1)
    }

    @Test(
        "a file that is no HAR is an error with its position",
        arguments: [
            (#"{"log":[]}"#, "log"), (#"{"log":{}}"#, "entries"), (#"{"log":{"entries":5}}"#, "entries"),
            (#"{"log":{"entries":[{"a":}]}}"#, "byte"), (#"{"log":{"entries":["#, "byte"), (#"{"logs":{}}"#, "version"),
        ]
    )
    func broken(text: String, place: String) {
        let error = #expect(throws: CassetteError.self) { try Self.read(text) }
        #expect(error?.description.contains(place) == true, "\(error?.description ?? "")")
    }

    @Test("more than 100,000 entries are an error")
    func tooMany() {
        let text = #"{"log":{"entries":["# + String(repeating: "0,", count: 100_000) + "0]}}"
        let error = #expect(throws: CassetteError.self) { try Self.read(text) }
        #expect(error?.description.contains("more than 100000 entries") == true)
    }

    // MARK: - Replays

    @Test("an unknown request is told with the remarks, and without secrets")
    func unknown() async throws {
        let request = #""headers":[{"name":"Authorization","value":"Bearer hunter2-a"}]"#
        try file.write(Self.har(Self.entry(request: request), Self.entry(status: "0")))
        let other = Sample.input("https://api.example.com/other?token=hunter2-b")
        let error = await WebAPI.call(with: other, via: .replay(from: file.url)).connectionError
        #expect(error?.debugInfo.contains("; the HAR has 1 remarks, first: entry 2: there was no response") == true)
        #expect(error?.debugInfo.contains("hunter2") == false)
    }

    @Test("a payload that can't be searched for secrets is described, and a remark")
    func unsearchable() throws {
        let cassette = try Self.read(Self.har(Self.entry(response: #""content":{"text":"<token>hunter2</token>"}"#)))
        #expect(cassette.exchanges.first?.omittedResponse?.hasPrefix("22 bytes of an unknown type: ") == true)
        #expect(cassette.remarks == ["payloads of responses that can't be searched for secrets: 1"])
    }

    @Test(
        "a payload of a request that can't be searched for secrets is described, and a remark",
        arguments: [
            "<token>hunter2</token>", "--x\\r\\nContent-Disposition: form-data; name=a\\r\\n\\r\\nb\\r\\n--x--",
        ]
    )
    func unsearchableRequest(text: String) throws {
        let cassette = try Self.read(Self.har(Self.entry(request: #""postData":{"text":"\#(text)"}"#)))
        #expect(cassette.exchanges.first?.omittedInput?.contains(" bytes of an unknown type: ") == true)
        #expect(cassette.remarks == ["payloads of requests that can't be searched for secrets, and match any: 1"])
    }

    @Test("a payload over 10 MiB is described, and a remark; a field or URL of that size is left out")
    func tooLong() throws {
        let limit = Cassette.defaultPayloadLimit
        let long = String(repeating: "a", count: limit + 1)
        let reason = "\(limit + 1) bytes: more than \(limit) bytes"
        let response = #""content":{"text":"\#(long)"},"headers":[{"name":"Server","value":"\#(long)"}]"#
        let entry = Self.entry(request: #""postData":{"text":"\#(long)"}"#, response: response)
        let cassette = try Self.read(Self.har(entry))
        let exchange = try #require(cassette.exchanges.first)
        #expect(exchange.response.payload.isEmpty && exchange.omittedResponse == reason)
        #expect(exchange.input.methodAndPayload.body?.isEmpty == true && exchange.omittedInput == reason)
        #expect(exchange.response.headers.fields.isEmpty)
        #expect(cassette.remarks.count == 3, "\(cassette.remarks)")
        let url = #"{"request":{"method":"GET","url":"https://h/\#(long)"},"response":{"status":200}}"#
        #expect(try Self.read(Self.har(url)).remarks == ["entry 1: the URL is not one of HTTP"])
    }

    @Test("requests match without credentials, and no exchange has a secret of another one")
    func secrets() async throws {
        let login = Self.entry(
            request: #""postData":{"mimeType":"application/json","text":"{\"password\":\"hunter2-password\"}"}"#,
            response:
                #""content":{"text":"{\"token\":\"hunter2-token\"}"},"headers":[{"name":"Content-Type","value":"application/json"}]"#
        )
        let early = Self.entry(response: #""content":{"text":"hunter2-token hunter2-password"}"#)
        try file.write(Self.har(early, login))
        let cassette = try Cassette(at: file.url)
        #expect(!String(decoding: cassette.data(), as: UTF8.self).contains("hunter2"))
        let payload = Payload(.data(Data(#"{"password":"another"}"#.utf8)), mediaType: .json)
        let asked = Sample.input(Self.url, .custom(method: "GET", payload: payload))
        let response = await WebAPI.call(with: asked, via: .replay(from: file.url)).response
        #expect(response?.payload == Data(#"{"token":"[redacted]"}"#.utf8))
    }

    @Test("a HAR is redacted as its replay asks, and is not replaced by a cassette")
    func scrubbing() async throws {
        let text = Self.har(Self.entry(request: #""headers":[{"name":"X-Own","value":"a"}]"#))
        try file.write(text)
        let input = Sample.user.with { $0.headers["X-Own"] = "a" }
        let shown = CassetteRedaction(showing: ["X-Own"])
        let matching = RequestMatching.methodAndURL.and(.headers("X-Own"))
        let app = Connector.replay(from: file.url, matching: matching, scrubbing: shown)
        #expect(await WebAPI.call(with: input, via: app).response != nil)
        let recording = Connector.stub(.text("new")).wrapped(by: .replay(from: file.url))
        let error = await WebAPI.call(with: input, via: recording).connectionError
        #expect(error?.name == "engineUnavailable" && file.text == text)
    }

    @Test(
        "a recording does not replace a HAR, and its calls fail",
        arguments: [har(entry()), "\u{FEFF} \n{ \"log\" : {}}", "{\"log\":{"]
    )
    func recording(text: String) async throws {
        try file.write(text)
        let app = Connector.stub(.text("new")).wrapped(by: .record(to: file.url))
        for _ in 0..<2 {
            let error = await WebAPI.call(with: Sample.user, via: app).connectionError
            #expect(error?.name == "unwritableDestination")
            #expect(try Data(contentsOf: file.url) == Data(text.utf8))
            #expect(error?.debugInfo.contains("a HAR is not replaced by a cassette") == true)
        }
    }

    @Test("cassettes of the same exchanges are equal, whatever file they are from")
    func equality() throws {
        let har = try Self.read(Self.har(Self.entry(), "5"))
        let cassette = try Cassette(reading: har.data())
        #expect(har.remarks.count == 1 && har.exchanges.count == 1)
        // The file of a cassette has whole seconds.
        let rounded = Cassette(
            har.exchanges.map { exchange in
                var exchange = exchange
                exchange.recorded = cassette.exchanges[0].recorded
                return exchange
            }
        )
        var whole = har
        whole.exchanges = rounded.exchanges
        #expect(whole == cassette && whole.hashValue == cassette.hashValue && whole != Cassette())
    }

    // MARK: - The law of both directions

    /// Requests and outputs that HAR can say, in each combination.
    private static let inputs: [Input] = {
        let form = Payload(.data(Data("a=1+2&b=%C3%A4".utf8)), mediaType: .form)
        let json = Payload(.data(Data(#"{"a":[1,null,"ä"]}"#.utf8)), mediaType: .json)
        let url = "https://api.example.com/a%20b/%C3%A4;c=1?q=a+b&c&d=%26"
        return [.get, .head, .post(payload: form), .put(payload: json), .custom(method: "QUERY", payload: json)].map {
            Sample.input(
                url,
                $0,
                headers: ["Accept": "*/*", "If-Match": "\"1\", \"2\"", "Authorization": "Bearer hunter2-a"]
            )
        }
    }()

    private static let outputs: [Output] = [
        .text("größe\r\n\u{1}"), .json(#"{"token":"hunter2-b","a":"hunter2-a"}"#), .status(.noContent),
        .status(.notFound),
        .data(Data([0xFF, 0xD8, 0]), mediaType: "image/jpeg"),
        .data(Data([1, 2]), mediaType: "application/octet-stream"),
        .status(.found, headers: ["Location": "https://other.example/?token=hunter2-c&a=1"]),
        .hasResponse(
            Response(
                statusCode: .ok,
                headers: ["Link": "1", "link": "2"],
                payload: Data("a".utf8),
                trailers: ["ETag": "1"]
            )
        ),
    ]

    @Test("what a HAR has of an exchange is what a cassette has of it, and a replay answers the same")
    func roundTrip() async throws {
        for input in Self.inputs {
            for output in Self.outputs {
                let app = Connector.stub(output).wrapped(
                    by: .record(to: file.url, now: { Sample.noon }),
                    .har(to: file.har, now: { Sample.noon })
                )
                _ = await WebAPI.call(with: input, via: app)
                let (cassette, har) = (try Cassette(at: file.url), try Cassette(at: file.har))
                #expect(har.remarks == [])
                #expect(har.exchanges == cassette.exchanges.map(Self.inHAR))
                let replayed = await WebAPI.call(with: input, via: .replay(from: file.har))
                #expect(replayed.response?.payload == cassette.exchanges[0].response.payload)
                file.remove()
            }
        }
    }

    /// The exchange as a HAR says it: the media type of a payload is a header field.
    private static func inHAR(_ exchange: Exchange) -> Exchange {
        var exchange = exchange
        if let type = exchange.input.methodAndPayload.payload?.mediaType {
            exchange.input.headers.setIfAbsent("Content-Type", to: type.rawValue)
        }
        return exchange
    }
}
