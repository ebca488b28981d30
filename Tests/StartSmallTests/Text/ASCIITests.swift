@testable import StartSmall
import Testing

struct ASCIITests {
    @Test("white space is what Unicode says")
    func whitespace() {
        let scalars = (0...0x10FFFF).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
        #expect(scalars.allSatisfy { $0.isWhitespace == $0.properties.isWhitespace })
    }

    @Test("a name in small letters is the same as Swift makes it", arguments: ["", "ab-1", "aB", "\u{212A}", "É", "é"])
    func smallLetters(_ name: String) {
        #expect(Array(name.inSmallLetters.utf8) == Array(name.lowercased().utf8))
    }
}
