/// A member of an object that can be absent, null, or a value: the three states of a merge patch (RFC 7396).
///
/// ```swift
/// struct BookPatch: Codable {
///     var title: Nullable<String> = .absent
///     var subtitle: Nullable<String> = .absent
/// }
///
/// BookPatch(subtitle: .null)  // {"subtitle":null}: the server deletes the subtitle, and keeps the title
/// ```
///
/// Synthesized `Codable` reads and writes all three. Only a member of an object can be absent: for an absent value in a
/// list, in a dictionary, or written by generic code that does not know the type, encoding fails, since null would
/// delete. The literal `nil` does not create one, since some would read it as absent. Generic code that declares `T?`
/// loses null, as of each optional; so does a file that declares such a member without the import of this module.
public enum Nullable<Wrapped> {
    /// No member: a patch does not change the value.
    case absent

    /// A member that is null: a patch deletes the value.
    case null

    /// A member with a value.
    case value(Wrapped)

    /// The value; nil if it is null or absent.
    public var value: Wrapped? { if case .value(let value) = self { value } else { nil } }
}

extension Nullable: Equatable where Wrapped: Equatable {}
extension Nullable: Hashable where Wrapped: Hashable {}
extension Nullable: Sendable where Wrapped: Sendable {}

extension Nullable: Decodable where Wrapped: Decodable {
    /// Decodes null or a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Wrapped.self))
    }
}

extension Nullable: Encodable where Wrapped: Encodable {
    /// Encodes null or a value.
    ///
    /// - Throws: `EncodingError.invalidValue` for an absent value, as nothing can be written where a value must be.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .value(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .absent:
            let reason = "an absent value can only be left out of an object, and would be written as null here"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: reason))
        }
    }
}

// Synthesized code calls the functions below: they are more specific than those of the standard library.

extension KeyedDecodingContainer {
    /// Decodes a member that may be absent or null.
    ///
    /// - Parameters:
    ///   - type: the type of the member.
    ///   - key: the key of the member.
    public func decode<T: Decodable>(_ type: Nullable<T>.Type, forKey key: Key) throws -> Nullable<T> {
        try decodeIfPresent(type, forKey: key) ?? .absent
    }

    /// Decodes a member that may be absent or null; nil if it is absent, so that `Nullable<T>?` keeps null, too.
    ///
    /// - SeeAlso: ``decode(_:forKey:)``
    public func decodeIfPresent<T: Decodable>(_ type: Nullable<T>.Type, forKey key: Key) throws -> Nullable<T>? {
        guard contains(key) else { return nil }
        return try decodeNil(forKey: key) ? .null : .value(decode(T.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a member, unless it is absent.
    ///
    /// - Parameters:
    ///   - value: the value of the member.
    ///   - key: the key of the member.
    public mutating func encode<T: Encodable>(_ value: Nullable<T>, forKey key: Key) throws {
        switch value {
        case .absent: return
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }

    /// Encodes a member, unless it is nil or absent.
    ///
    /// - SeeAlso: ``encode(_:forKey:)``
    public mutating func encodeIfPresent<T: Encodable>(_ value: Nullable<T>?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
}
