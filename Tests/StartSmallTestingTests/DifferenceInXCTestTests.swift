import Foundation
import StartSmall
import StartSmallTesting
import XCTest

/// ``difference(between:and:redacting:)`` in XCTest.
final class DifferenceInXCTestTests: XCTestCase {
    func testTheSameRequestsHaveNoDifference() async throws {
        let expected = Sample.input("https://a/?x=1&y=2", headers: ["Accept": "*/*"])
        let sent = Recorder<Input>()
        let connector = Connector.stub(.status(.ok), recording: sent)
        let asked = Sample.input("https://a/?y=2&x=1", headers: ["Accept": "*/*"])
        _ = await WebAPI.call(with: asked, via: connector)
        XCTAssertNil(difference(between: expected, and: try XCTUnwrap(sent.elements.first)))
    }

    func testADifferenceIsToldInWords() {
        let text = difference(between: Sample.input("https://a/b"), and: Sample.input("https://a/c"))
        XCTAssertEqual(text, "path: /b → /c")
    }
}
