import Foundation
import Testing

@testable import StartSmallSupport

struct JSONStringTests {
    @Test(
        "a string has the meaning that a decoder gives it",
        arguments: ["", "a", "é", #"\""#, #"\\\/\b\f\n\r\t"#, #"\u0041\u00e9"#, #"\ud83d\ude00!"#, "\u{FEFF}a"]
    )
    func meaning(_ written: String) throws {
        let decoded = try JSONDecoder().decode(String.self, from: Data("\"\(written)\"".utf8))
        #expect(read(written).map(Array.init) == Array(decoded.utf8))
    }

    @Test(
        "a string with an invalid escape is rejected",
        arguments: [#"\"#, #"\q"#, #"\u12"#, #"\u12g4"#, #"\ud83d"#, #"\ud83d\u0041"#]
    )
    func none(_ written: String) {
        #expect(read(written) == nil)
    }

    @Test("an escape that is cut off is left out, wherever the cut is")
    func cut() {
        let written = Array(#"a\n\ud83d\ude00"#.utf8)
        let texts = written.indices.map { JSONString.meaning(of: written[..<$0], isCut: true) }
        #expect(texts == (["", "a", "a"] + Array(repeating: "a\n", count: 12)).map { Array($0.utf8)[...] })
        #expect(JSONString.meaning(of: Array(#"\q"#.utf8)[...], isCut: true) == nil)
    }

    @Test("a decoder reads a written text", arguments: ["", "a/b", "\"\\\n\r\t\u{8}\u{C}\0\u{1F}", "é👩‍🚀"])
    func written(_ text: String) throws {
        var written: [UInt8] = []
        JSONString.write(Array(text.utf8)[...], to: &written)
        #expect(try JSONDecoder().decode(String.self, from: Data(written)).utf8.elementsEqual(text.utf8))
        #expect(!text.contains("/") || written.count { $0 == UInt8(ascii: "\\") } == 0)
    }

    private func read(_ written: String) -> ArraySlice<UInt8>? {
        JSONString.meaning(of: Array(written.utf8)[...], isCut: false)
    }
}
