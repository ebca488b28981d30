/// A value of an enum, or a raw value that the enum does not have, which is kept and written back.
///
/// A server may add a case at any time. An enum alone fails to decode then, and the whole response with it:
///
/// ```swift
/// enum Kind: String, Codable { case book, map }
/// struct Item: Codable { var kind: Open<Kind> }
///
/// switch item.kind {
/// case .map: showMap()
/// default: showText()
/// }
/// ```
///
/// A `switch` without `default` has the cases ``known(_:)`` of each case of the enum, and ``unknown(_:)``. An enum's own
/// case `known` or `unknown` is matched by `.known(.unknown)`: `.unknown` alone is each raw value that the enum does not
/// have. Values are equal if their raw values are. A number that the raw type can't hold is an error: prefer `Int`.
public enum Open<Known: RawRepresentable> {
    /// A case of the enum.
    case known(Known)

    /// A raw value that the enum does not have.
    case unknown(Known.RawValue)

    /// Creates a value of a raw value, which is known if the enum has it.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue)
    }

    /// The raw value, known or not.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let known): known.rawValue
        case .unknown(let rawValue): rawValue
        }
    }

    /// The case of the enum; nil for a raw value that it does not have.
    public var known: Known? { Known(rawValue: rawValue) }

    /// Returns whether a value is a case of the enum, so that a `switch` can name the case alone.
    public static func ~= (pattern: Known, value: Open) -> Bool where Known.RawValue: Equatable {
        value.rawValue == pattern.rawValue
    }
}

// Equality and hashes are those of the raw value, as for each raw-representable type of the standard library.
extension Open: RawRepresentable {}
extension Open: Equatable where Known.RawValue: Equatable {}
extension Open: Hashable where Known.RawValue: Hashable {}
extension Open: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension Open: Decodable where Known.RawValue: Decodable {
    /// Decodes a raw value.
    ///
    /// - Throws: what the decoder throws for a value of another type, such as a number for an enum of strings.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
    }
}

extension Open: Encodable where Known.RawValue: Encodable {
    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}

/// The raw value as the key of a dictionary.
extension Open: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
    /// The key of the raw value.
    public var codingKey: any CodingKey { rawValue.codingKey }

    /// Creates a value of a key; nil if the key is none of a raw value.
    public init?<Key: CodingKey>(codingKey: Key) {
        guard let rawValue = Known.RawValue(codingKey: codingKey) else { return nil }
        self.init(rawValue: rawValue)
    }
}
