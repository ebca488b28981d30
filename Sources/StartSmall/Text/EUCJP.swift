/// A converter between EUC-JP and Shift_JIS, since Foundation on Linux supports Shift_JIS alone.
///
/// Both encode the same characters of JIS X 0208 and 0201 (Lunde, *CJKV Information Processing*, appendix on
/// conversions). The characters of JIS X 0212, which take three bytes, do not exist in Shift_JIS, and are not decoded.
enum EUCJP {
    /// Returns the text in Shift_JIS; nil if the bytes are invalid EUC-JP, or contain a character of JIS X 0212.
    static func shiftJIS(of bytes: [UInt8]) -> [UInt8]? {
        var (result, index) = ([UInt8](), 0)
        result.reserveCapacity(bytes.count)
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                result.append(byte)
                index += 1
                continue
            }
            guard index + 1 < bytes.count else { return nil }
            let next = bytes[index + 1]
            index += 2
            if byte == katakanaShift {
                guard katakana.contains(next) else { return nil }
                result.append(next)
            } else {
                guard (0xA1...0xFE).contains(byte), (0xA1...0xFE).contains(next) else { return nil }
                let (row, cell) = (byte & 0x7F, next & 0x7F)
                let first = (row - 0x21) / 2 + 0x81
                result.append(first > 0x9F ? first + 0x40 : first)
                result.append(row.isMultiple(of: 2) ? cell + 0x7E : cell + (cell >= 0x60 ? 0x20 : 0x1F))
            }
        }
        return result
    }

    /// Returns the text in EUC-JP; nil if the bytes are invalid Shift_JIS, or contain a character of Windows alone.
    static func bytes(ofShiftJIS bytes: [UInt8]) -> [UInt8]? {
        var (result, index) = ([UInt8](), 0)
        result.reserveCapacity(bytes.count)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte < 0x80 {
                result.append(byte)
            } else if katakana.contains(byte) {
                result += [katakanaShift, byte]
            } else {
                guard index < bytes.count, (0x81...0x9F).contains(byte) || (0xE0...0xEF).contains(byte) else {
                    return nil
                }
                let next = bytes[index]
                index += 1
                guard (0x40...0xFC).contains(next), next != 0x7F else { return nil }
                let row = (byte <= 0x9F ? byte - 0x81 : byte - 0xC1) * 2
                let isSecond = next >= 0x9F
                let cell = isSecond ? next - 0x7E : next - 0x1F - (next >= 0x80 ? 1 : 0)
                result += [(row + (isSecond ? 0x22 : 0x21)) | 0x80, cell | 0x80]
            }
        }
        return result
    }

    /// The prefix of half-width katakana (SS2), and the range of their bytes.
    private static let katakanaShift: UInt8 = 0x8E
    private static let katakana: ClosedRange<UInt8> = 0xA1...0xDF
}
