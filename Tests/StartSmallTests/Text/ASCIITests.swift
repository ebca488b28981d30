@testable import StartSmall
import ParityTrait
import Testing

struct ASCIITests {
    @Test("white space is every scalar that Unicode defines as white space")
    func whitespace() {
        let scalars = (0...(isExhaustive ? 0x10FFFF : 0x3000)).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
        #expect(scalars.allSatisfy { $0.isWhitespace == $0.properties.isWhitespace })
    }

    @Test("a name in lower case is the same as by lowercased()", arguments: ["", "ab-1", "aB", "\u{212A}", "É", "é"])
    func smallLetters(_ name: String) {
        #expect(Array(name.inSmallLetters.utf8) == Array(name.lowercased().utf8))
    }
}
