/// A value or a member name of a JSON text: its kind and its place, in 64 bits.
struct JSONWord {
    /// The kinds of values; a name has the kind of a string.
    enum Kind: UInt8 {
        case null, `false`, `true`

        /// A number without a fraction or an exponent, and any other number.
        case integer, real

        /// A string in ASCII without escapes, any other string without escapes, and a string with escapes.
        case ascii, unicode, escaped

        /// A string with half of a UTF-16 surrogate pair, which no text can hold.
        case unpaired

        case array, object
    }

    /// The bits of the kind, the first number and the second number: 8, 28 and 28.
    let bits: UInt64

    /// The exclusive maximum of each of the two numbers.
    static let limit = 1 << 28

    /// Creates a word.
    init(_ kind: Kind, _ first: Int = 0, _ second: Int = 0) {
        bits = UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: first) << 8 | UInt64(truncatingIfNeeded: second) << 36
    }

    var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .null }

    /// The offset of a scalar in the text, or the number of elements or members of a container.
    var first: Int { Int(truncatingIfNeeded: (bits >> 8) & 0xFFF_FFFF) }

    /// The length of a scalar in the text, or the index of the word after a container.
    var second: Int { Int(truncatingIfNeeded: bits >> 36) }

    /// Whether the value is an array or an object.
    var isContainer: Bool { UInt8(truncatingIfNeeded: bits) >= Kind.array.rawValue }

    /// Whether the string or name is in ASCII and without escapes.
    var isASCII: Bool { UInt8(truncatingIfNeeded: bits) == Kind.ascii.rawValue }
}
