import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

/// Forms whose parts are named in other ways than in this kit's own forms.
@Suite struct MultipartScrubbingTests {
    private let file = TestFile()

    private static let heads = [
        #"Content-Disposition: form-data; name="password""#,
        #"Content-Disposition: form-data; filename="x"; name="password""#,
        #"Content-Disposition: form-data; Name="password""#,
        "Content-Disposition: form-data; name=password",
        "content-disposition:form-data;name=\"password\"",
        "Content-Type: text/plain; name=\"a\"\r\nContent-Disposition: form-data; name=\"password\"",
        "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"password\"",
        #"Content-Disposition: form-data; name="a"; name="password""#,
        "Content-Disposition: form-data;\r\n name=\"password\"",
        "Content-Disposition: form-data; name*=UTF-8''pass%77ord",
    ]

    private func input(_ head: String, _ content: String, type: String = "boundary=b;charset=utf-8") -> Input {
        let text = "--b\r\n\(head)\r\n\r\n\(content)\r\n--b--\r\n"
        let mediaType = MediaType(rawValue: "multipart/form-data; \(type)")
        return Sample.input("https://a/", .post(payload: Payload(.data(Data(text.utf8)), mediaType: mediaType)))
    }

    @Test("a secret part is recognized by its name, in every notation", arguments: heads)
    func names(head: String) async throws {
        await Connector.recording([input(head, "hunter2-part")], to: file) { _ in .text("hunter2-part") }
        #expect(!file.text.contains("hunter2"))
        let body = try #require(try Cassette(at: file.url).exchanges.first?.input.methodAndPayload.body)
        #expect(String(decoding: body, as: UTF8.self) == "--b\r\n\(head)\r\n\r\n<redacted-1>\r\n--b--\r\n")
    }

    @Test("secrets in a part that is JSON or a form are removed")
    func contents() async throws {
        let json = "Content-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json"
        let form = "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: application/x-www-form-urlencoded"
        let inputs = [input(json, #"{"password": "hunter2-json"}"#), input(form, "password=hunter2-form")]
        await Connector.recording(inputs, to: file) { _ in .text("hunter2-json hunter2-form") }
        #expect(!file.text.contains("hunter2"))
        let bodies = try Cassette(at: file.url).exchanges.compactMap(\.input.methodAndPayload.body)
        #expect(bodies.count == 2 && bodies.allSatisfy { $0.suffix(9) == Data("\r\n--b--\r\n".utf8) })
    }

    @Test(
        "a boundary is parsed as a media type's parameter",
        arguments: ["BOUNDARY = b", "boundary=\"b\"", "xboundary=c; boundary=b"]
    )
    func boundaries(type: String) async {
        await Connector.recording([input(Self.heads[0], "hunter2-part", type: type)], to: file)
        #expect(!file.text.contains("hunter2"))
    }

    @Test(
        "a form is recognized by its media type, whatever surrounds it",
        arguments: [" multipart/form-data; boundary=b", "\tMultipart/Form-Data;\u{301}boundary=c;boundary=b"]
    )
    func types(type: String) async {
        var input = input(Self.heads[0], "hunter2-part")
        input.headers["Content-Type"] = type
        await Connector.recording([input], to: file) { _ in .text("hunter2-part") }
        #expect(!file.text.contains("hunter2"))
    }

    @Test("a difference in a secret part is not shown")
    func differing() {
        let inputs = ["hunter2-left", "hunter2-right"].map { input(Self.heads[0], $0) }
        let text = difference(between: inputs[0], and: inputs[1])
        #expect(text == "payload: different in a hidden part")
    }

    @Test(
        "secrets in a part's header fields, in a request in a part and in a Base64 part are removed",
        arguments: [
            "Content-Disposition: form-data; name=\"a\"\r\nX-Api-Key: hunter2-part\r\n\r\nb",
            "Content-Disposition: form-data; name=\"a\"; token=\"hunter2-part\"\r\n\r\nb",
            "Content-Disposition: form-data; name=\"a\"\r\nX-Note: see\r\n https://h/?token=hunter2-part\r\n\r\nb",
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: application/http\r\n\r\n"
                + "GET /?token=hunter2-part HTTP/1.1\r\nHost: a\r\n\r\n",
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: application/http\r\n\r\n"
                + "POST / HTTP/1.1\r\nAuthorization: Bearer hunter2-part\r\nContent-Type: application/json\r\n\r\n{}",
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: application/http\r\n\r\n"
                + "POST / HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"password\":\"hunter2-part\"}",
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Data(#"{"password":"hunter2-part"}"#.utf8).base64EncodedString(),
            "Content-Disposition: form-data; name=\"password\"\r\nContent-Transfer-Encoding: BASE64\r\n\r\n"
                + Data("hunter2-part".utf8).base64EncodedString(),
        ],
        ["multipart/form-data", "multipart/mixed"]
    )
    func parts(part: String, type: String) async throws {
        let payload = Data("--b\r\n\(part)\r\n--b--\r\n".utf8)
        let post = HTTPMethodAndPayload.post(
            payload: Payload(.data(payload), mediaType: MediaType(rawValue: "\(type); boundary=b"))
        )
        await Connector.recording([Sample.input("https://a/", post)], to: file) { _ in .text("bad token hunter2-part") }
        let text = file.text
        #expect(!text.contains("hunter2") && text.withoutNumbers.contains("bad token <redacted>"), "\(text)")
        for secret in ["hunter2-part", #"{"password":"hunter2-part"}"#] {
            #expect(!text.contains(Data(secret.utf8).base64EncodedString()), "\(text)")
        }
        let recorded = try Cassette(at: file.url).exchanges.first?.input.methodAndPayload.body
        #expect(recorded?.starts(with: Data("--b\r\nContent-Disposition".utf8)) == true)
        let input = Sample.input("https://a/", post)
        #expect(!input.curlCommand().contains("hunter2"))
        let shown = Redaction.standard.shown(
            payload: payload,
            mediaType: MediaType(rawValue: "\(type); boundary=b"),
            limit: 4_096
        )
        #expect(!shown.contains("hunter2") && shown.contains("Content-Disposition"))
    }

    @Test("no fragment of a form's secret is shown, wherever a log cuts the form")
    func cut() {
        let text = Self.part + Self.part + "--b--\r\n"
        for limit in 0...text.utf8.count {
            let shown = Redaction.standard.shown(
                payload: Data(text.utf8),
                mediaType: "multipart/form-data; boundary=b",
                limit: limit
            )
            #expect(!shown.contains("hun"), "\(limit): \(shown)")
        }
    }

    @Test("deeply nested forms do not crash the redaction")
    func nested() {
        let text = (0..<2_000).map { "--b\($0)\r\nContent-Type: multipart/mixed; boundary=b\($0 + 1)\r\n\r\n" }.joined()
        let payload = Data(text.utf8)
        #expect(!Redaction.standard.hiding(payload: payload, mediaType: "multipart/mixed; boundary=b0").isEmpty)
    }

    @Test("a part that is no secret is unchanged")
    func kept() async {
        let head = #"Content-Disposition: form-data; name="title"; filename="password""#
        await Connector.recording([input(head, "Start small")], to: file)
        #expect(file.text.contains("Start small"))
    }

    @Test(
        "a form that does not fit its boundary is hidden as a whole, unless the redaction hides nothing",
        arguments: [
            "--b\r\n\r\n--b--", "--b\r\n\r\n\r\n--b--", "--b", "--b--b\r\n\r\n", "\r\n--b\r\nA\r\n\r\nx--b--\r\n\r\n",
            // Forms without an end, with another boundary, or with a lone LF or CR in one part or in all.
            part, "\(part.replacingOccurrences(of: "--b", with: "--c"))--c--\r\n",
            "\(part.replacingOccurrences(of: "\r\n", with: "\n"))--b--\n",
            "\(part)\(part.replacingOccurrences(of: "\r\n", with: "\n"))--b--\r\n",
            "\(part)--b\r\nContent-Disposition: form-data; name=\"password\"\n\nhunter2\r\n\r\n--b--\r\n",
            "\(part)--b\r\nContent-Disposition: form-data; name=\"password\"\r\rhunter2\r\n\r\n--b--\r\n",
            "\(part)--b\r\nContent-Type: text/plain\r\n\r\nhunter2\r\n--b--\r\n",
            "hunter2\r\n\(part)--b--\r\n", "\(part)--b--\r\nhunter2", "\(part)--bb--\r\n", "password=hunter2",
        ]
    )
    func malformed(text: String) throws {
        let type: MediaType = "multipart/form-data; boundary=b"
        #expect(
            Redaction.standard.hiding(payload: Data(text.utf8), mediaType: type) == Data(Redaction.placeholder.utf8)
        )
        #expect(Redaction.none.hiding(payload: Data(text.utf8), mediaType: type) == Data(text.utf8))
    }

    /// A part without the end of the form.
    private static let part = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2-part\r\n"

    @Test(
        "a form without a boundary has no parts and is hidden as a whole",
        arguments: ["multipart/form-data", "multipart/form-data; boundary=\"\""]
    )
    func withoutBoundary(type: String) throws {
        let text = Self.part + "--b--\r\n"
        let hidden = Redaction.standard.hiding(payload: Data(text.utf8), mediaType: MediaType(rawValue: type))
        #expect(hidden == Data(Redaction.placeholder.utf8))
        #expect(MultipartRedaction(Data(text.dropFirst(3).utf8), "text/plain") == nil)
    }

    @Test(
        "the boundary of a kit's form is replaced in the payload and in its header",
        arguments: ["multipart/form-data; boundary=own", "Multipart/Form-Data; charset=utf-8; boundary=\"own\""]
    )
    func ownHeader(type: String) async throws {
        func input(_ password: String) -> Input {
            let form = MultipartForm([.text("title", "Start small"), .text("password", password)], boundary: "own")
            let payload = Payload(.multipart(form), mediaType: form.mediaType)
            return Sample.input("https://a/", .post(payload: payload), headers: ["content-type": type])
        }
        await Connector.recording([input("hunter2-part")], to: file) { _ in .text("you said hunter2-part") }
        #expect(!file.text.contains("hunter2") && !file.text.contains("own"))
        let recorded = try #require(try Cassette(at: file.url).exchanges.first).input
        let body = String(decoding: recorded.methodAndPayload.body ?? Data(), as: UTF8.self)
        #expect(body.contains("Start small") && body.hasSuffix("<redacted-1>\r\n--StartSmallCassette--\r\n"))
        #expect(recorded.headers.contentType?.parameter("boundary") == "StartSmallCassette")
        let text = difference(between: input("hunter2-left"), and: input("hunter2-right"))
        #expect(text == "payload: different in a hidden part")
    }

    @Test("a form whose header has another boundary is hidden as a whole, and its differences are not shown")
    func anotherHeader() async {
        func input(_ password: String) -> Input {
            let payload = Either.multipart([.text("title", "Start small"), .text("password", password)]).right
            let headers: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=another"]
            return Sample.input("https://a/", .post(payload: payload), headers: headers)
        }
        await Connector.recording([input("hunter2-part")], to: file)
        #expect(!file.text.contains("hunter2"))
        let text = difference(between: input("hunter2-left"), and: input("hunter2-right"))
        #expect(text == "payload: different in a hidden part")
    }
}
