/// The pieces of single-line JSON, as most APIs send it, so that a diff shows the changed pieces.
enum JSONPieces {
    /// The maximum number of bytes that are easy to read on one line.
    private static let longestLine = 100

    /// Returns the pieces of a text, split after commas; nil if the text is short, or is no single-line JSON.
    ///
    /// A comma before a quotation mark or an opening bracket is split, and no other one: also a comma at the end of a
    /// string, since the pieces are only for readers.
    static func pieces(of text: String) -> [String]? {
        let bytes = Array(text.utf8)
        let isOpening = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
        guard isOpening, bytes.count > longestLine, !bytes.contains(UInt8(ascii: "\n")) else { return nil }
        let ends = bytes.indices.dropFirst().filter {
            bytes[$0 - 1] == UInt8(ascii: ",") && "\"{[".utf8.contains(bytes[$0])
        }
        if ends.isEmpty { return nil }
        return zip([0] + ends, ends + [bytes.count]).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
    }
}
