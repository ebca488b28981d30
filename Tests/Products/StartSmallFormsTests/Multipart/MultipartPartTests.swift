import Foundation
import TestSupport
@testable import StartSmallCore
@testable import StartSmallForms
import Testing

private func head(_ part: MultipartForm.Part) throws -> String {
    String(decoding: part.head.dropLast(4), as: UTF8.self)
}

struct MultipartPartTests {
    @Test(
        "names are escaped as in browsers; line ends become CR LF, and stay unchanged in a file name",
        arguments: [
            ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"), ("\n\r", "%0D%0A%0D%0A", "%0A%0D"),
            ("\r\r\n\n", "%0D%0A%0D%0A%0D%0A", "%0D%0D%0A%0A"), ("\n\u{301}\"", "%0D%0A\u{301}%22", "%0A\u{301}%22"),
            ("a\"b", "a%22b", nil), ("a\r\nb", "a%0D%0Ab", nil), ("é日本👩‍🚀", "é日本👩‍🚀", nil), ("a\\b", "a\\b", nil),
            ("", "", nil), ("a;b=c", "a;b=c", nil), ("a%22", "a%22", nil), ("\"\u{301}", "%22\u{301}", nil),
        ] as [(String, String, String?)]
    )
    func names(_ name: String, _ ofField: String, _ ofFile: String?) throws {
        let part = MultipartForm.Part.data(name, Data(), fileName: name, mediaType: nil)
        let expected = "Content-Disposition: form-data; name=\"\(ofField)\"; filename=\"\(ofFile ?? ofField)\""
        #expect(Array(try head(part).utf8) == Array(expected.utf8))
    }

    @Test("further headers come last, and their Content-Type takes precedence")
    func headers() throws {
        let part = MultipartForm.Part(
            name: "a",
            content: .data(Data()),
            mediaType: .json,
            headers: ["X": "1", "content-type": "text/csv"]
        )
        #expect(try head(part) == "Content-Disposition: form-data; name=\"a\"\r\nX: 1\r\ncontent-type: text/csv")
    }

    @Test("no control character gets into the head of a part")
    func controls() {
        for code in UInt8.min...UInt8.max where code < 0x20 || code == 0x7F {
            let text = "x\(UnicodeScalar(code))"
            let content = MultipartForm.Part.Content.data(Data())
            for part in [
                MultipartForm.Part(name: "a", content: content, mediaType: MediaType(rawValue: text)),
                MultipartForm.Part(name: "a", content: content, headers: ["X": text]),
                MultipartForm.Part(name: "a", content: content, headers: [text: "x"]),
                MultipartForm.Part(name: text, content: content),
                MultipartForm.Part(name: "a", content: content, fileName: text),
            ] {
                let isHarmless = code == 0x09 && part.headers[text] == nil
                let isEscaped = [0x0A, 0x0D].contains(code) && (part.name == text || part.fileName == text)
                #expect((Either.multipart([part]).right != nil) == (isHarmless || isEscaped))
            }
        }
    }

    @Test("a part with its own Content-Disposition header is a malformed payload")
    func disposition() {
        let part = MultipartForm.Part(name: "a", content: .data(Data()), headers: ["content-disposition": "x"])
        #expect(Either.multipart([part]).left?.name == "malformedPayload")
    }

    @Test("a form in a part of a form is a malformed payload, in memory and as a stream")
    func nested() {
        let part = MultipartForm.Part(name: "a", content: .multipart([.text("b", "c")]))
        let error = ConnectionError.malformedPayload(debugInfo: "a form in a part of a form")
        #expect(Either.multipart([part]).left == error)
        #expect(throws: error) { try MultipartForm([part]).bytes() }
        let stream = MultipartForm.Part.stream("s", PayloadStream { _ in Issue.record("begun") })
        #expect(throws: error) { try Payload.Content.multipart([part, stream]).stream() }
    }
}
