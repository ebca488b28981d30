import StartSmallSupport
import Testing

@Suite("texts of bytes that need not be UTF-8") struct FieldTextTests {
    private func text(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer { FieldText.text(of: $0) } }
    private func bytes(_ text: String) -> [UInt8] { FieldText.bytes(of: text) ?? Array(text.utf8) }

    /// Bytes at the borders of UTF-8: each kind of lead and continuation byte, and those of the marks themselves.
    private static let borders: [UInt8] = [
        0x00, 0x0A, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0xA9, 0xBF, 0xC0, 0xC2, 0xC3, 0xDF, 0xE0, 0xE9, 0xED, 0xEF, 0xF0,
        0xF4,
        0xF5, 0xFF,
    ]

    @Test("all strings of up to four bytes at the borders of UTF-8 come back as they were, and differ as texts")
    func roundTrip() {
        var all: [[UInt8]] = [[]]
        var texts: Set<String> = []
        for length in 0...4 {
            for string in all where string.count == length {
                let text = text(string)
                #expect(bytes(text) == string)
                if length <= 3 { #expect(texts.insert(text).inserted, "\(string)") }
                if length < 4 { all += Self.borders.map { string + [$0] } }
            }
        }
    }

    @Test("valid UTF-8 is unchanged, but for the characters of the marks, of which each byte is marked")
    func validText() {
        for value in [0x41, 0xE9, 0x3042, 0xFFFD, 0x10000, 0x10FF7F].compactMap(Unicode.Scalar.init) as [Unicode.Scalar]
        {
            #expect(text(Array("a\(value)".utf8)) == "a\(value)")
            #expect(FieldText.bytes(of: "a\(value)") == nil)
        }
        for value in 0x10FF80...0x10FFFF as ClosedRange<UInt32> {
            let literal = Unicode.Scalar(value).map { String($0) } ?? ""
            #expect(text(Array(literal.utf8)).unicodeScalars.count == 4)
            #expect(bytes(text(Array(literal.utf8))) == Array(literal.utf8))
        }
    }

    @Test("a mark is never a control byte, so that a check of the text is one of the bytes")
    func noControl() {
        for value in 0x80...0x10FFFF as ClosedRange<UInt32> {
            guard value > 0x10FF00 || value < 0x500, let scalar = Unicode.Scalar(value) else { continue }
            #expect(bytes(String(scalar)).allSatisfy { $0 >= 0x80 })
        }
    }

    @Test("E9 and C3 A9 are different texts, also in normal form; people and URLs read the first one as é and %E9")
    func notLatin() {
        let (latin, utf8) = (text([0x63, 0xE9]), text([0x63, 0xC3, 0xA9]))
        #expect(latin != utf8 && latin != "ce\u{301}" && utf8 == "cé")
        // As texts of UTF-8 are equal to Swift: by their characters, not by their bytes.
        let decomposed = text([0x63, 0x65, 0xCC, 0x81])
        #expect(decomposed == utf8 && bytes(decomposed) != bytes(utf8))
        #expect(FieldText.readable(latin) == "cé" && FieldText.readable(utf8) == "cé")
        #expect(FieldText.percentEncodingMarks(in: "/\(latin)/é") == "/c%E9/é")
    }
}
