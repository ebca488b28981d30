/// A member of a list or dictionary in a structured field (RFC 9651), with its parameters.
///
/// All types are read by their grammar. Only values of the types that this kit's fields use are kept: integers, strings
/// and tokens. Any other value is `other`. All texts are ASCII, so that comparing and hashing them takes linear time.
struct StructuredItem: Hashable, Sendable {
    /// A bare item.
    enum Value: Hashable, Sendable {
        case number(Int64)

        /// A string or a token.
        case text(String)

        /// A decimal, byte sequence, Boolean, date, display string, inner list, or a key without value.
        case other
    }

    var value: Value

    /// The parameters; of two with one name, the last counts (RFC 9651 4.2.3.2).
    var parameters: [String: Value] = [:]

    /// Reads a list (RFC 9651 4.2.1); nil if it is malformed.
    ///
    /// - Parameters:
    ///   - text: the value of the field.
    ///   - count: the number of members that are read; a longer text is malformed.
    static func list(_ text: String, atMost count: Int) -> [StructuredItem]? {
        var members: [StructuredItem] = []
        let isRead = readMembers(text, atMost: count) { reader in
            guard let member = reader.itemOrInnerList() else { return false }
            members.append(member)
            return true
        }
        return isRead ? members : nil
    }

    /// Reads a dictionary (RFC 9651 4.2.2); nil if it is malformed.
    ///
    /// Of two members with one key, the last counts.
    ///
    /// - Parameters:
    ///   - text: the value of the field.
    ///   - count: the number of members that are read; a longer text is malformed.
    static func dictionary(_ text: String, atMost count: Int) -> [String: StructuredItem]? {
        var members: [String: StructuredItem] = [:]
        let isRead = readMembers(text, atMost: count) { reader in
            guard let key = reader.key() else { return false }
            if reader.take("=") {
                guard let member = reader.itemOrInnerList() else { return false }
                members[key] = member
            } else {
                guard let parameters = reader.parameters() else { return false }
                members[key] = StructuredItem(value: .other, parameters: parameters)
            }
            return true
        }
        return isRead ? members : nil
    }

    /// Reads members between commas, and returns whether the whole text is well-formed; an empty text has no members.
    private static func readMembers(
        _ text: String,
        atMost count: Int,
        _ read: (inout StructuredFieldReader) -> Bool
    ) -> Bool {
        var reader = StructuredFieldReader(text)
        reader.skipSpaces()
        if reader.isAtEnd { return true }
        for _ in 0..<count {
            guard read(&reader) else { return false }
            reader.skipBlanks()
            if reader.isAtEnd { return true }
            guard reader.take(",") else { return false }
            reader.skipBlanks()
        }
        return false
    }
}

/// A reader of the grammar of structured fields (RFC 9651 4.2), which reads each byte once.
private struct StructuredFieldReader {
    /// The number of parameters that are read of a member or an inner list's item.
    private static let maximumParameters = 16

    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }

    private var next: UInt8? { isAtEnd ? nil : bytes[index] }

    mutating func skipSpaces() {
        while next == UInt8(ascii: " ") { index += 1 }
    }

    mutating func skipBlanks() {
        while next?.isBlank == true { index += 1 }
    }

    /// Skips a mark if it is next, and returns whether it was.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    /// Skips the bytes that satisfy a condition, and returns them.
    private mutating func bytes(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while let next, condition(next) { index += 1 }
        return bytes[start..<index]
    }

    /// Reads an item or an inner list with its parameters (RFC 9651 4.2.1.1).
    mutating func itemOrInnerList() -> StructuredItem? {
        if take("(") {
            guard skipInnerList(), let parameters = parameters() else { return nil }
            return StructuredItem(value: .other, parameters: parameters)
        }
        guard let value = bareItem(), let parameters = parameters() else { return nil }
        return StructuredItem(value: value, parameters: parameters)
    }

    /// Reads an inner list after its first parenthesis (RFC 9651 4.2.1.2).
    private mutating func skipInnerList() -> Bool {
        while !isAtEnd {
            skipSpaces()
            if take(")") { return true }
            guard bareItem() != nil, parameters() != nil else { return false }
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return false }
        }
        return false
    }

    /// Reads parameters (RFC 9651 4.2.3.2); nil if they are malformed, or too many.
    mutating func parameters() -> [String: StructuredItem.Value]? {
        var parameters: [String: StructuredItem.Value] = [:]
        var count = 0
        while take(";") {
            skipSpaces()
            count += 1
            guard count <= Self.maximumParameters, let key = key() else { return nil }
            var value = StructuredItem.Value.other
            if take("=") {
                guard let item = bareItem() else { return nil }
                value = item
            }
            parameters[key] = value
        }
        return parameters
    }

    /// Reads a key (RFC 9651 4.2.3.3).
    mutating func key() -> String? {
        guard let next, next.isSmallLetter || next == UInt8(ascii: "*") else { return nil }
        let key = bytes { $0.isSmallLetter || $0.isASCIIDigit || "_-.*".utf8.contains($0) }
        return String(decoding: key, as: UTF8.self)
    }

    /// Reads a bare item (RFC 9651 4.2.3.1).
    private mutating func bareItem() -> StructuredItem.Value? {
        guard let next else { return nil }
        switch next {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "*"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            let token = bytes { HTTPToken.isTokenByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .text(String(decoding: token, as: UTF8.self))
        case UInt8(ascii: ":"): return skipByteSequence() ? .other : nil
        case UInt8(ascii: "?"):
            index += 1
            return take("0") || take("1") ? .other : nil
        case UInt8(ascii: "@"):
            index += 1
            // A date is an integer (RFC 9651 4.2.9).
            if case .number? = number() { return .other }
            return nil
        case UInt8(ascii: "%"): return skipDisplayString() ? .other : nil
        default: return nil
        }
    }

    /// Reads an integer of up to 15 digits, or a decimal with up to 12 digits before and 3 after its point (RFC 9651
    /// 4.2.4).
    private mutating func number() -> StructuredItem.Value? {
        let isNegative = take("-")
        let digits = bytes(while: \.isASCIIDigit)
        guard !digits.isEmpty else { return nil }
        if take(".") {
            return digits.count <= 12 && (1...3).contains(bytes(while: \.isASCIIDigit).count) ? .other : nil
        }
        guard digits.count <= 15, let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        return .number(isNegative ? -number : number)
    }

    /// Reads a string, which is ASCII (RFC 9651 4.2.5).
    private mutating func string() -> String? {
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case .quote: return String(decoding: text, as: UTF8.self)
            case .backslash:
                guard let escaped = next, escaped == .quote || escaped == .backslash else { return nil }
                index += 1
                text.append(escaped)
            case 0x20...0x7E: text.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// Reads a byte sequence in Base64, whose padding can be missing (RFC 9651 4.2.7).
    private mutating func skipByteSequence() -> Bool {
        index += 1
        let text = bytes { URIEncoding.isAlphanumeric($0) || "+/".utf8.contains($0) }
        let padding = bytes { $0 == UInt8(ascii: "=") }
        guard take(":"), text.count % 4 != 1 else { return false }
        return padding.isEmpty || padding.count == (4 - text.count % 4) % 4
    }

    /// Reads a display string: ASCII, and UTF-8 in hexadecimal digits, in small letters (RFC 9651 4.2.10).
    private mutating func skipDisplayString() -> Bool {
        index += 1
        guard take("\"") else { return false }
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case .quote: return String(validating: text, as: UTF8.self) != nil
            case UInt8(ascii: "%"):
                guard let high = smallHexDigit(), let low = smallHexDigit() else { return false }
                text.append(high << 4 | low)
            case 0x20...0x7E: text.append(byte)
            default: return false
            }
        }
        return false
    }

    private mutating func smallHexDigit() -> UInt8? {
        guard let next, !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(next) else { return nil }
        index += 1
        return next.hexDigitValue
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
