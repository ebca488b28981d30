import Foundation
@testable import StartSmall
import Testing

struct DelimiterScannerTests {
    private static let delimiter = Data("--XXX".utf8)

    @Test(
        "a delimiter is found at any position, with any split of the bytes",
        arguments: ["--XXX", "a--XXX", "--XXXa", "---XXX", "--XX--XXX", "------XXXX", "\r\n--XXX--\r\n"]
    )
    func found(_ text: String) {
        for size in 1...text.utf8.count { #expect(Self.finds(Data(text.utf8), by: size)) }
    }

    @Test(
        "an incomplete or different delimiter is not found",
        arguments: ["", "-", "--XX", "-XXX", "--XX-XXX", "--xxx", "XXX--"]
    )
    func notFound(_ text: String) {
        for size in 1...max(1, text.utf8.count) { #expect(!Self.finds(Data(text.utf8), by: size)) }
    }

    @Test("a delimiter of one byte is found")
    func short() {
        var scanner = DelimiterScanner(Data([7]))
        #expect([Data([1]), Data([2, 7])].map { scanner.finds(in: $0) } == [false, true])
    }

    private static func finds(_ bytes: Data, by size: Int) -> Bool {
        var scanner = DelimiterScanner(delimiter)
        var isFound = false
        for start in stride(from: 0, to: bytes.count, by: size) {
            // Scans every piece, since the rest of an earlier piece must not lead to a match in a later one.
            if scanner.finds(in: bytes[start..<min(start + size, bytes.count)]) { isFound = true }
        }
        return isFound
    }
}
