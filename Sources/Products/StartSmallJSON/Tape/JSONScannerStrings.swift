import StartSmallSupport

/// Strings in a JSON text (RFC 8259 7).
extension JSONScanner {
    /// Reads a string or a name, from quote to quote.
    @inline(__always)
    mutating func string() -> Bool {
        index += 1
        let start = index
        var kind = JSONWord.Kind.ascii
        while true {
            index += Self.plainBytes(at: bytes + index)
            switch bytes[index] {
            case UInt8(ascii: "\""):
                append(JSONWord(kind, start, index - start))
                index += 1
                return true
            case UInt8(ascii: "\\"):
                if kind != .unpaired { kind = .escaped }
                guard escape(&kind) else { return false }
            case 0x80...0xFF:
                let length = Self.lengthOfUTF8(at: bytes + index)
                guard length > 0 else { return false }
                index += length
                if kind == .ascii { kind = .unicode }
            case 0..<0x20: return false
            default: index += 1
            }
        }
    }

    /// Returns the number of bytes before the next quote, backslash, control character or byte that is not ASCII, or 8
    /// or more if there is none among the first ones.
    @inline(__always)
    private static func plainBytes(at bytes: UnsafePointer<UInt8>) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var length = 0
        while true {
            // Each of the eight bytes is tested at once: its highest bit is set if it ends the plain bytes. The carry
            // of a subtraction can set a bit only above the first one that is set rightly.
            let eight = UInt64(
                littleEndian: UnsafeRawPointer(bytes + length).loadUnaligned(as: UInt64.self)
            )
            let quote = eight ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslash = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let found =
                ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
                | ((eight &- (ones &* 0x20)) & ~eight) | eight
            let marks = found & (ones &* 0x80)
            if marks != 0 { return length + marks.trailingZeroBitCount / 8 }
            length += 8
        }
    }

    /// Reads an escape; half of a surrogate pair is valid JSON, but no text (RFC 8259 8.2).
    private mutating func escape(_ kind: inout JSONWord.Kind) -> Bool {
        index += 1
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
            return true
        case UInt8(ascii: "u"):
            guard let unit = unit() else { return false }
            guard unit & 0xF800 == 0xD800 else { return true }
            let isPair = unit & 0xFC00 == 0xD800 && isTrailingSurrogate
            if isPair {
                index += 1
                _ = self.unit()
            } else {
                kind = .unpaired
                hasUnpairedSurrogate = true
            }
            return true
        default: return false
        }
    }

    /// Reads the four hexadecimal digits after `\u`, and returns their number.
    private mutating func unit() -> UInt16? {
        index += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = bytes[index].hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    /// Whether the escape of the second half of a surrogate pair follows: `\uDC00` to `\uDFFF`.
    private var isTrailingSurrogate: Bool {
        guard bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else { return false }
        guard bytes[index + 2] | 0x20 == UInt8(ascii: "d") else { return false }
        guard let digit = bytes[index + 3].hexDigitValue, digit >= 0xC else { return false }
        return bytes[index + 4].hexDigitValue != nil && bytes[index + 5].hexDigitValue != nil
    }

    /// Returns the number of bytes of the character that is not ASCII at the start of bytes; 0 if they are not UTF-8.
    private static func lengthOfUTF8(at bytes: UnsafePointer<UInt8>) -> Int {
        let second = bytes[1]
        switch bytes[0] {
        case 0xC2...0xDF: return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            let lowest: UInt8 = bytes[0] == 0xE0 ? 0xA0 : 0x80
            let highest: UInt8 = bytes[0] == 0xED ? 0x9F : 0xBF
            guard second >= lowest, second <= highest else { return 0 }
            return bytes[2] & 0xC0 == 0x80 ? 3 : 0
        case 0xF0...0xF4:
            let lowest: UInt8 = bytes[0] == 0xF0 ? 0x90 : 0x80
            let highest: UInt8 = bytes[0] == 0xF4 ? 0x8F : 0xBF
            guard second >= lowest, second <= highest, bytes[2] & 0xC0 == 0x80 else { return 0 }
            return bytes[3] & 0xC0 == 0x80 ? 4 : 0
        default: return 0
        }
    }
}
