import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallJSON
import StartSmallTesting
import Testing

/// What is in a cassette, and what is not, by the kind of a payload, a field or a URL.
@Suite struct HiddenSecretsTests {
    private let file = TestFile()

    private func response(_ type: String?, _ payload: Data) -> Output {
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        return .hasResponse(Response(statusCode: .ok, headers: headers, payload: payload))
    }

    /// The recorded payload of a response.
    private func recorded(_ type: String?, _ payload: String, for input: Input = Sample.user) async throws -> String {
        await Connector.recording([input], to: file) { _ in response(type, Data(payload.utf8)) }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        return exchange.omittedResponse ?? String(decoding: exchange.response.payload, as: UTF8.self)
    }

    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"
    private static let plain = "text/plain"
    private static let events = "text/event-stream"

    /// Media types, payloads, and these payloads in a cassette.
    private static let payloads: [(type: String?, payload: String, shown: String)] = [
        (
            json, #"{"a": 1.50, "password": "x", "b": [null, true]}"#,
            #"{"a": 1.50, "password": "[redacted]", "b": [null, true]}"#
        ),
        (
            json, #"{"token": {"id": "x", "n": [12345, "y", ""]}, "c": "z"}"#,
            #"{"token": {"id": "[redacted]", "n": [0, "[redacted]", ""]}, "c": "z"}"#
        ),
        (json, #"{"pass\u0077ord":"a\"b","n":"\""}"#, #"{"pass\u0077ord":"[redacted]","n":"\""}"#),
        (
            json, #"{"text":"{\"token\":\"x\"}","next":"https:\/\/h\/?page=2&token=x"}"#,
            #"{"text":"[redacted]","next":"https:\/\/h\/?page=2&token=[redacted]"}"#
        ),
        (json, #"{"a":"?b=1\u0026token=x"}"#, #"{"a":"[redacted]"}"#),
        (json, #"["https://me:pw@h/a?code=0123456789abcdefghij"]"#, #"["https://[redacted]@h/a?code=[redacted]"]"#),
        (json, #"["https:\/\/me:pw@h\/"]"#, #"["https:\/\/[redacted]@h\/"]"#),
        (plain, "https://me:pw@h/?next=https://me:pw@h/", "https://[redacted]@h/?next=https://[redacted]@h/"),
        (nil, #"{"secret":"x"}"#, #"{"secret":"[redacted]"}"#),
        (plain, #"[{"secret":"x"}]"#, #"[{"secret":"[redacted]"}]"#),
        ("application/x-ndjson", "{\"a\":1}\n{\"password\":\"x\"}\n", "{\"a\":1}\n{\"password\":\"[redacted]\"}\n"),
        ("application/json-seq", "\u{1E}{\"password\":\"x\"}\n", "\u{1E}{\"password\":\"[redacted]\"}\n"),
        (
            events, "event: token\ndata: {\"token\":\"x\"}\r\n\n",
            "event: token\ndata: {\"token\":\"[redacted]\"}\r\n\n"
        ),
        (plain, "log:\n{\"token\":\"x\"}\n[INFO] a", "log:\n{\"token\":\"[redacted]\"}\n[INFO] a"),
        (form, "a=1&user%5Btoken%5D=x+y&b=", "a=1&user%5Btoken%5D=[redacted]&b="),
        (form, "a=%7B%22token%22%3A%22x%22%7D&b=2", "a=[redacted]&b=2"),
        ("text/html", "<a href=\"/?a=1&amp;token=x\">b</a>", "<a href=\"/?a=1&amp;token=[redacted]\">b</a>"),
        (plain, "token=x&a=1", "token=[redacted]&a=1"), (plain, "see sort=x", "see sort=x"),
        (plain, "a?next=https://h/?token=x", "a?next=https://h/?token=[redacted]"),
        (json, #"{"a":"say token=x","token: x":1,"b":"?q=a"}"#, #"{"a":"[redacted]","[redacted]":0,"b":"?q=a"}"#),
        (
            json, #"{"a":"token=x&b=1","c":"\/?token=x\/y&b=\/"}"#,
            #"{"a":"token=[redacted]&b=1","c":"\/?token=[redacted]&b=\/"}"#
        ),
        (form, "a=token=x&b=1", "a=token=[redacted]&b=1"),
        (plain, "use ghp_abcdefghijklmnopqrstuvwxyz0123456789, me", "use [redacted], me"),
        (json, "{'password': 'hunter2'}", "23 bytes of application/json: it is not the JSON that its type says"),
        (json, #"{"a":1"#, "6 bytes of application/json: it is not the JSON that its type says"),
        (events, "data: {\"a\":\ndata: \"x\"}\n\n", "data: {\"a\":\ndata: \"x\"}\n\n"),
        (
            "multipart/form-data; boundary=b", "--b\r\n",
            "5 bytes of multipart/form-data: the parts of a form are not searched for secrets"
        ),
        (
            plain, "--b\r\nContent-Disposition: form-data",
            "35 bytes of text/plain: the parts of a form are not searched for secrets"
        ),
        (
            // A mark that a `Character` has together with the colon.
            plain, "--b\r\nContent-Disposition:\u{301} form-data",
            "37 bytes of text/plain: the parts of a form are not searched for secrets"
        ),
        (
            "application/http", "GET / HTTP/1.1",
            "14 bytes of application/http: a message of HTTP is not searched for secrets"
        ),
    ]

    @Test("in each kind of payload, the values of secret names are hidden, and all else is kept", arguments: payloads)
    func ofKind(type: String?, payload: String, shown: String) async throws {
        #expect(try await recorded(type, payload) == shown)
    }

    @Test("in a HAR, each kind of payload is hidden as in a cassette", arguments: payloads)
    func inHAR(type: String?, payload: String, shown: String) async throws {
        let app = Connector.stub(response(type, Data(payload.utf8))).wrapped(by: .har(to: file.har))
        _ = await WebAPI.call(with: Sample.user, via: app)
        let har = try JSONDecoder().decode([String: Log].self, from: Data(contentsOf: file.har))
        let content = try #require(har["log"]?.entries.first?.response.content)
        #expect(content.text == shown || content.comment == shown, "\(content)")
    }

    private struct Log: Decodable {
        struct Entry: Decodable { let response: Answer }
        struct Answer: Decodable { let content: Content }
        struct Content: Decodable { let text, comment: String? }
        let entries: [Entry]
    }

    @Test("deeply nested JSON is read without recursion", arguments: [600, 200_000])
    func deep(depth: Int) async throws {
        let text = String(repeating: "[", count: depth) + #"{"token":"hunter2"}"# + String(repeating: "]", count: depth)
        #expect(try await recorded("application/json", text).contains(#"{"token":"[redacted]"}"#))
    }

    @Test(
        "a secret of the request is hidden in each form in which a server repeats it",
        arguments: [
            "hunter2/wo+rd ä", "hunter2%2Fwo%2Brd%20%C3%A4", "hunter2%2fwo%2brd%20%c3%a4", "hunter2/wo+rd%20%C3%A4",
            "hunter2%2Fwo%2Brd+%C3%A4", "hunter2\\/wo+rd ä", "aHVudGVyMi93bytyZCDDpA",
        ]
    )
    func forms(written: String) async throws {
        let form = Either.form([.init(name: "password", value: "hunter2/wo+rd ä")]).right
        let input = Sample.input("https://a/", .post(payload: form))
        #expect(try await recorded("text/plain", "say \(written)!", for: input) == "say [redacted]!")
    }

    /// Header fields, and the part of each that a server repeats.
    private static let credentials: [(name: String, value: String, echo: String)] = [
        (
            "Authorization", #"Digest username="me", realm="a", uri="/", response="hunter2-digest", qop=auth"#,
            "hunter2-digest"
        ),
        ("Authorization", "AWS4-HMAC-SHA256 Credential=hunter2-id/20260101/a, Signature=hunter2-sign", "hunter2-sign"),
        ("Authorization", #"OAuth oauth_token="hunter2%2Ftoken",oauth_version="1.0""#, "hunter2/token"),
        ("Authorization", "Basic bWU6aHVudGVyMi13b3Jk", "hunter2-word"),
        ("Authorization", "basic  bWU6aHVudGVyMi13b3Jk", "hunter2-word"),
        ("Authorization", "Basic aHVudGVyMi13b3JkOg", "hunter2-word"),
        ("Authorization", "Bearer aHVudGVyMg==", "aHVudGVyMg=="),
        ("X-Api-Key", "hunter2-key;ver=1", "hunter2-key"), ("Cookie", "a=hunter2%2Fcookie; b=c", "hunter2/cookie"),
        ("Cookie", "sid=\"hunter2-quoted\"", "hunter2-quoted"),
    ]

    @Test("a part of a credential that a server repeats is hidden", arguments: credentials)
    func parts(name: String, value: String, echo: String) async throws {
        let input = Sample.input("https://a/index", headers: HTTPHeaders([.init(name: name, value: value)]))
        let text = try await recorded("text/plain", "bad \(echo) at /index of the realm", for: input)
        #expect(text == "bad [redacted] at /index of the realm")
        #expect(file.text.contains("\"\(name): [redacted]\""))
    }

    @Test("a secret is hidden in exchanges before its own, in URLs, methods, types, errors and names of fields")
    func elsewhere() async {
        let word = "hunter2-word"
        let payload = Payload(.data(Data([0x1F, 0x8B, 8])), mediaType: MediaType(rawValue: "text/\(word); a=\(word)"))
        let early = Sample.input(
            "https://a/x/\(word)?q=\(word)",
            .custom(method: word, payload: payload),
            headers: [word: "1", "Link": word]
        )
        let login = Sample.input("https://a/", headers: ["Authorization": "Bearer \(word)"])
        await Connector.recording([early, login], to: file) { input in
            let text = "no \(word) for https://a/?token=hunter2-token"
            return input == login ? .noResponse(.other(.init(domain: "a", code: 1, text: text))) : .text(word)
        }
        #expect(!file.text.contains("hunter2") && file.text.contains("no [redacted] for https:"))
        #expect(await WebAPI.call(with: early, via: .replay(from: file.url)) == .text("[redacted]"))
    }

    @Test("secrets that overlap are hidden as one")
    func overlap() async throws {
        let headers: HTTPHeaders = ["Authorization": "hunter2-abc", "X-API-Key": "abc-hunter2"]
        let input = Sample.input("https://a/", headers: headers)
        #expect(try await recorded("text/plain", "<hunter2-abc-hunter2>", for: input) == "<[redacted]>")
    }

    @Test("a number that is a secret elsewhere becomes 0, so that JSON can be decoded")
    func numbers() async throws {
        let input = Sample.input("https://a/?password=12345678")
        let json = #"{"id":12345678,"a":"12345678"}"#
        #expect(try await recorded("application/json", json, for: input) == #"{"id":0,"a":"[redacted]"}"#)
    }

    @Test("a header field is shown if it is in the list of harmless ones, or named, and not secret by its name")
    func fields() async throws {
        let headers: HTTPHeaders = [
            "ETag": "\"1\"", "X-RateLimit-Limit": "60", "X-Own": "hunter2-own", "X-Other": "hunter2-other",
            "X-Session": "hunter2-session", "Location": "https://h/?token=hunter2&a=1", "X-Should-Retry": "true",
            "Anthropic-RateLimit-Requests-Remaining": "9", "Content-Digest": "sha-256=:YQ==:",
        ]
        let scrubbing = CassetteRedaction(showing: ["x-OWN", "X-Session"])
        await Connector.recording([Sample.user], to: file, scrubbing: scrubbing) { _ in .status(.ok, headers: headers) }
        let shown: HTTPHeaders = [
            "ETag": "\"1\"", "X-RateLimit-Limit": "60", "X-Own": "hunter2-own", "X-Other": "[redacted]",
            "X-Session": "[redacted]", "Location": "https://h/?token=[redacted]&a=1", "X-Should-Retry": "true",
            "Anthropic-RateLimit-Requests-Remaining": "9", "Content-Digest": "[redacted]",
        ]
        #expect(try Cassette(at: file.url).exchanges.first?.response.headers == shown)
    }

    // MARK: - Bytes

    /// Names, payloads and media types of bytes, and whether they are written.
    private static let bytes: [(name: String, payload: [UInt8], type: String?, isWritten: Bool)] = [
        ("image", [0x89, 0xFF, 0, 1], "image/png", true), ("unknown", [0, 0xFF, 0xFE], nil, true),
        ("with a known secret", [0xFF] + Array("hunter2-word".utf8), "image/png", false),
        (
            "with a known secret in UTF-16", [0xFF, 0xFE] + "hunter2-word".utf16.flatMap { [UInt8($0), 0] },
            "text/plain", false
        ),
        ("with a name in UTF-16", [0xFE, 0xFF] + "?token=x".utf16.flatMap { [0, UInt8($0)] }, "text/html", false),
        ("text in Latin-1", Array("caf".utf8) + [0xE9], "text/plain; charset=iso-8859-1", true),
        ("JSON in Latin-1", Array("{\"a\":\"".utf8) + [0xE9] + Array("\"}".utf8), "application/json", true),
        (
            "a secret of JSON in Latin-1", Array("{\"token\":\"".utf8) + [0xE9] + Array("\"}".utf8), "application/json",
            false
        ),
        ("compressed", [0x1F, 0x8B, 8, 0, 1], "application/json", false),
        ("an archive", [0x1F, 0x8B, 8, 0, 1], "application/gzip", true),
    ]

    @Test("bytes that are no text are written if they contain no secret that can be found", arguments: bytes)
    func raw(name: String, payload: [UInt8], type: String?, isWritten: Bool) async throws {
        let login = Sample.input("https://a/login", headers: ["Authorization": "Bearer hunter2-word"])
        await Connector.recording([Sample.user, login], to: file) { _ in response(type, Data(payload)) }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.response.payload == (isWritten ? Data(payload) : Data()))
        #expect((exchange.omittedResponse == nil) == isWritten)
        #expect(!file.text.contains("hunter2"))
        let replayed = await WebAPI.call(with: Sample.user, via: .replay(from: file.url))
        #expect((replayed.response?.payload == Data(payload)) == isWritten)
        if let error = replayed.connectionError {
            #expect(error.debugInfo.contains("is not in the cassette cassette.json: \(payload.count) bytes of"))
        }
    }

    @Test("a coded payload that no engine has decoded is described")
    func coded() async throws {
        await Connector.recording([Sample.user], to: file) { _ in
            .hasResponse(
                Response(statusCode: .ok, headers: ["Content-Encoding": "br"], payload: Data([0x8B, 0xFF, 1]))
            )
        }
        #expect(try Cassette(at: file.url).exchanges.first?.omittedResponse?.contains("compressed data") == true)
    }

    @Test("a payload over the limit is described, its secrets are hidden elsewhere, and the replay names the limit")
    func limit() async throws {
        let posts = ["12345678", "123456789"].map { Sample.input("https://a/", .post(payload: Either.text($0).right)) }
        let text = #"{"token":"hunter2-word"}"#
        let server = Connector.stub { $0.methodAndPayload.payload == nil ? .text("hunter2-word") : .json(text) }
        let connector = server.wrapped(by: .record(to: file.url, payloadsUpTo: 8))
        for input in posts + [Sample.user] { _ = await WebAPI.call(with: input, via: connector) }
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.map { $0.omittedInput == nil } == [true, false, true])
        #expect(!file.text.contains("hunter2"))
        let error = await WebAPI.call(with: posts[1], via: .replay(from: file.url)).connectionError
        #expect(error?.debugInfo.contains("payloadsUpTo: 24 or more") == true)
        let wrapped = Connector.stub(.text("a")).wrapped(by: .replay(from: file.url))
        #expect(await WebAPI.call(with: posts[1], via: wrapped).connectionError == error)
    }

    // MARK: - Streams

    /// The end of a stream: it breaks, its reader leaves it, or its reader wants no more of it (`until:`).
    private enum StreamEnd: CaseIterable { case broken, left, finished }

    private static let token = "s3cret-t0ken-of-the-user"

    /// Streams that end with a secret: its beginning, and the shown part before it.
    private static let streams: [(type: String, before: String, written: String)] = [
        (plain, "the token ", token), (events, "data: the token ", token),
        (json, #"{"a":1,"text":"the token "#, token),
        (plain, "the token ", Data(token.utf8).base64EncodedString()),
        (json, #"{"a":1,"access_token":""#, "an-other-secret-of-the-server"),
        (events, "data: {\"a\":1}\n\ndata: {\"access_token\":\"", "an-other-secret-of-the-server"),
        (form, "a=1&access_token=", "an-other-secret-of-the-server"),
        (plain, "see https://h/?access_token=", "an-other-secret-of-the-server"),
        (plain, "a key ", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
    ]

    @Test(
        "no part of a secret is in a stream that breaks or is left within it, wherever its chunks are cut",
        arguments: streams
    )
    func cut(type: String, before: String, written: String) async throws {
        for count in 5...written.utf8.count {
            let bytes = Array((before + written.prefix(count)).utf8)
            for (chunk, end) in [(3, StreamEnd.broken), (7, .left), (5, .finished), (bytes.count, .broken)] {
                let isBroken = end == .broken
                let chunks = stride(from: 0, to: bytes.count, by: chunk).map {
                    Array(bytes[$0..<min($0 + chunk, bytes.count)])
                }
                let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 7, text: "lost"))
                let head = Response(statusCode: .ok, headers: ["Content-Type": type])
                let server = Connector { _ in
                    .open(head, chunks + (isBroken ? [] : [[10]]), then: isBroken ? lost : nil)
                }
                let connector = server.wrapped(by: .bearer(Self.token), .record(to: file.url), .har(to: file.har))
                let input = Sample.user.with { $0.delivery = .stream }
                let body = try #require(await WebAPI.call(with: input, via: connector).response?.body)
                for _ in chunks { _ = try await body.next() }
                switch end {
                case .broken: _ = try? await body.next()
                case .left: body.discard()
                case .finished: body.finish()
                }
                let exchange = try #require(try Cassette(at: file.url).exchanges.first)
                let failures: [StreamEnd: String] = [.broken: "connectionLost", .left: "cancelled"]
                #expect(exchange.failure?.name == failures[end])
                let payload = String(decoding: exchange.response.payload, as: UTF8.self)
                #expect(payload == before + "[redacted]", "\(written.prefix(count))")
                #expect(try await shownInHAR() == payload, "\(end), \(written.prefix(count))")
                #expect(exchange.chunks.reduce(0, +) == exchange.response.payload.count)
                #expect(exchange.chunks.count == chunks.count && exchange.chunks.allSatisfy { $0 >= 0 })
                file.remove()
            }
        }
    }

    /// The text of the first response in the HAR, after the queue of its file.
    private func shownInHAR() async throws -> String? {
        _ = await WebAPI.call(with: Sample.user, via: .stub(.text("")).wrapped(by: .har(to: file.har)))
        let har = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file.har))
        return har["log"]?["entries"]?[0]?["response"]?["content"]?["text"]?.string
    }

    @Test(
        "a stream is replayed in the chunks in which it arrived, with the same error, and hidden parts in one of them"
    )
    func chunkwise() async throws {
        let text = "one \(Self.token) two \(Self.token)\nthree"
        let bytes = Array(text.utf8)
        for size in [1, 5, 11, bytes.count] {
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            let server = Connector { _ in .open(Response(statusCode: .ok), chunks, trailers: ["ETag": "1"]) }
            let input = Sample.user.with { $0.delivery = .stream }
            let recorder = server.wrapped(by: .bearer(Self.token), .record(to: file.url))
            let body = try #require(await WebAPI.call(with: input, via: recorder).response?.body)
            while try await body.next() != nil {}
            let replay = try #require(await WebAPI.call(with: input, via: .replay(from: file.url)).response?.body)
            var parts: [String] = []
            while let part = try await replay.next() { parts.append(String(decoding: part, as: UTF8.self)) }
            #expect(parts.joined() == "one [redacted] two [redacted]\nthree")
            if size == 11 { #expect(parts == ["one [redacted]", " two ", "[redacted]", "\nthree"]) }
            #expect(replay.trailers == ["ETag": "1"])
            file.remove()
        }
    }
}
