import Foundation
import TestSupport
import Testing

@testable import StartSmallJSON

struct JSONTapeTests {
    private func offset(_ text: String) -> Int? {
        JSONTape.offsetOfError(in: Data(text.utf8))
    }

    @Test(
        "the offset of an error is the first unexpected byte, or the end",
        arguments: [
            ("", 0), (" ", 1), ("{", 1), ("[1,", 3), ("[1,]", 3), ("[1 2]", 3), (#"{"a":1,}"#, 7), (#"{"a" 1}"#, 5),
            ("{1:2}", 1), (#"{"a":}"#, 5), ("{]", 1), ("[}", 1), ("]", 0), ("{} x", 3), ("<html>", 0), ("01", 1),
            ("-", 1), ("1.", 2), ("1e", 2), ("1e+", 3), (".5", 0), ("+1", 0), ("tru", 3), ("truE", 3), ("nil", 1),
            (#""a"#, 2), ("\"a\n\"", 2), (#""\x""#, 2), (#""\u12g4""#, 5), (#""\u12"#, 5), (#"{"a":1 "b":2}"#, 7),
            ("'a'", 0), ("[1,\n x]", 5), ("\u{0}", 0), ("é", 0), ("[NaN]", 1), ("// a", 0), (#"{"a":1}}"#, 7),
        ]
    )
    func broken(_ text: String, _ expected: Int) {
        #expect(offset(text) == expected)
    }

    @Test(
        "the offset of an error is the first byte of invalid UTF-8, at any position",
        arguments: [
            ([0xFF], 0), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x31, 0xFF], 1),
            ([0x22, 0xC3], 1),
            ([0x5B, 0x31, 0x5D, 0x20, 0x80], 4), ([0xEF, 0xBB, 0xBF, 0x31, 0x80], 4), ([0x22, 0xEF, 0xBF, 0x22], 1),
        ] as [([UInt8], Int)]
    )
    func notUTF8(_ bytes: [UInt8], _ expected: Int) {
        #expect(JSONTape.offsetOfError(in: Data(bytes)) == expected)
    }

    @Test(
        "values are equal to those of JSONDecoder",
        arguments: [
            "null", "true", "false", "0", "-0", "-0.0", "30.0", "1e2", "1.5", "-1E-3", "9223372036854775807",
            "-9223372036854775808", "9223372036854775808", "9007199254740991.0", "0.1e1", "1e308", "1e-400", "0e400",
            "[]", "{}",
            "\"\"", #""é\u00e9\ud83d\uDE00\"\\\/\b\f\n\r\t\u0000""#, #"[1,[2,{"a":[]}],"b"]"#, #"{"":{"a":1,"b":{}}}"#,
            #"{"a":1,"a":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}", "\u{FEFF}[1]", " 1 ", "\"\u{FFFE}\u{10FFFF}\"",
        ]
    )
    func values(_ text: String) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(try JSONValue(json: Data(text.utf8)) == value)
    }

    @Test(
        "a text may also be in UTF-16 or UTF-32",
        arguments: [.utf16LittleEndian, .utf32BigEndian] as [String.Encoding]
    )
    func wide(_ encoding: String.Encoding) throws {
        let text = try #require(#"{"a":"é"}"#.data(using: encoding))
        #expect(try JSONValue(json: text) == JSONDecoder().decode(JSONValue.self, from: text))
    }

    @Test("a lone surrogate is valid JSON, but its value can't be decoded")
    func notHeld() throws {
        for text in [#"[{"a":"\ud83d"}]"#, #"["\udc00"]"#, #"[{"\ud83dx":1}]"#] {
            #expect(offset(text) == nil)
            #expect(throws: DecodingError.self) { try JSONValue(json: Data(text.utf8)) }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
        }
    }

    @Test("Foundation and JSONTape agree on all texts of up to three significant marks")
    func agreement() {
        for text in Hostile.texts(of: [
            "{", "}", "[", "]", ",", ":", "\"", "1", "0", "-", "true", "\"a\"", " ", ".", "e",
        ]) {
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect((value != nil) == (offset(text) == nil), "\(text)")
            #expect((try? JSONValue(json: Data(text.utf8))) == value, "\(text)")
        }
    }
}
