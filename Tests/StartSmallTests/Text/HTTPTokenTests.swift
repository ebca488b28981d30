@testable import StartSmall
import Testing

struct HTTPTokenTests {
    @Test("a token consists of letters, digits and these marks, and is never empty")
    func tokens() {
        let marks = Set("!#$%&'*+-.^_`|~".unicodeScalars)
        for code in UInt8.min...UInt8.max {
            let scalar = UnicodeScalar(code)
            let isLetterOrDigit = "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
            #expect(HTTPToken.isToken("x\(scalar)") == (isLetterOrDigit || marks.contains(scalar)))
        }
        #expect(!HTTPToken.isToken(""))
        #expect(!HTTPToken.isToken("e\u{301}"))
    }

    @Test("a field value contains no control character but the tab")
    func values() {
        for code in UInt8.min...UInt8.max {
            let isControl = (code < 0x20 && code != 0x09) || code == 0x7F
            #expect(HTTPToken.isFieldValue("x\(UnicodeScalar(code))") == !isControl)
        }
        #expect(HTTPToken.isFieldValue(""))
    }

    @Test("the rejection reason of a name contains no credential attached to the name")
    func gluedCredential() {
        let rejectionReason = HTTPHeaders.Field(name: "Authorization: Bearer hunter2", value: "").rejectionReason
        #expect(rejectionReason?.contains("hunter2") == false)
    }
}
