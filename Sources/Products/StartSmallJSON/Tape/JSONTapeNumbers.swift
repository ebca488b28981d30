import StartSmallFoundation

/// Numbers, with the results of `JSONDecoder`.
extension JSONTape {
    func integer<T: FixedWidthInteger & Decodable>(
        _ word: JSONWord,
        as type: T.Type
    ) throws(JSONReadingFailure) -> T {
        if let integer = try int64(word) {
            guard let value = T(exactly: integer) else { throw .unfit }
            return value
        }
        guard let value = T.bitWidth < 64 ? nil : wide(word, as: type) as? T else { throw .unfit }
        return value
    }

    /// Returns an integer that does not fit in 63 bits; nil if the type can't hold it.
    ///
    /// The type is looked up when it is needed, so that not each type has its own code for these rare numbers.
    @inline(never)
    private func wide(_ word: JSONWord, as type: any (FixedWidthInteger & Decodable).Type) -> Any? {
        let digits = digits(word)
        return word.kind == .integer ? integer(digits, type) : foundation(type, digits)
    }

    private func integer<T: FixedWidthInteger>(_ digits: String, _ type: T.Type) -> Any? { type.init(digits) }

    /// Returns an integer; nil if a larger type may hold it, or if only Foundation knows its value.
    ///
    /// Foundation reads a number with a fraction or an exponent as a `Double`, and from 2⁵³ on as a `Decimal`.
    private func int64(_ word: JSONWord) throws(JSONReadingFailure) -> Int64? {
        guard word.kind == .integer else {
            let double = try self.double(orZero: word)
            guard double.magnitude < 0x1p53 else { return nil }
            guard let integer = Int64(exactly: double) else { throw .unfit }
            return integer
        }
        let bytes = bytes(of: word)
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var integer: Int64 = 0
        var index = isNegative ? 1 : 0
        // A number of 18 digits is less than 2⁶³.
        guard bytes.count - index > 18 else {
            while index < bytes.count {
                integer = integer &* 10 &+ Int64(bytes[index] &- UInt8(ascii: "0"))
                index += 1
            }
            return isNegative ? -integer : integer
        }
        return Int64(digits(word))
    }

    func double(_ word: JSONWord) throws(JSONReadingFailure) -> Double {
        let double = try double(orZero: word)
        guard double != 0 || isZero(word) else { return try unclear(word) }
        guard double.isFinite else { throw .unfit }
        return double
    }

    /// Returns a `Float`, which is rounded once, from the digits.
    func float(_ word: JSONWord) throws(JSONReadingFailure) -> Float {
        let number = try parts(of: word)
        let float = number?.value(as: Float.self) ?? Float(digits(word)) ?? .infinity
        guard float != 0 || isZero(word) else { return try unclear(word) }
        guard float.isFinite else { throw .unfit }
        return float
    }

    /// Returns the nearest `Double`, which may be infinite, or zero for a number that is too small.
    func double(orZero word: JSONWord) throws(JSONReadingFailure) -> Double {
        try parts(of: word)?.value(as: Double.self) ?? Double(digits(word)) ?? .infinity
    }

    /// Returns the digits and the exponent of a number; nil if it has too many digits.
    private func parts(of word: JSONWord) throws(JSONReadingFailure) -> JSONDecimal? {
        switch word.kind {
        case .integer, .real: JSONDecimal(bytes(of: word))
        case .null: throw .null
        default: throw .otherKind
        }
    }

    /// Whether all digits of a number without an exponent are 0.
    private func isZero(_ word: JSONWord) -> Bool {
        bytes(of: word).allSatisfy { $0 <= UInt8(ascii: "0") }
    }

    /// Decodes a number that is rounded to zero, or a zero with an exponent: whether that is an error depends on the
    /// version of Foundation.
    private func unclear<T: Decodable>(_ word: JSONWord) throws(JSONReadingFailure) -> T {
        guard let value = foundation(T.self, digits(word)) else { throw .unfit }
        return value
    }

    /// Decodes a single number with Foundation; nil if that is an error.
    @inline(never)
    private func foundation<T: Decodable>(_ type: T.Type, _ digits: String) -> T? {
        try? JSONDecoder().decode([T].self, from: Data("[\(digits)]".utf8)).first
    }

    func decimal(_ word: JSONWord) throws(JSONReadingFailure) -> Decimal {
        switch word.kind {
        case .integer, .real:
            if let decimal = JSONDecimal(bytes(of: word))?.decimal { return decimal }
            return try unclear(word)
        case .null: throw .null
        default: throw .otherKind
        }
    }
}

/// The digits of a number as an integer, and the power of ten by which it is multiplied.
private struct JSONDecimal {
    private(set) var digits: UInt64 = 0
    private(set) var exponent = 0
    let isNegative: Bool

    /// Reads a valid number; nil if it has more than 19 digits, or a long exponent.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        isNegative = bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var (count, fraction) = (0, 0)
        var isFraction = false
        loop: while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard let power = Self.power(bytes, index) else { return nil }
                exponent = power
                break loop
            default:
                digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                if digits > 0 || count > 0 { count += 1 }
                if isFraction { fraction += 1 }
            }
        }
        // A number of 19 digits is less than 2⁶⁴.
        guard count <= 19 else { return nil }
        exponent -= fraction
    }

    private static func power(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard bytes.count - start <= 5 else { return nil }
        return Int(String(decoding: bytes[start...], as: UTF8.self))
    }

    /// Returns the nearest value of a type; nil if it is not found easily.
    func value<T: BinaryFloatingPoint>(as type: T.Type) -> T? {
        switch exponent {
        case _ where digits == 0: signed(0)
        case 0: signed(T(digits))
        case -19..<0: signed(quotient(as: type))
        // Both factors are exact, so that their product is rounded once.
        case 1...10 where digits < 1 << 24: signed(T(digits) * T(Self.powersOfTen[exponent]))
        default: nil
        }
    }

    private func signed<T: BinaryFloatingPoint>(_ magnitude: T) -> T { isNegative ? -magnitude : magnitude }

    /// Returns the digits divided by a power of ten from 10¹ to 10¹⁹, rounded once.
    ///
    /// Both are shifted to 64 bits, so that the quotient has 63 bits at least, of which a `Double` keeps 53. If there
    /// is a remainder, the last bit is set: the quotient is then rounded as if it had all of its bits. The power of
    /// two that remains is exact, as it is from 2⁻¹²⁶ to 2⁰.
    private func quotient<T: BinaryFloatingPoint>(as type: T.Type) -> T {
        let power = Self.powersOfTen[-exponent]
        let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
        let dividend = digits << UInt64(shift)
        let (quotient, remainder) = (power << UInt64(powerShift))
            .dividingFullWidth((dividend >> 1, dividend << 63))
        let rounded = T(quotient | (remainder == 0 ? 0 : 1))
        return T(sign: .plus, exponent: T.Exponent(powerShift - shift - 63), significand: rounded)
    }

    /// The value, which has the same bits as that of Foundation; nil for 0, of which the bits depend on its digits.
    var decimal: Decimal? {
        guard digits > 0, (-40...40).contains(exponent) else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
    }

    private static let powersOfTen: [UInt64] = (0..<19).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) * 10)
    }
}
