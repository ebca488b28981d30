import Foundation
import StartSmall
import StartSmallJSON
import Testing

/// The texts of errors of `JSONDecoder.fast`, which has the position of an error.
struct JSONSyntaxErrorTests {
    private struct Thing: Decodable {
        let count: Int
        let key: String?
    }

    private func text(_ json: Data) -> String? {
        let failure = Response(statusCode: .ok, payload: json).json(Thing.self, decoder: .fast).left
        guard case .malformedData(_, let text)? = failure else { return nil }
        return text
    }

    @Test(
        "an error names the byte from which on the payload is no JSON",
        arguments: [
            ("{", "the payload is incomplete JSON: it ends after 1 bytes"),
            ("", "the payload is incomplete JSON: it ends after 0 bytes"),
            (#"{"count":1,]"#, "the payload is invalid JSON at byte 11"),
            ("<html>", "the payload is invalid JSON at byte 0"),
        ]
    )
    func position(_ json: String, _ expected: String) {
        #expect(text(Data(json.utf8)) == expected)
    }

    @Test("bytes that are not UTF-8 have their place, and an incomplete character at the end is the end")
    func notUTF8() {
        let start = Array(#"{"count":1,"key":"é"#.utf8)
        #expect(text(Data(start + [0xE9, 0x22, 0x7D])) == "the payload is not UTF-8 at byte 20")
        #expect(text(Data(start + [0xC0, 0x80])) == "the payload is not UTF-8 at byte 20")
        #expect(text(Data(start + [0xFF])) == "the payload is not UTF-8 at byte 20")
        #expect(text(Data([0x5B, 0x7D, 0xFF])) == "the payload is invalid JSON at byte 1")
        for cut in 1..<3 {
            let data = Data(start + Array("€".utf8).prefix(cut))
            #expect(text(data) == "the payload is incomplete JSON: it ends after \(data.count) bytes")
        }
        #expect(text(Data("x".utf8 + start)[1...].dropLast(1))?.hasSuffix("it ends after 19 bytes") == true)
    }
}
