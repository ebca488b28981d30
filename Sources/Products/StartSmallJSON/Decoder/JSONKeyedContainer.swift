struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    var codingPath: [any CodingKey] { object.path.keys }
    var allKeys: [Key] { object.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { present(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { object.decoder.tape.words[try value(key)].kind == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decode(type, value(key), key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decode(type, value(key), key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decode(type, value(key), key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decode(type, value(key), key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(value(key), key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(value(key), key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(value(key), key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(value(key), key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(value(key), key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(value(key), key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(value(key), key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(value(key), key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(value(key), key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(value(key), key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(value(key), key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(value(key), key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optionalInteger(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optionalInteger(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optionalInteger(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optionalInteger(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optionalInteger(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optionalInteger(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optionalInteger(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optionalInteger(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optionalInteger(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optionalInteger(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decode(type, value(key), key) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try optional(type, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try object.decoder.container(keyedBy: type, value(key), path(key))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try object.decoder.unkeyedContainer(value(key), path(key))
    }

    func superDecoder() throws -> any Decoder { superDecoder(JSONPathKey(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    /// Returns a decoder of a member; of `null` if there is none.
    private func superDecoder(_ key: any CodingKey) -> any Decoder {
        object.decoder.superDecoder(of: object.value(named: key.stringValue), JSONCodingPath(object.path, key))
    }

    private func path(_ key: Key) -> JSONCodingPath { JSONCodingPath(object.path, key) }

    private func present(_ key: Key) -> Int? { object.value(named: key.stringValue) }

    /// Returns the word of a member that is not `null`; nil if there is none.
    private func notNil(_ key: Key) -> Int? {
        guard let value = present(key), object.decoder.tape.words[value].kind != .null else { return nil }
        return value
    }

    private func value(_ key: Key) throws -> Int {
        guard let value = present(key) else { throw object.missing(key) }
        return value
    }

    // Inlined, so that the integer's type is known: else each of its operations would be looked up.
    @inline(__always)
    private func integer<T: FixedWidthInteger & Decodable>(_ value: Int, _ key: Key) throws -> T {
        do { return try object.decoder.integer(value, as: T.self) } catch {
            throw object.error(error, T.self, value, key)
        }
    }

    @inline(__always)
    private func optionalInteger<T: FixedWidthInteger & Decodable>(_ key: Key) throws -> T? {
        guard let value = notNil(key) else { return nil }
        return try integer(value, key)
    }

    @inline(__always)
    private func optional<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
        guard let value = notNil(key) else { return nil }
        return try decode(type, value, key)
    }

    @inline(__always)
    private func decode<T: Decodable>(_ type: T.Type, _ value: Int, _ key: Key) throws -> T {
        try object.decoder.decode(type, value) { path(key) }
    }
}
