import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct JSONPiecesTests {
    private static let long = String(repeating: "long ", count: 20)

    @Test("JSON on one line is split after the commas of its upper levels")
    func cut() {
        let text =
            #"{"items":[{"id":1,"tags":["a","b"],"name":"x, \", \\"},"#
            + #"{"id":2,"at":{"deep":[1,2,3]}}],"text":"\#(Self.long)"}"#
        let pieces = [
            #"{"items":[{"id":1,"#, #""tags":["a","b"],"#, #""name":"x, \", \\"},"#, #"{"id":2,"#,
            #""at":{"deep":[1,2,3]}}],"#, #""text":"\#(Self.long)"}"#,
        ]
        #expect(JSONPieces.pieces(of: text) == pieces)
        #expect(JSONPieces.pieces(of: text + "\n") == pieces.dropLast() + [#""text":"\#(Self.long)"}"# + "\n"])
    }

    @Test(
        "a text that is short, has line breaks or is no JSON is not split",
        arguments: [
            "", "{}", #"{"a":1,"b":2}"#, "{\n\"a\": \"\(long)\",\n\"b\": 1}", "1,\(long)", "\"\(long),\"",
            "[\"\(long),\"]",
        ]
    )
    func uncut(text: String) {
        #expect(JSONPieces.pieces(of: text) == nil)
    }

    @Test(
        "every recorded payload is replayed byte by byte",
        arguments: [
            "[1,\"\(long)\"]", "[1,2,\"\(long)", "{\"\(long)\":1,\u{301}2}\n", "]]]],,,,[\(long)",
            "[,,\(long)あ,🇯🇵,🇯🇵\r\n",
        ]
    )
    func same(text: String) throws {
        for encoding in [String.Encoding.utf8, .utf16BigEndian] {
            let type = "application/json; charset=\(Charset.name(encoding) ?? "")"
            let payload = try #require(text.data(using: encoding))
            let response = Response(statusCode: .ok, headers: ["Content-Type": type], payload: payload)
            let cassette = Cassette([Exchange(input: Sample.user, response: response, recorded: Sample.noon)])
            let data = cassette.data()
            #expect(try Cassette(reading: data) == cassette)
            let isCut = JSONPieces.pieces(of: text) != nil
            #expect(String(decoding: data, as: UTF8.self).contains("\"json\" : [") == isCut)
        }
    }
}
