import StartSmallSupport
public import StartSmallFoundation

extension URITemplate {
    /// The value of a variable (RFC 6570 2.3).
    ///
    /// A list without members and pairs without members count as undefined, too.
    public enum Value: Equatable, Sendable {
        /// No value: the variable is omitted, together with its name and its separator.
        case undefined

        /// A text; an empty one is defined.
        case string(String)

        /// Texts in order.
        case list([String])

        /// An associative array: names and texts in order.
        case pairs([Pair])
    }

    /// A name and its text, one member of an associative array.
    public struct Pair: Equatable, Sendable {
        /// The name of the member.
        public var name: String

        /// The text of the member.
        public var value: String

        /// Creates a member.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A type whose values can be given to a variable: texts, numbers, lists and dictionaries of them, and optionals.
    ///
    /// An enum with such raw values only needs the conformance: `enum Sort: String, URITemplate.ValueConvertible`.
    public protocol ValueConvertible {
        /// The value of the variable.
        var templateValue: Value { get }
    }
}

extension URITemplate.Value: URITemplate.ValueConvertible {
    /// The value itself.
    public var templateValue: URITemplate.Value { self }
}

extension URITemplate.ValueConvertible where Self: LosslessStringConvertible {
    /// The text from which the value can be created again.
    public var templateValue: URITemplate.Value { .string(description) }
}

extension URITemplate.ValueConvertible where Self: RawRepresentable, RawValue: URITemplate.ValueConvertible {
    /// The template value of the raw value.
    public var templateValue: URITemplate.Value { rawValue.templateValue }
}

extension String: URITemplate.ValueConvertible {}
extension Substring: URITemplate.ValueConvertible {}
extension Bool: URITemplate.ValueConvertible {}
extension Int: URITemplate.ValueConvertible {}
extension Int32: URITemplate.ValueConvertible {}
extension Int64: URITemplate.ValueConvertible {}
extension UInt: URITemplate.ValueConvertible {}
extension UInt32: URITemplate.ValueConvertible {}
extension UInt64: URITemplate.ValueConvertible {}
extension Double: URITemplate.ValueConvertible {}

extension UUID: URITemplate.ValueConvertible {
    /// The identifier's text, in capitals as Foundation writes it.
    public var templateValue: URITemplate.Value { .string(uuidString) }
}

extension Optional: URITemplate.ValueConvertible where Wrapped: URITemplate.ValueConvertible {
    /// The template value of the wrapped value; undefined if there is none.
    public var templateValue: URITemplate.Value { self?.templateValue ?? .undefined }
}

extension Array: URITemplate.ValueConvertible where Element: LosslessStringConvertible {
    /// The texts of the elements.
    public var templateValue: URITemplate.Value { .list(map(\.description)) }
}

extension Dictionary: URITemplate.ValueConvertible
where Key == String, Value: LosslessStringConvertible {
    /// Names and texts, sorted by name, because a dictionary is unordered.
    public var templateValue: URITemplate.Value {
        .pairs(sorted { $0.key.isBefore($1.key) }.map { URITemplate.Pair($0.key, $0.value.description) })
    }
}
