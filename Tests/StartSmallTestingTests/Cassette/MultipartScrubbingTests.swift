import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

/// Forms whose parts are named in other ways than this kit's own forms name them.
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

    @Test("a part is told by its name, however that is written", arguments: heads)
    func names(head: String) async throws {
        await Connector.recording([input(head, "hunter2-part")], to: file) { _ in .text("hunter2-part") }
        #expect(!file.text.contains("hunter2"))
        let body = try #require(try Cassette(at: file.url).exchanges.first?.input.methodAndPayload.body)
        #expect(String(decoding: body, as: UTF8.self) == "--b\r\n\(head)\r\n\r\n<redacted>\r\n--b--\r\n")
    }

    @Test("a part that is JSON or a form loses what is secret in it")
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
        "a boundary is read as a parameter",
        arguments: ["BOUNDARY = b", "boundary=\"b\"", "xboundary=c; boundary=b"]
    )
    func boundaries(type: String) async {
        await Connector.recording([input(Self.heads[0], "hunter2-part", type: type)], to: file)
        #expect(!file.text.contains("hunter2"))
    }

    @Test(
        "a form is told by its type, whatever is around that",
        arguments: [" multipart/form-data; boundary=b", "\tMultipart/Form-Data;\u{301}boundary=c;boundary=b"]
    )
    func types(type: String) async {
        var input = input(Self.heads[0], "hunter2-part")
        input.headers["Content-Type"] = type
        await Connector.recording([input], to: file) { _ in .text("hunter2-part") }
        #expect(!file.text.contains("hunter2"))
    }

    @Test("what differs in a secret part is not told")
    func differing() {
        let inputs = ["hunter2-left", "hunter2-right"].map { input(Self.heads[0], $0) }
        let text = difference(between: inputs[0], and: inputs[1])
        #expect(text == "payload: another, as far as it is hidden")
    }

    @Test("a part that is no secret stays as it is")
    func kept() async {
        let head = #"Content-Disposition: form-data; name="title"; filename="password""#
        await Connector.recording([input(head, "Start small")], to: file)
        #expect(file.text.contains("Start small"))
    }

    @Test(
        "a form in which nothing is hidden stays as it is, however it is malformed",
        arguments: [
            "--b\r\n\r\n--b--", "--b\r\n\r\n\r\n--b--", "--b", "--b--b\r\n\r\n", "\r\n--b\r\nA\r\n\r\nx--b--\r\n\r\n",
        ]
    )
    func malformed(text: String) throws {
        let form = try #require(MultipartScrubbing(Data(text.utf8), "multipart/form-data; boundary=b"))
        #expect(form.scrubbed(by: .standard) == Data(text.utf8))
    }
}
