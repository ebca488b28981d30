struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let decoder: JSONTapeDecoder
    private let path: JSONCodingPath?

    /// The words of the next element and after the last one.
    private var next: Int
    private let end: Int

    let count: Int?
    private(set) var currentIndex = 0

    init(_ decoder: JSONTapeDecoder, array: Int, _ path: JSONCodingPath?) {
        self.decoder = decoder
        self.path = path
        let word = decoder.tape.words[array]
        (next, end, count) = (array + 1, word.second, word.first)
    }

    var codingPath: [any CodingKey] { path.keys }
    var isAtEnd: Bool { next == end }

    private var isNilOrAtEnd: Bool { isAtEnd || decoder.tape.words[next].kind == .null }

    private var elementPath: JSONCodingPath { JSONCodingPath(path, index: currentIndex) }

    private func failIfAtEnd(_ type: any Any.Type, _ reason: String = "Unkeyed container is at end.") throws {
        guard isAtEnd else { return }
        throw DecodingError.valueNotFound(type, .init(codingPath: Optional(elementPath).keys, debugDescription: reason))
    }

    /// Goes to the next element; at the end, only the index moves, as for `JSONDecoder`.
    private mutating func advance() {
        currentIndex += 1
        if !isAtEnd { next = decoder.tape.index(after: next) }
    }

    mutating func decodeNil() throws -> Bool {
        try failIfAtEnd(Never.self)
        guard isNilOrAtEnd else { return false }
        advance()
        return true
    }

    // For these two, the standard library has a default that only throws.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element(type) }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try ifPresent { try $0.decode(type) } }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try ifPresent { try $0.decode(type) } }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? { try ifPresent { try $0.decode(type) } }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try failIfAtEnd(KeyedDecodingContainer<NestedKey>.self)
        let container = try decoder.container(keyedBy: type, next, elementPath)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try failIfAtEnd((any UnkeyedDecodingContainer).self)
        let container = try decoder.unkeyedContainer(next, elementPath)
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        try failIfAtEnd((any Decoder).self, "Cannot get superDecoder() -- unkeyed container is at end.")
        let decoder = decoder.superDecoder(of: next, elementPath)
        advance()
        return decoder
    }

    /// Decodes an element that is not `null`; nil if there is none, and then the index moves, too.
    private mutating func ifPresent<T>(_ decode: (inout JSONUnkeyedContainer) throws -> T) rethrows -> T? {
        guard isNilOrAtEnd else { return try decode(&self) }
        advance()
        return nil
    }

    private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
        try failIfAtEnd(type)
        let result = try decoder.decode(type, next) { elementPath }
        advance()
        return result
    }
}
