// The containers that `Encodable` writes into. Each function determines the next place; `QueryEntryEncoder` does the
// rest.

struct KeyedQueryContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: QueryEntryEncoder
    var isNested = false

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func member(_ key: any CodingKey) -> QueryEntryEncoder {
        if isNested { encoder.note(.used) }
        return encoder.member(key)
    }

    func encodeNil(forKey key: Key) throws {
        try member(key).encodeNil()
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try member(key).encode(value)
    }

    // For these two, and for those of the other containers, the standard library has a default that only throws.
    func encode(_ value: Int128, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        let inner = member(key)
        inner.note(.opened)
        return KeyedEncodingContainer(KeyedQueryContainer<Nested>(encoder: inner, isNested: true))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        member("super".codingKey)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        member(key)
    }
}

/// Optional members without a value: by default they are not encoded; here they are encoded as nil.
extension KeyedQueryContainer {
    private func encodeOrNil(_ value: (some Encodable)?, _ key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeOrNil(value, key) }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encodeOrNil(value, key) }
}

struct UnkeyedQueryContainer: UnkeyedEncodingContainer {
    let encoder: QueryEntryEncoder
    private(set) var count = 0

    /// The number of elements that are written or will be written.
    private var number = 0

    init(encoder: QueryEntryEncoder) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        try add { try $0.encodeNil() }
    }

    mutating func encode(_ value: some Encodable) throws { try add(value) }
    mutating func encode(_ value: Int128) throws { try add(value) }
    mutating func encode(_ value: UInt128) throws { try add(value) }

    mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        next()
    }

    // Neither generic nor inlined: otherwise, there is a copy of all of it for each type of number.
    @inline(never) private mutating func add(_ value: any Encodable) throws {
        try add { try $0.encode(value) }
    }

    private mutating func add(_ write: (QueryEntryEncoder) throws -> Void) throws {
        if try encoder.writes(count, number: number, write) { number += 1 }
        count += 1
    }

    /// Returns the encoder of the next element, which counts as written.
    ///
    /// Whether a later call writes anything is still unknown.
    private mutating func next() -> QueryEntryEncoder {
        defer { (count, number) = (count + 1, number + 1) }
        return encoder.at(encoder.place.element(count, number: number, of: encoder.style))
    }
}

struct SingleQueryContainer: SingleValueEncodingContainer {
    let encoder: QueryEntryEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        try encoder.encodeNil()
    }

    func encode(_ value: some Encodable) throws {
        try encoder.encode(value)
    }

    func encode(_ value: Int128) throws { try encoder.encode(value) }
    func encode(_ value: UInt128) throws { try encoder.encode(value) }
}
