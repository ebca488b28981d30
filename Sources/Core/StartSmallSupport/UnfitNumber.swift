package import StartSmallFoundation

/// The error of a number that its type can't hold, with the path that Foundation's decoder leaves out.
package struct UnfitNumber: Error {
    fileprivate let error: DecodingError

    /// Decodes a value once more to find the number which doesn't fit, and returns its error; nil if there is none.
    ///
    /// The second decoding reads the same text in the same order, so that an `init(from:)` of an app sees nothing else.
    package static func error<T: Decodable>(in data: Data, as type: T.Type, by decoder: JSONDecoder) -> DecodingError? {
        do {
            _ = try decoder.decode(Located<T>.self, from: data)
            return nil
        } catch {
            return (error as? UnfitNumber)?.error
        }
    }
}

/// A value whose numbers are decoded one by one, each with its path.
private struct Located<Value: Decodable>: Decodable {
    let value: Value

    /// The deepest level with paths of its own: 64, since each takes twice the stack of a plain one.
    ///
    /// Documents of APIs have less than ten.
    private static var deepestLevel: Int { 64 }

    init(from decoder: any Decoder) throws {
        if let type = Value.self as? any NamedValues.Type, let values = try type.located(in: decoder) as? Value {
            value = values
        } else {
            let isDeep = decoder.codingPath.count > Self.deepestLevel
            value = try Value(from: isDeep ? decoder : LocatingDecoder(base: decoder))
        }
    }

    /// Returns what one of two functions decodes: a leaf by the first one, and all else with its parts by the second.
    static func value(
        at path: @autoclosure () -> [any CodingKey],
        leaf: (Value.Type) throws -> Value,
        whole: (Self.Type) throws -> Self
    ) throws -> Value {
        guard Value.self is any Numeric.Type || Value.self is any Leaf.Type else { return try whole(Self.self).value }
        do {
            return try leaf(Value.self)
        } catch {
            // Foundation's error is private to it, also on Apple platforms.
            let number = Mirror(reflecting: error).descendant("numberIsNotRepresentableInSwift", "parsed")
            guard let number = number as? String else { throw error }
            throw UnfitNumber(error: .unfit(number, Value.self, path()))
        }
    }
}

/// A type without parts, which a decoder reads by rules of its own.
private protocol Leaf {}
extension Bool: Leaf {}
extension String: Leaf {}
extension Date: Leaf {}
extension Data: Leaf {}
extension URL: Leaf {}

/// A dictionary, of which a decoder leaves the names as they are.
private protocol NamedValues {
    /// Returns the dictionary, whose values are decoded one by one.
    static func located(in decoder: any Decoder) throws -> Any
}

extension Dictionary: NamedValues where Key == String, Value: Decodable {
    fileprivate static func located(in decoder: any Decoder) throws -> Any {
        try decoder.singleValueContainer().decode([String: Located<Value>].self).mapValues(\.value)
    }
}

private struct LocatingDecoder: Decoder {
    let base: any Decoder

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(LocatingMembers(base: try base.container(keyedBy: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        LocatingElements(base: try base.unkeyedContainer())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        LocatingValue(base: try base.singleValueContainer())
    }
}

private struct LocatingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    func contains(_ key: Key) -> Bool { base.contains(key) }

    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try Located<T>.value(
            at: codingPath + [key],
            leaf: { try base.decode($0, forKey: key) },
            whole: { try base.decode($0, forKey: key) }
        )
    }

    func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) throws -> KeyedDecodingContainer<N> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { LocatingDecoder(base: try base.superDecoder()) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        LocatingDecoder(base: try base.superDecoder(forKey: key))
    }
}

private struct LocatingElements: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let path = codingPath + [currentIndex.codingKey]
        return try Located<T>.value(at: path, leaf: { try base.decode($0) }, whole: { try base.decode($0) })
    }

    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) throws -> KeyedDecodingContainer<N> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { LocatingDecoder(base: try base.superDecoder()) }
}

private struct LocatingValue: SingleValueDecodingContainer {
    let base: any SingleValueDecodingContainer

    var codingPath: [any CodingKey] { base.codingPath }

    func decodeNil() -> Bool { base.decodeNil() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try Located<T>.value(at: codingPath, leaf: { try base.decode($0) }, whole: { try base.decode($0) })
    }
}

extension DecodingError {
    /// The error of a number that its type can't hold, such as 1.5 for an `Int`.
    package static func unfit(_ number: String, _ type: any Any.Type, _ path: [any CodingKey]) -> DecodingError {
        let shown = number.utf8.count <= maximumDigits ? number : "of \(number.utf8.count) characters"
        return .typeMismatch(type, .init(codingPath: path, debugDescription: "The number \(shown) does not fit."))
    }

    /// The maximum length of a number in an error, 40 characters: as many as the largest integer has, with its sign.
    private static let maximumDigits = 40

    /// The error of a name that could take long to compare.
    package static func tooManyMarks(_ path: [any CodingKey] = []) -> DecodingError {
        let reason = "A name has more than \(CombiningMarks.longestRun) combining marks in a row."
        return .dataCorrupted(.init(codingPath: path, debugDescription: reason))
    }
}
