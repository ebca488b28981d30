/// A member of a list or dictionary in a structured field (RFC 9651), with its parameters.
///
/// Only values of the types that this kit's fields use are kept: integers, strings and tokens. Any other value is
/// `other`.
struct StructuredItem: Hashable, Sendable {
    /// A bare item.
    enum Value: Hashable, Sendable {
        case number(Int64)

        /// A string or a token.
        case text(String)

        /// A decimal, byte sequence, Boolean, date, or a key without value.
        case other
    }

    /// The key of a member of a dictionary; nil in a list.
    var key: String?

    var value: Value

    /// The parameters; of two with one name, the last counts (RFC 9651 4.2.3.2).
    var parameters: [String: Value] = [:]

    /// Reads a list, or the members of a dictionary (RFC 9651 4.2.1 and 4.2.2); nil if it is malformed.
    ///
    /// - Parameters:
    ///   - text: the value of the field.
    ///   - count: the number of members that are read; a longer text is malformed.
    static func list(_ text: String, atMost count: Int) -> [StructuredItem]? {
        var scanner = HeaderScanner(text)
        var members: [StructuredItem] = []
        scanner.skipBlanks()
        while true {
            guard members.count < count, let member = scanner.structuredMember() else { return nil }
            members.append(member)
            scanner.skipBlanks()
            if scanner.isAtEnd { return members }
            guard scanner.take(",") else { return nil }
            scanner.skipBlanks()
        }
    }
}

extension HeaderScanner {
    /// The number of parameters that are read of a member.
    private static let maximumParameters = 16

    /// Reads a member: `"name";r=1`, or `name=1`.
    fileprivate mutating func structuredMember() -> StructuredItem? {
        guard let value = bareItem() else { return nil }
        var item = StructuredItem(value: value)
        if case .text(let key) = value, take("=") {
            guard let value = bareItem() else { return nil }
            item = StructuredItem(key: key, value: value)
        }
        while take(";") {
            skipBlanks()
            let name = token()
            guard !name.isEmpty, item.parameters.count < Self.maximumParameters else { return nil }
            guard take("=") else {
                item.parameters[name] = .other
                continue
            }
            guard let value = bareItem() else { return nil }
            item.parameters[name] = value
        }
        return item
    }

    /// Reads an integer, a string or a token; other types of items are read, but not kept.
    private mutating func bareItem() -> StructuredItem.Value? {
        if take("%") { return take("\"") && strictlyQuoted() != nil ? .other : nil }
        if take("\"") { return strictlyQuoted().map { .text(String(decoding: $0, as: UTF8.self)) } }
        let isMarked = isAt(":") || isAt("?") || isAt("@")
        let text = text { byte in
            byte.isBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
                || byte == UInt8(ascii: "=") && !isMarked
        }
        if isMarked { return text.utf8.count > 1 ? .other : nil }
        if let number = Int64(text), text.utf8.first != UInt8(ascii: "+") {
            // RFC 9651 3.3.1: fifteen digits.
            return text.utf8.count(where: \.isASCIIDigit) <= 15 ? .number(number) : nil
        }
        guard HTTPToken.isToken(text) || text.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let isNumber = text.utf8.first.map { $0.isASCIIDigit || $0 == UInt8(ascii: "-") } ?? false
        return isNumber ? .other : .text(text)
    }
}
