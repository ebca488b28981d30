@testable import StartSmall
import Testing

struct RFC9110Tests {
    @Test("a token is letters, digits and these marks, and never empty")
    func tokens() {
        let marks = Set("!#$%&'*+-.^_`|~".unicodeScalars)
        for code in UInt8.min...UInt8.max {
            let scalar = UnicodeScalar(code)
            let isLetterOrDigit = "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
            #expect(RFC9110.isToken("x\(scalar)") == (isLetterOrDigit || marks.contains(scalar)))
        }
        #expect(!RFC9110.isToken(""))
        #expect(!RFC9110.isToken("e\u{301}"))
    }

    @Test("a value holds no control character but the tab")
    func values() {
        for code in UInt8.min...UInt8.max {
            let isControl = (code < 0x20 && code != 0x09) || code == 0x7F
            #expect(RFC9110.isFieldValue("x\(UnicodeScalar(code))") == !isControl)
        }
        #expect(RFC9110.isFieldValue(""))
    }

    @Test("an objection to a name tells no credential that is glued to it")
    func gluedCredential() {
        let rejectionReason = RFC9110.rejectionReason(to: .init(name: "Authorization: Bearer hunter2", value: ""))
        #expect(rejectionReason?.contains("hunter2") == false)
    }
}
