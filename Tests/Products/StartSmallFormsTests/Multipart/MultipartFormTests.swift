import Foundation
import StartSmall
import StartSmallForms
import TestSupport
import Testing

private func text(_ form: MultipartForm) throws -> String {
    String(decoding: try form.bytes(), as: UTF8.self)
}

struct MultipartFormTests {
    @Test("texts, data and files are sent byte for byte as RFC 7578 defines", .parity("A13"))
    func bytes() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.json")
            try Data("{}".utf8).write(to: file)
            let form = MultipartForm(
                [
                    .text("title", "Start\nsmall é"), .data("raw", Data([0, 0xFF]), fileName: "r.bin"),
                    .file("file", file),
                ],
                boundary: "XXX"
            )
            let head = """
                --XXX\r
                Content-Disposition: form-data; name="title"\r
                \r
                Start\nsmall é\r
                --XXX\r
                Content-Disposition: form-data; name="raw"; filename="r.bin"\r
                Content-Type: application/octet-stream\r
                \r

                """
            let tail = """
                \r
                --XXX\r
                Content-Disposition: form-data; name="file"; filename="a.json"\r
                Content-Type: application/json\r
                \r
                {}\r
                --XXX--\r

                """
            #expect(try form.bytes() == Data(head.utf8) + [0, 0xFF] + Data(tail.utf8))
        }
    }

    @Test(
        "the media type contains the boundary, in quotes if it is not a token",
        arguments: [
            ("abc'+_-.", "multipart/form-data; boundary=abc'+_-."), ("a:b", "multipart/form-data; boundary=\"a:b\""),
            ("a/b=(?,)", "multipart/form-data; boundary=\"a/b=(?,)\""),
            ("simple boundary", "multipart/form-data; boundary=\"simple boundary\""),
        ]
    )
    func mediaType(_ boundary: String, _ mediaType: String) {
        let form = MultipartForm([], boundary: boundary)
        #expect(form.mediaType.rawValue == mediaType)
        #expect(Set([Payload.Content.multipart(form), .multipart(form)]).count == 1)
        #expect(Either.multipart(form) == .right(Payload(.multipart(form), mediaType: form.mediaType)))
    }

    @Test("every character of a boundary is allowed by RFC 2046, or the boundary is refused")
    func boundaryCharacters() {
        let legal = Set("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=?".utf8)
        for byte in UInt8(0)...127 {
            let form = MultipartForm([], boundary: "a\(UnicodeScalar(byte))")
            #expect((Either.multipart(form).right != nil) == legal.contains(byte))
            #expect((try? form.bytes()) != nil ? legal.contains(byte) : !legal.contains(byte))
        }
    }

    @Test(
        "a boundary has 1 to 70 characters, and a space, but not at its end (RFC 2046 5.1.1)",
        arguments: [
            ("simple boundary", true), (" a", true), ("a  b", true), ("a ", false), (" ", false), ("", false),
            ("a", true), (String(repeating: "a", count: 70), true), (String(repeating: "a", count: 71), false),
        ]
    )
    func boundaries(_ boundary: String, _ isLegal: Bool) {
        let form = MultipartForm([.text("a", "-b")], boundary: boundary)
        #expect((Either.multipart(form).right != nil) == isLegal)
        #expect(((try? form.bytes()) != nil) == isLegal)
        #expect(form.mediaType.parameter("boundary") == boundary)
    }

    @Test("a random boundary is valid, and differs from the next")
    func random() {
        #expect(Either.multipart(MultipartForm([])).right != nil)
        #expect(MultipartForm([]) != MultipartForm([]))
    }

    @Test(
        "a boundary that occurs in a part is refused, at any position",
        arguments: [
            .text("a", "--XXX"), .text("a", "b\r\n--XXXX"), .text("--XXX", "b"),
            .data("a", Data("--XXX".utf8), fileName: "b"),
            MultipartForm.Part(name: "a", content: .data(Data()), headers: ["--XXX": "b"]),
        ]
    )
    func collision(_ part: MultipartForm.Part) {
        #expect(throws: ConnectionError.malformedPayload(debugInfo: "the boundary occurs in a part: XXX")) {
            try MultipartForm([.text("z", "z"), part], boundary: "XXX").bytes()
        }
    }
}
