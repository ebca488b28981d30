import Foundation
import Testing

@testable import StartSmall

struct SystemErrorTextTests {
    @Test("an error of the system is its text, also within an error of Foundation")
    func system() {
        #expect(SystemErrorText.text(of: POSIXError(.EACCES)) == "Permission denied")
        let missing = URL(filePath: "/nowhere/at all")
        let error = #expect(throws: (any Error).self) { try Data(contentsOf: missing) }
        #expect(error.map(SystemErrorText.text) == "No such file or directory")
    }

    @Test("an error of Foundation without one of the system is its own text")
    func foundation() {
        let text = SystemErrorText.text(of: CocoaError(.fileReadCorruptFile))
        #expect(!text.isEmpty && !text.contains("Domain="))
    }

    @Test("any other error is its description")
    func others() {
        struct Own: Error, CustomStringConvertible { let description = "an own text" }
        #expect(SystemErrorText.text(of: Own()) == "an own text")
    }
}
