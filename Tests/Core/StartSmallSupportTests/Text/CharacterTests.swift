import Foundation
import TestSupport
import Testing

@testable import StartSmallCore
@testable import StartSmallSupport

struct CharacterTests {
    @Test("white space is every scalar that Unicode defines as white space")
    func whitespace() {
        let scalars = (0...(isExhaustive ? 0x10FFFF : 0x3000)).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
        #expect(scalars.allSatisfy { $0.isWhitespace == $0.properties.isWhitespace })
    }

    @Test("a name in lower case is the same as by lowercased()", arguments: ["", "ab-1", "aB", "\u{212A}", "É", "é"])
    func smallLetters(_ name: String) {
        #expect(Array(name.inSmallLetters.utf8) == Array(name.lowercased().utf8))
    }

    @Test(
        "a token consists of letters, digits and some marks, and a field value has no control character but the tab",
        arguments: UInt8.min...UInt8.max
    )
    func tokens(_ code: UInt8) {
        let scalar = UnicodeScalar(code)
        let isLetterOrDigit = "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
        #expect(
            HTTPToken.isToken("x\(scalar)") == (isLetterOrDigit || "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar))
        )
        #expect(HTTPToken.isFieldValue("x\(scalar)") == (code >= 0x20 && code != 0x7F || code == 0x09))
        #expect(!HTTPToken.isToken("") && HTTPToken.isFieldValue(""))
    }

    @Test("the rejection reason of a name contains no credential attached to the name")
    func gluedCredential() {
        let rejectionReason = HTTPHeaders.Field(name: "Authorization: Bearer hunter2", value: "").rejectionReason
        #expect(rejectionReason?.contains("hunter2") == false)
    }

    @Test("an error of the system is its text, also within an error of Foundation, and any other is its description")
    func errors() {
        struct Own: Error, CustomStringConvertible { let description = "an own text" }
        #expect(SystemErrorText.text(of: POSIXError(.EACCES)) == "Permission denied")
        let error = #expect(throws: (any Error).self) { try Data(contentsOf: URL(filePath: "/nowhere/at all")) }
        #expect(error.map(SystemErrorText.text) == "No such file or directory")
        let text = SystemErrorText.text(of: CocoaError(.fileReadCorruptFile))
        #expect(!text.isEmpty && !text.contains("Domain="))
        #expect(SystemErrorText.text(of: Own()) == "an own text")
    }
}
