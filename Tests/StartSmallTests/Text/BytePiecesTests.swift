import Testing

@testable import StartSmall

@Suite struct BytePiecesTests {
    private func pieces(_ text: String, _ separator: String) -> [String] {
        Array(text.utf8).pieces(between: Array(separator.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "pieces are the bytes between separators",
        arguments: [
            ("", [""]), ("x", ["x"]), ("aab", ["", ""]), ("xaaby", ["x", "y"]), ("aabaab", ["", "", ""]),
            ("aaab", ["a", ""]), ("aaaab-aaab", ["aa", "-a", ""]), ("aa", ["aa"]), ("aabaa", ["", "aa"]),
        ]
    )
    func pieces(text: String, expected: [String]) {
        #expect(pieces(text, "aab") == expected)
    }

    @Test("a separator that overlaps itself is found, each occurrence behind the one before")
    func overlaps() {
        #expect(pieces("aaaaa", "aa") == ["", "", "a"])
        #expect(pieces("ababaababaca", "ababaca") == ["ababa", ""])
    }

    @Test("all texts of two letters are split as by a naive search from each position")
    func exhaustive() {
        for length in 0...9 {
            for number in 0..<(1 << length) {
                let bytes = (0..<length).map { UInt8(number >> $0 & 1) }
                for separator: [UInt8] in [[0], [0, 0], [0, 1, 0], [0, 0, 1, 0, 0]] {
                    #expect(bytes.pieces(between: separator).map(Array.init) == naivePieces(bytes, separator))
                }
            }
        }
    }

    private func naivePieces(_ bytes: [UInt8], _ separator: [UInt8]) -> [[UInt8]] {
        let start = bytes.indices.first { bytes[$0...].starts(with: separator) }
        guard let start else { return [bytes] }
        return [Array(bytes[..<start])] + naivePieces(Array(bytes[(start + separator.count)...]), separator)
    }
}
