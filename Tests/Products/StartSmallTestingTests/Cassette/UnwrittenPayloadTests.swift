import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallSupport
import StartSmallTesting
import Testing

/// Payloads in which the end of a secret is not known: what a log hides is in no cassette.
@Suite struct UnwrittenPayloadTests {
    private let file = TestFile()

    private static func response(_ type: String, _ payload: Data) -> Output {
        .hasResponse(Response(statusCode: .ok, headers: ["Content-Type": type], payload: payload))
    }

    /// Records one call, and returns its error.
    private func error(_ type: String, _ payload: Data, _ scrubbing: CassetteRedaction = .standard) async
        -> ConnectionError?
    {
        let stub = Connector.stub(Self.response(type, payload))
        let recording = stub.wrapped(by: .record(to: file.url, scrubbing: scrubbing))
        return await WebAPI.call(with: Sample.user, via: recording).connectionError
    }

    /// Media types, and payloads with a name of a secret and its value in the syntax of each.
    private static let payloads: [(type: String, payload: String, name: String)] = [
        ("application/xml", "<a><token>hunter2</token></a>", "token"),
        ("application/xml", "<a>\n<b:token id=\"1\">\n  hunter2\n</b:token></a>", "b:token"),
        ("application/xml", "<user password=\"hunter2\"/>", "password"),
        ("application/soap+xml", "<wsse:Password Type=\"a\">hunter2</wsse:Password>", "wsse:Password"),
        ("application/javascript", #"callback({"token":"hunter2"});"#, "token"),
        ("application/javascript", #"callback({"p\u0061ssword":"hunter2"});"#, "password"),
        ("application/javascript", "let secret = 'hunter2'", "secret"),
        ("application/javascript", "({token: `hunter2`})", "token"),
        ("application/yaml", "user: me\npassword: hunter2\n", "password"),
        ("text/plain", "see token=hunter2", "token"), ("text/plain", "A=1\nAPI_KEY=hunter2\n", "API_KEY"),
        ("text/plain", "export TOKEN='hunter2'", "TOKEN"), ("application/toml", "[a]\ntoken = \"hunter2\"", "token"),
        ("text/html", "<input name=\"csrf_token\" value=\"hunter2\">", "csrf_token"),
        ("text/csv", "a,token:hunter2,b", "token"), ("text/event-stream", "data: token=hunter2\n\n", "token"),
        ("text/event-stream", "data: {\"token\":\ndata: \"hunter2\"}\n\n", "token"),
        ("application/graphql", "{ login(password: \"hunter2\") { id } }", "password"),
        ("text/plain", "{\"token\":\"x\"}\npassword: hunter2", "password"),
    ]

    @Test(
        "a payload with a value behind the name of a secret fails the call, with the place and the option",
        arguments: payloads
    )
    func fails(type: String, payload: String, name: String) async {
        let error = await error(type, Data(payload.utf8))
        #expect(error?.name == "unwritableDestination")
        #expect(
            error?.debugInfo.contains("the payload of the response of https://api.example.com/users/octocat is not")
                == true
        )
        #expect(error?.debugInfo.contains("behind \"\(name)\", at byte ") == true, "\(error?.debugInfo ?? "no error")")
        #expect(error.map { "\($0) \($0.debugInfo)" }?.contains("hunter2") == false && !file.text.contains("hunter2"))
        #expect(file.text.isEmpty)
    }

    @Test("a payload is written with the value of a name that is said to have no secret", arguments: payloads)
    func isWritten(type: String, payload: String, name: String) async {
        #expect(await error(type, Data(payload.utf8), CassetteRedaction(showing: [name])) == nil)
        #expect(file.text.contains("hunter2"))
    }

    @Test(
        "a payload is written whose value a function has replaced",
        arguments: ["<token>•</token>", "token: •", "a •"]
    )
    func isReplaced(text: String) async {
        let replacing = CassetteRedaction(also: { $0.replacingOccurrences(of: "hunter2", with: "[redacted]") })
        let payload = Data(text.replacingOccurrences(of: "•", with: "hunter2").utf8)
        #expect(await error("application/xml", payload, replacing) == nil)
        #expect(file.text.contains("[redacted]") && !file.text.contains("hunter2"))
    }

    /// Texts with the name of a secret, and whether they are written, since the name has no value.
    private static let named: [(text: String, isWritten: Bool)] = [
        // Whether a field of a page has a value is not known.
        (#"<input type="password" name="pw"><a>b</a>"#, false),
        (#"<input type="password" value="s3cret">"#, false), (#"<input value='s3cret' type="password">"#, false),
        (#"<INPUT TYPE="password" VALUE = "s3cret">"#, false), (#"<input value=s3cret type=password>"#, false),
        ("<input type=password\n value=s3cret>", false), (#"<input value=s3cret type=password/>"#, false),
        (#"<meta content=s3cret name=csrf-token/>"#, false),
        (#"<input type="password" value="<s3cret">"#, false), (#"<input type="password" value=">s3cret">"#, false),
        (#"<input type="password" value="" data-value="s3cret">"#, false),
        (#"<meta name="csrf-token" content="s3cret">"#, false), (#"<input name="a" token="s3cret">"#, false),
        (#"<input name="password">s3cret</input>"#, false),
        (#"<input name="password"><value>s3cret</value></input>"#, false),
        (#"<string name="api_key">s3cret</string>"#, false), (#"<add key="password" value="s3cret"/>"#, false),
        // CSV doubles quotes.
        (#"a,"<input type=""password"" value=""s3cret"">""#, false),
        (#"<b id="session">a</b>"#, false),
        (#"<b class="session" title="token=s3cret">"#, false), (#"<b class="token" data-value="s3cret">"#, false),
        // A value is on the line of its name, unless it is indented or in quotes.
        ("PASSWORD=\nUSER=me", true), ("A=1\r\nPASSWORD=\r\n\r\nUSER=\"me\"", true), ("PASSWORD= \nUSER=me", true),
        ("A=1\nPASSWORD=s3cret\nUSER=me", false), ("const token =\n  \"s3cret\"", false), ("TOKEN=\n\"s3cret\"", false),
        ("password=\"\ns3cret\"", false), ("[a]\ntoken =\n  s3cret", false), ("TOKEN=\\\ns3cret", false),
        ("password:\n  s3cret", false), ("tokens:\n- s3cret", false), ("Password:\n\ns3cret", false),
        ("<token>\ns3cret\n</token>", false),
        // Quotes may belong to a longer value, unless nothing is behind them.
        (#"<user password="" name="a"/>"#, false), ("password: ''", true),
        ("A=1\nPASSWORD=&s3cret", false), (#"f(""password"":""s3cret"")"#, false),
        (#"<user password="" token="s3cret"/>"#, false), (#"password = "" + "s3cret""#, false),
        (#"password = "" || "s3cret""#, false), (##"password = """s3cret""""##, false),
        ("password = \"\"\"\ns3cret\n\"\"\"", false), (#"password: "\"\"s3cret""#, false),
        ("password='''s3cret'", false), ("password=''s3cret", false), ("password=\"\"\n\"s3cret\"", false),
        // An element without a value has no attributes.
        ("<a:Token></a:Token>", true), ("<a:Token />", true), (#"<Password xsi:nil="true"/>"#, false),
        (#"<Password xsi:nil="true" a="s3cret"/>"#, false), (#"<Password xsi:nil="false">s3cret</Password>"#, false),
        ("<Password>x</Password>", false), (#"<Password value="s3cret"/>"#, false),
        // An escape that spells no name, and escapes that spell one, its sign and its quotes.
        (#"f("caf\u00e9", "\x41", /[\u0000-\u001f]/);"#, true), (#"f("token\u0020expires");"#, true),
        (#"f({"p\u0061ssword":"x"});"#, false), (#"f({'\x70assword':'x'});"#, false),
        (#"f("{\u0022token\u0022\u003a\u0022x\u0022}");"#, false), (#"f("token\x3dx");"#, false),
        (#"f({"p\x5cu0061ssword":"x"});"#, false),
        (#"f("token=\x0as3cret");"#, false), (#"f("/?token=x\/s3cret");"#, false),
    ]

    @Test("a text with a secret's name is written if the name has no value, and not if it has one", arguments: named)
    func isNamed(text: String, isWritten: Bool) async {
        #expect((await error("text/plain", Data(text.utf8)) == nil) == isWritten)
        #expect(file.text.isEmpty != isWritten)
    }

    @Test(
        "a text in an encoding of single bytes is searched for names, whatever control characters it has",
        arguments: ["", "\u{C}", "\u{1}\u{1B}[0m", "\u{FF}"]
    )
    func ofSingleBytes(before: String) async {
        for (text, isWritten) in [("<a>\u{E9}</a>", true), ("\u{E9} <token>hunter2</token>", false), ("pin=1", false)] {
            let bytes = "\(before) \(text)".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            #expect((await error("text/plain", Data(bytes)) == nil) == isWritten, "\(text)")
            file.remove()
        }
    }

    /// The bytes of a text in each wide encoding.
    private static let encodings: [@Sendable (String) -> [UInt8]] = [
        { $0.utf16.flatMap { bytes($0.littleEndian) } }, { $0.utf16.flatMap { bytes($0.bigEndian) } },
        { [0xFF, 0xFE] + $0.utf16.flatMap { bytes($0.littleEndian) } },
        { $0.unicodeScalars.flatMap { bytes($0.value.littleEndian) } },
        { $0.unicodeScalars.flatMap { bytes($0.value.bigEndian) } },
    ]

    private static func bytes(_ unit: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: unit) { Array($0) } }

    @Test("a text in UTF-16 or UTF-32 is described, and bytes of another type are searched in them", arguments: 0..<5)
    func wide(index: Int) async throws {
        let encode = Self.encodings[index]
        for (type, text) in [("text/html", "<a>b</a>"), ("application/json", #"{"token":"hunter2-word"}"#)] {
            #expect(await error(type, Data(encode(text))) == nil)
            let exchange = try #require(try Cassette(at: file.url).exchanges.first)
            #expect(exchange.omittedResponse?.hasSuffix("text in UTF-16 or UTF-32 is not searched for secrets") == true)
            file.remove()
        }
        #expect(await error("application/a", Data(encode("<token>hunter2</token>"))) != nil && file.text.isEmpty)
        let output = Self.response("application/a", Data(encode("it is hunter2-word.")))
        await Connector.recording([Sample.input("https://a/?token=hunter2-word")], to: file) { _ in output }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.omittedResponse?.hasSuffix("it contains a secret") == true)
    }

    @Test("bytes that are no text are not searched for names")
    func bytes() async {
        #expect(await error("image/png", Data([0x89, 0xFF, 0, 1] + Array("pin=1".utf8))) == nil)
    }

    @Test(
        "a text in which no name of a secret has a value is written",
        arguments: [
            "<a><b>token</b></a>", "<token/>", "<token></token >", "the token expires", "invalid_token: no", "a=b;c=d",
            "<input type=\"text\" name=\"q\">", "nextToken: 1", "token_type=bearer", "x: {\"a\": 1}",
        ]
    )
    func isShown(text: String) async {
        #expect(await error("application/xml", Data(text.utf8)) == nil, "\(text)")
        #expect(!file.text.isEmpty)
    }

    @Test("a secret that an unwritten exchange makes known is hidden in the file at once")
    func earlier() async {
        let server = Connector.stub { input in
            input.url.path() == "/bad"
                ? Self.response("text/plain", Data("token: other".utf8)) : .text("is hunter2-word")
        }
        let recording = server.wrapped(by: .record(to: file.url))
        for url in ["https://a/1", "https://a/bad?token=hunter2-word"] {
            _ = await WebAPI.call(with: Sample.input(url), via: recording)
        }
        #expect(file.text.contains("is [redacted]") && !file.text.contains("hunter2"))
    }

    @Test("an exchange that is not written does not keep others from being written, and its secrets are known")
    func others() async throws {
        let server = Connector.stub { input in
            input.url.path() == "/bad"
                ? Self.response("text/plain", Data("token: other".utf8)) : .text("you said hunter2-word")
        }
        let recording = server.wrapped(by: .record(to: file.url))
        for url in ["https://a/1", "https://a/bad?token=hunter2-word", "https://a/2"] {
            _ = await WebAPI.call(with: Sample.input(url), via: recording)
        }
        #expect(try Cassette(at: file.url).exchanges.map(\.input.url.absoluteString) == ["https://a/1", "https://a/2"])
        #expect(!file.text.contains("hunter2") && !file.text.contains("other"))
    }

    // MARK: - Planted secrets

    private static func jsonString(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Texts that contain a secret under its name.
    private static let leaves: [@Sendable (String) -> String] = [
        { #"{"token":\#(jsonString($0))}"# }, { #"{"a":[{"b":{"password":\#(jsonString($0))}}],"c":1}"# },
        { #"{"token":["x",\#(jsonString($0))"# }, { "token=\(URIEncoding.encoded($0))&a=1" },
        { "https://h/?a=1&access_token=\(URIEncoding.encoded($0))#top" },
        { "https://me:\(URIEncoding.encoded($0))@h/" },
        { "/path;jsessionid=\(URIEncoding.encoded($0))" }, { "hello token=\($0)" }, { "line\npassword = \($0)" },
        { "a,token=\($0),b" }, { "(token=\($0))" }, { "say token=\"\($0)\" twice" }, { "<token>\($0)</token>" },
        { "callback({token: '\($0)'})" }, { "https://h/?next=https://g/?a=1&token=\(URIEncoding.encoded($0))" },
    ]

    /// Encodings of one text inside another.
    private static let wraps: [@Sendable (String) -> String] = [
        { $0 }, { #"{"note":\#(jsonString($0)),"a":1}"# }, { "q=\(URIEncoding.encoded($0))" },
        { "https://h/cb?a=1&next=\(URIEncoding.encoded($0))&b=2" }, { "callback(\(jsonString($0)));" },
        { "event: a\ndata: \($0.replacingOccurrences(of: "\n", with: " "))\n\n" }, { "<note>\($0)</note>" },
    ]

    /// Messages with a text, each in another place.
    private static func messages(_ text: String) -> [(input: Input, output: Output)] {
        let oneLine = text.replacingOccurrences(of: "\n", with: " ")
        let form = Payload(.data(Data("a=1&payload=\(URIEncoding.encoded(text))".utf8)), mediaType: .form)
        let lost = ConnectionError.other(.init(domain: "a", code: 1, text: oneLine))
        return ["application/json", "text/plain", "application/xml"].map {
            (Sample.user, response($0, Data(text.utf8)))
        }
            + [
                (Sample.input("https://a/", .post(payload: form)), .text("")),
                (Sample.input("https://a/?filter=\(URIEncoding.encoded(text))"), .text("")),
                (Sample.input("https://a/;filter=\(URIEncoding.encoded(text))/b"), .text("")),
                (Sample.input("https://a/", headers: ["Referer": oneLine]), .text("")),
                (Sample.user, .status(.ok, headers: ["Link": oneLine])), (Sample.user, .noResponse(lost)),
            ]
    }

    @Test("of nearly a thousand planted secrets, none is in a cassette or HAR, however the message is nested")
    func planted() async {
        var count = 0
        for (index, leaf) in Self.leaves.enumerated() {
            for wrap in Self.wraps {
                for place in Self.messages("").indices {
                    count += 1
                    // A new secret each time, which is not known from another place.
                    let text = wrap(leaf("hunter2-\(1_000 + count)"))
                    let message = Self.messages(text)[place]
                    let recording = Connector.stub(message.output)
                        .wrapped(by: .record(to: file.url), .har(to: file.har))
                    _ = await WebAPI.call(with: message.input, via: recording)
                    #expect(!file.text.contains("hunter2"), "leaf \(index), place \(place): \(text)")
                    let har = try? String(contentsOf: file.har, encoding: .utf8)
                    #expect(har?.contains("startedDateTime") == true)
                    #expect(har?.contains("hunter2") == false, "leaf \(index), place \(place): \(text)")
                    file.remove()
                }
            }
        }
        #expect(count >= 900)
    }
}
