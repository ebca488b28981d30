public import StartSmallFoundation

/// A model whose keys are listed, so that ``Extra`` knows which members of an object are not the model's.
///
/// The enum is the one of synthesized `Codable`, written out: `enum CodingKeys: String, CodingKey, CaseIterable`.
public protocol KeyedModel: Codable {
    /// All keys that the model reads or writes.
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// A model with the members of its object that it does not have, which are kept and written back.
///
/// An app that reads an object, changes it, and sends it as a whole would delete what a newer server has added:
///
/// ```swift
/// var book: Extra<Book> = …
/// book.title = "Emma"  // what Book does not have is sent as it came
/// ```
///
/// Only the members of this object are kept: a nested model needs an ``Extra`` of its own. Names are never converted,
/// since they could not be converted back: a model of such an API has raw values in its `CodingKeys`.
@dynamicMemberLookup
public struct Extra<Model: KeyedModel> {
    /// The model.
    public var model: Model

    /// The other members by name; one with the name of a member of the model is never written.
    public var members: [String: ExtraMember]

    /// Creates a model with other members.
    public init(_ model: Model, members: [String: ExtraMember] = [:]) { (self.model, self.members) = (model, members) }

    /// A member of the model.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Model, Value>) -> Value {
        get { model[keyPath: path] }
        set { model[keyPath: path] = newValue }
    }

    /// A member of the model that can't be changed.
    ///
    /// One that is called `model` or `members` is reached by ``model``.
    public subscript<Value>(dynamicMember path: KeyPath<Model, Value>) -> Value { model[keyPath: path] }

    private static var names: Set<String> { Set(Model.CodingKeys.allCases.map(\.stringValue)) }
}

extension Extra: Equatable where Model: Equatable {}
extension Extra: Hashable where Model: Hashable {}
extension Extra: Sendable where Model: Sendable {}

extension Extra: Codable {
    /// Decodes the model, and the members that it does not have.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the decoder converts names, as with `.convertFromSnakeCase`.
    public init(from decoder: any Decoder) throws {
        (model, members) = (try Model(from: decoder), [:])
        let (container, names) = (try decoder.container(keyedBy: MemberName.self), Self.names)
        // No strategy converts the keys of a dictionary.
        let written = Set(try decoder.singleValueContainer().decode([String: Ignored].self).keys)
        guard written == Set(container.allKeys.map(\.stringValue)) else {
            let reason = "the decoder converts names, which could not be converted back"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        for name in container.allKeys where !names.contains(name.stringValue) {
            members[name.stringValue] = try container.decode(ExtraMember.self, forKey: name)
        }
    }

    /// Encodes the other members, and the model.
    public func encode(to encoder: any Encoder) throws {
        var (container, names) = (encoder.container(keyedBy: MemberName.self), Self.names)
        for (name, member) in members where names.insert(name).inserted {
            try container.encode(member, forKey: MemberName(stringValue: name))
        }
        try model.encode(to: encoder)
    }
}

private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
}

/// A member that a model does not have: any value of JSON.
public enum ExtraMember: Hashable, Sendable {
    /// Null.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number, exact.
    case number(Decimal)
    /// A string.
    case string(String)
    /// An array.
    case array([ExtraMember])
    /// An object.
    case object([String: ExtraMember])

    /// The first significand that is too long: Foundation's decoder rounds numbers to 38 digits, without an error.
    ///
    /// Only a rounded number whose last eight of these digits are zeros is not found.
    private static let tooLong = Decimal(sign: .plus, exponent: 30, significand: 1)

    /// The maximum depth: each container around a value takes stack, and time by the square of the depth.
    private static let maximumDepth = 64
}

extension ExtraMember: Codable {
    /// Decodes any value.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a number of more than 30 digits, which may be rounded, and for
    ///   containers that are nested deeper than 64.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Decimal.self) {
            guard value.significand.magnitude < Self.tooLong else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "more than 30 digits")
            }
            self = .number(value)
        } else if decoder.codingPath.count > Self.maximumDepth {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "nested deeper than 64")
        } else if var values = try? decoder.unkeyedContainer() {
            var array: [ExtraMember] = []
            while !values.isAtEnd { array.append(try values.decode(ExtraMember.self)) }
            self = .array(array)
        } else {
            self = .object(try container.decode([String: ExtraMember].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value) where value.isNaN:
            let reason = "JSON has no such number"
            throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: reason))
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
