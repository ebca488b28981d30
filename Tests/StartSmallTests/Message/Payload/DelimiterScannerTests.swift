import Foundation
@testable import StartSmall
import Testing

struct DelimiterScannerTests {
    private static let delimiter = Data("--XXX".utf8)

    @Test(
        "a delimiter is found wherever it is and however the bytes are cut",
        arguments: ["--XXX", "a--XXX", "--XXXa", "---XXX", "--XX--XXX", "------XXXX", "\r\n--XXX--\r\n"]
    )
    func found(_ text: String) {
        for size in 1...text.utf8.count { #expect(Self.finds(Data(text.utf8), by: size)) }
    }

    @Test(
        "what is not the whole delimiter is not found",
        arguments: ["", "-", "--XX", "-XXX", "--XX-XXX", "--xxx", "XXX--"]
    )
    func notFound(_ text: String) {
        for size in 1...max(1, text.utf8.count) { #expect(!Self.finds(Data(text.utf8), by: size)) }
    }

    @Test("a delimiter on the seam of two pieces is found, at every place")
    func seam() {
        for place in 0...30 {
            let bytes = Data(repeating: 0, count: place) + Self.delimiter + Data(repeating: 0, count: 30 - place)
            var scanner = DelimiterScanner(Self.delimiter)
            let halves = [bytes.prefix(15), bytes.dropFirst(15)].map { scanner.finds(in: $0) }
            #expect(halves.contains(true))
        }
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
            // Asked of every piece, as a later one may not be found by what is left of an earlier.
            if scanner.finds(in: bytes[start..<min(start + size, bytes.count)]) { isFound = true }
        }
        return isFound
    }
}
