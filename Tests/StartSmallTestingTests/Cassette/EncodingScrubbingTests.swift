import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Secrets in payloads that are not UTF-8.
@Suite struct EncodingScrubbingTests {
    private let file = TestFile()

    /// The form in which a payload is sent: its encoding, its byte order mark, and the charset of its media type.
    struct Sending: Sendable, CustomTestStringConvertible {
        let encoding: String.Encoding
        var mark = ""
        var charset: String?

        var testDescription: String {
            "\(encoding), \(mark.isEmpty ? "no mark" : "a mark"), \(charset ?? "no charset")"
        }

        func data(_ text: String) -> Data { (mark + text).data(using: encoding) ?? Data() }

        func type(_ essence: String) -> String { charset.map { "\(essence); charset=\($0)" } ?? essence }

        static let all = [
            Sending(encoding: .utf16LittleEndian, mark: "\u{FEFF}", charset: "utf-16"),
            Sending(encoding: .utf16BigEndian, mark: "\u{FEFF}", charset: "utf-16"),
            Sending(encoding: .utf16LittleEndian, mark: "\u{FEFF}"), Sending(encoding: .utf16LittleEndian),
            Sending(encoding: .utf16BigEndian), Sending(encoding: .utf16BigEndian, charset: "utf-16"),
            Sending(encoding: .utf16LittleEndian, charset: "utf-16le"),
            Sending(encoding: .utf16LittleEndian, charset: "utf-8"),
            Sending(encoding: .utf32LittleEndian, mark: "\u{FEFF}", charset: "utf-32"),
            Sending(encoding: .utf32BigEndian, charset: "utf-32be"), Sending(encoding: .utf32LittleEndian),
            Sending(encoding: .isoLatin1, charset: "iso-8859-1"), Sending(encoding: .isoLatin1),
            Sending(encoding: .isoLatin1, charset: "klingon"),
            Sending(encoding: .windowsCP1252, charset: "windows-1252"),
            Sending(encoding: .shiftJIS, charset: "shift_jis"), Sending(encoding: .iso2022JP, charset: "iso-2022-jp"),
            Sending(encoding: .utf8, mark: "\u{FEFF}"),
        ]
    }

    /// Secrets in different places, none of which contains another.
    private static let secrets = [
        "jsonRequestOne", "formRequestTwo", "jsonAnswerThree", "urlAnswerFour", "bearerTokenFive",
    ]

    /// Records a run with each payload in an encoding; the payloads also contain a secret that only a header marks.
    private func run(_ sending: Sending, scrubbing: CassetteRedaction = .standard) async {
        // A text with a non-ASCII character, so that encodings differ, unless the encoding has no such character.
        let word = ["ü", "名"].first { $0.data(using: sending.encoding) != nil } ?? ""
        func post(_ essence: String, _ text: String) -> HTTPMethodAndPayload {
            let mediaType = MediaType(rawValue: sending.type(essence))
            return .post(payload: Payload(.data(sending.data(text)), mediaType: mediaType))
        }
        let json = #"{"user": "\#(word)", "password": "jsonRequestOne", "seen": "bearerTokenFive"}"#
        let answer = #"""
            {"word": "\#(word)", "access_token": "jsonAnswerThree", "next": "https://a/?token=urlAnswerFour&page=2",
            "echo": "jsonRequestOne formRequestTwo bearerTokenFive"}
            """#
        let inputs = [
            Sample.input("https://a/early", post("text/plain", "\(word) bearerTokenFive")),
            Sample.input("https://a/json", post("application/json", json), headers: ["X-API-Key": "bearerTokenFive"]),
            Sample.input("https://a/form", post(MediaType.form.rawValue, "u=\(word)&password=formRequestTwo")),
        ]
        await Connector.recording(inputs, to: file, scrubbing: scrubbing) { _ in
            .hasResponse(
                Response(
                    statusCode: .ok,
                    headers: ["Content-Type": sending.type("application/json")],
                    payload: sending.data(answer)
                )
            )
        }
    }

    /// The secrets that are in the file, even as a payload's encoded bytes.
    private func found() throws -> Set<String> {
        let exchanges = try Cassette(at: file.url).exchanges
        let payloads = exchanges.flatMap { [$0.input.methodAndPayload.body ?? Data(), $0.response.payload] }
        let encodings = Set(Sending.all.map(\.encoding))
        return Set(
            Self.secrets.filter { secret in
                file.text.contains(secret)
                    || encodings.compactMap { secret.data(using: $0) }.contains { form in
                        payloads.contains { $0.range(of: form) != nil }
                    }
            }
        )
    }

    @Test("no secret of the run is in the file, whatever its encoding was", arguments: Sending.all)
    func noSecret(sending: Sending) async throws {
        await run(sending)
        #expect(try found() == [])
        #expect(try Cassette(at: file.url).exchanges.count == 3)
    }

    @Test("without redaction, each secret is in the file, so the test above can fail", arguments: Sending.all)
    func control(sending: Sending) async throws {
        await run(sending, scrubbing: CassetteRedaction(.none))
        #expect(try found() == Set(Self.secrets))
    }

    @Test("the parts of a payload that are no secrets are replayed in the original encoding", arguments: Sending.all)
    func replays(sending: Sending) async throws {
        @Sendable func answer(_ token: String) -> Data { sending.data(#"{"name": "Ab", "token": "\#(token)"}"#) }
        await Connector.recording([Sample.user], to: file) { _ in
            let headers: HTTPHeaders = ["Content-Type": sending.type("application/json")]
            return .hasResponse(Response(statusCode: .ok, headers: headers, payload: answer("hunter2-word")))
        }
        let output = await WebAPI.call(with: Sample.user, via: .replay(from: file.url))
        #expect(output.response?.payload == answer("<redacted-1>"))
    }

    @Test("a text in another encoding is readable in the file, with the encoding's name")
    func readable() async throws {
        let text = "{\"user\": \"名\"}\n"
        let data = try #require(text.data(using: .shiftJIS))
        await Connector.recording([Sample.user], to: file) { _ in
            let headers: HTTPHeaders = ["Content-Type": "application/json; charset=shift_jis"]
            return .hasResponse(Response(statusCode: .ok, headers: headers, payload: data))
        }
        #expect(file.text.contains(#""{\"user\": \"名\"}","#))
        #expect(file.text.contains(#""charset" : "shift_jis""#))
        #expect(try Cassette(at: file.url).exchanges.first?.response.payload == data)
    }

    @Test("a known secret in bytes that are no text is replaced in any encoding", arguments: Sending.all)
    func bytes(sending: Sending) async throws {
        @Sendable func bytes(_ text: String) -> Data {
            Data([0x89, 0xFF, 0x01]) + sending.data(text) + Data([0xFE, 0x00, 0x01])
        }
        let input = Sample.input("https://a/", headers: ["Authorization": "Bearer hunter2-word"])
        await Connector.recording([input], to: file) { _ in
            let headers: HTTPHeaders = ["Content-Type": "image/png"]
            return .hasResponse(Response(statusCode: .ok, headers: headers, payload: bytes("hunter2-word")))
        }
        let payload = try #require(try Cassette(at: file.url).exchanges.first?.response.payload)
        #expect(payload.starts(with: [0x89, 0xFF, 0x01]) && payload.suffix(3) == Data([0xFE, 0x00, 0x01]))
        #expect(payload.range(of: try #require("hunter2".data(using: sending.encoding))) == nil)
    }

    @Test(
        "a known secret in bytes that are no text is replaced in the escaped forms of URLs and JSON",
        arguments: ["hunter2/pl+n", "hunter2%2Fpl%2Bn", "hunter2\\/pl+n", "hunter2%2Fpl%2bn", "hunter2\\u002fpl+n"]
    )
    func escapedInBytes(written: String) async throws {
        let bytes = Data([0x89, 0xFF, 0x01]) + Data(written.utf8) + Data([0xFE, 0x00, 0x01])
        let input = Sample.input("https://a/", headers: ["Authorization": "Bearer hunter2/pl+n"])
        for type in [nil, "image/png"] {
            await Connector.recording([input], to: file) { _ in
                let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
                return .hasResponse(Response(statusCode: .ok, headers: headers, payload: bytes))
            }
            let payload = try #require(try Cassette(at: file.url).exchanges.first?.response.payload)
            #expect(payload == Data([0x89, 0xFF, 0x01]) + Data("<redacted-1>".utf8) + Data([0xFE, 0x00, 0x01]))
        }
    }

    @Test("secrets in a form's part with its own encoding are removed", arguments: Sending.all)
    func parts(sending: Sending) async throws {
        var body = Data("--b\r\nContent-Disposition: form-data; name=\"meta\"\r\n".utf8)
        body += Data("Content-Type: \(sending.type("application/json"))\r\n\r\n".utf8)
        body += sending.data(#"{"password": "jsonRequestOne", "seen": "bearerTokenFive"}"#) + Data("\r\n--b--\r\n".utf8)
        let payload = Payload(.data(body), mediaType: "multipart/form-data; boundary=b")
        let headers: HTTPHeaders = ["Authorization": "bearerTokenFive"]
        await Connector.recording([Sample.input("https://a/", .post(payload: payload), headers: headers)], to: file)
        #expect(try found() == [])
    }

    @Test("a compressed payload can't be searched for secrets, and is not kept")
    func compressed() async throws {
        let zipped = Data([0x1F, 0x8B, 0x08, 0x00, 0x01, 0xFF])
        let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
        let post = HTTPMethodAndPayload.post(payload: Payload(.data(zipped), mediaType: .json))
        await Connector.recording([Sample.input("https://a/", post, headers: headers)], to: file) { _ in
            .hasResponse(Response(statusCode: .ok, headers: headers, payload: zipped))
        }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.input.methodAndPayload.body == Data(Redaction.placeholder.utf8))
        #expect(exchange.response.payload == Data(Redaction.placeholder.utf8))
    }

    /// Compressed bytes that this kit can't decode, with their content codings.
    private static let coded: [(coding: String, bytes: [UInt8])] = [
        ("br", [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]), ("deflate", [0x78, 0x9C, 0xCB, 0x48]),
        ("deflate", [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]), ("compress", [0x1F, 0x9D, 0x90, 0x68]),
        ("x-own", [0x68, 0x65, 0x03]),
    ]

    @Test("a text that is still compressed is not kept, whatever its coding", arguments: coded)
    func stillCompressed(coding: String, bytes: [UInt8]) async throws {
        for type in ["application/json", "text/plain; charset=iso-8859-1"] {
            await Connector.recording([Sample.user], to: file) { _ in
                let headers: HTTPHeaders = ["Content-Encoding": coding, "Content-Type": type]
                return .hasResponse(Response(statusCode: .ok, headers: headers, payload: Data(bytes)))
            }
            let payload = try Cassette(at: file.url).exchanges.first?.response.payload
            #expect(payload == Data(Redaction.placeholder.utf8), "\(type)")
        }
    }

    @Test("a text that was decompressed is kept", arguments: ["br", "deflate", "gzip"])
    func decompressedText(coding: String) async throws {
        let text = Data("{\"name\": \"名\"}\n".utf8)
        await Connector.recording([Sample.user], to: file) { _ in
            let headers: HTTPHeaders = ["Content-Encoding": coding, "Content-Type": "application/json"]
            return .hasResponse(Response(statusCode: .ok, headers: headers, payload: text))
        }
        #expect(try Cassette(at: file.url).exchanges.first?.response.payload == text)
    }

    @Test("a payload that was decompressed is kept, although its Content-Encoding remains")
    func decompressed() async throws {
        let bytes = Data([0x89, 0xFF])
        await Connector.recording([Sample.user], to: file) { _ in
            let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Type": "image/png"]
            return .hasResponse(Response(statusCode: .ok, headers: headers, payload: bytes))
        }
        #expect(try Cassette(at: file.url).exchanges.first?.response.payload == bytes)
    }

    @Test("a header's media type takes precedence over the payload's")
    func header() async throws {
        let payload = Payload(.data(Data("a=b&password=short".utf8)), mediaType: nil)
        let headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        await Connector.recording([Sample.input("https://a/", .post(payload: payload), headers: headers)], to: file)
        #expect(!file.text.contains("short"))
    }
}
