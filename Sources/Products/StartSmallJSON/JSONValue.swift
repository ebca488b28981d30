import StartSmallCore
public import StartSmallSupport
package import StartSmallFoundation

/// Any JSON value (RFC 8259), for JSON without a type of the app.
///
/// Two texts are equal if they are the same byte by byte, as in RFC 8259 8.3.
public enum JSONValue: Sendable {
    /// `null`.
    case null

    /// `true` or `false`.
    case bool(Bool)

    /// A number without a fraction, if `Int64` can hold it.
    case integer(Int64)

    /// Any other number, as the nearest `Double`.
    case number(Double)

    /// A number that is too large even for `Double`, such as `1e400`, as it is written in a payload that is read as a
    /// `JSONValue`.
    case decimalString(String)

    /// A text.
    case string(String)

    /// A list.
    case array([JSONValue])

    /// The members of an object, by name.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The member with this name; nil if there is none, or if the value is not an object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The element at an index, counted from 0; nil if there is none, or if the value is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text; nil if the value is not a text.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number; nil if the value is not a number that `Double` can hold.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension JSONValue: Hashable {
    /// Whether both values are equal, with texts compared byte by byte.
    ///
    /// - Parameters:
    ///   - left: a value.
    ///   - right: another value.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.decimalString(let left), .decimalString(let right)), (.string(let left), .string(let right)):
            left.isSame(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the parts that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .decimalString(let value), .string(let value): hasher.combine(ByteEqualString(value))
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSONValue: ReadWithoutDecoder {
    package init(json data: Data, isProblem: Bool = false) throws {
        guard let value = try JSONValueReader(tape: JSONTape(anyEncoding: data)).value(0, depth: 0) else {
            let reason = """
                Values are nested deeper than \(Self.maximumDepth), a name has more than \
                \(CombiningMarks.longestRun) combining marks in a row, or there is an unpaired surrogate.
                """
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        self = value
    }
}

extension JSONValue: Codable {
    /// The maximum depth of nested values: 64.
    ///
    /// No API nests deeper, and the depth takes little of the smallest stack, which is that of Apple's threads, with
    /// 512 KiB.
    static let maximumDepth = 64

    /// Encodes the value; ``decimalString(_:)`` becomes a text, since no encoder accepts its digits as a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value), .decimalString(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The kind and size of the value, without its content, which may contain credentials.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer, .number, .decimalString: "a number"
        case .string(let value): "a string of \(value.utf8.count) bytes"
        case .array(let value): "an array of \(value.count) elements"
        case .object(let value): "an object of \(value.count) members"
        }
    }
}
