/// The pieces of single-line JSON, as most APIs send it, so that a diff shows the changed pieces.
enum JSONPieces {
    /// The maximum number of bytes that are easy to read on one line.
    private static let longestLine = 100

    /// The deepest level whose members are separate pieces: that of the objects in a list in an object.
    private static let maximumDepth = 3

    /// Returns the pieces of a text, split after commas; nil if the text is short, or is no single-line JSON.
    static func pieces(of text: String) -> [String]? {
        pieces(of: Array(text.utf8))?.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the pieces of a UTF-8 text; nil if the text is short, or is no single-line JSON.
    static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        let isOpening = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
        guard isOpening, bytes.count > longestLine, !bytes.dropLast().contains(UInt8(ascii: "\n")) else { return nil }
        var (pieces, start): ([ArraySlice<UInt8>], Int) = ([], 0)
        for end in ends(in: bytes) + [bytes.count] where end > start {
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces.count > 1 ? pieces : nil
    }

    /// Returns the positions after the commas between members of the upper levels.
    private static func ends(in bytes: [UInt8]) -> [Int] {
        var (ends, depth): ([Int], Int) = ([], 0)
        var (isInString, isEscaped) = (false, false)
        for (index, byte) in bytes.enumerated() {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth <= maximumDepth: ends.append(index + 1)
            default: break
            }
        }
        return ends
    }
}
