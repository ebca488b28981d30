import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct HTTP1LinesTests {
    @Test func readsAValueAsUTF8() throws {
        let field = try HTTP1Lines.field(Array("A: é".utf8)[...])
        #expect(field == HTTPHeaders.Field(name: "A", value: "é"))
    }

    @Test func readsAValueThatIsNotUTF8AsLatin1() throws {
        let field = try HTTP1Lines.field([0x41, 0x3A, 0xE9])
        #expect(field == HTTPHeaders.Field(name: "A", value: "é"))
    }

    @Test func keepsTheColonsOfAValue() throws {
        let field = try HTTP1Lines.field(Array("Host: a:80".utf8)[...])
        #expect(field.value == "a:80")
    }

    @Test func knowsTheCharactersOfATokenAmongAllBytes() {
        let token = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        #expect((UInt8.min ... .max).filter { HTTP1Lines.isToken([$0]) } == token.utf8.sorted())
    }

    @Test func anEmptyTextIsNoToken() {
        #expect(!HTTP1Lines.isToken([]))
    }
}
