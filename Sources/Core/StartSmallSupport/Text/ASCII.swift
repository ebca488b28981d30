extension UInt8 {
    /// Whether the byte is an ASCII digit.
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// The lowercase letter for an uppercase ASCII letter; any other byte unchanged.
    package var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit of either case; nil for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension String {
    /// The lowercase text; fast for text that is lowercase ASCII already, as most names are.
    package var inSmallLetters: String {
        utf8.allSatisfy { $0 < 0x80 && $0 == $0.asciiLowercased } ? self : lowercased()
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes begin with those of a literal.
    ///
    /// By index, not by a pair of iterators: this runs several times for each call.
    package func hasPrefix(_ prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard self.count >= count else { return false }
        for index in 0..<count where self[index] != prefix.utf8Start[index] { return false }
        return true
    }
}

extension Unicode.Scalar {
    /// Whether the scalar has the Unicode property `White_Space`; listed in full, since reading the property is slow.
    package var isWhitespace: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}

extension UInt8 {
    static let backslash = UInt8(ascii: "\\")
}
