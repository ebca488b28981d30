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

    @Test func refusesEveryByteThatIsNoneOfATokenInANameAndAMethod() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") && byte != UInt8(ascii: " ") {
            let isLegal = HTTPToken.isToken([byte])
            #expect(((try? HTTP1Lines.field([byte, 0x3A, 0x61])) != nil) == isLegal)
            #expect(((try? HTTP1Lines.request([byte] + Array(" / HTTP/1.1".utf8))) != nil) == isLegal)
        }
    }

    @Test func refusesEveryByteThatIsNoneOfAValue() {
        for byte in UInt8.min...UInt8.max {
            let isLegal = HTTPToken.isFieldValue([byte])
            #expect(((try? HTTP1Lines.field([0x41, 0x3A, 0x61, byte, 0x61])) != nil) == isLegal)
        }
    }
}
