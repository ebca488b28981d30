/// The elements of an array.
///
/// At the end, `decodeIfPresent` leaves the index as it is; that of `JSONDecoder` moves it.
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

    private var elementPath: JSONCodingPath { JSONCodingPath(path, index: currentIndex) }

    private func failIfAtEnd(_ type: any Any.Type, _ reason: String = "Unkeyed container is at end.") throws {
        guard isAtEnd else { return }
        throw DecodingError.valueNotFound(type, .init(codingPath: Optional(elementPath).keys, debugDescription: reason))
    }

    private mutating func advance() {
        currentIndex += 1
        next = decoder.tape.index(after: next)
    }

    mutating func decodeNil() throws -> Bool {
        try failIfAtEnd(Never.self)
        guard decoder.tape.words[next].kind == .null else { return false }
        advance()
        return true
    }

    // For these two, the standard library has a default that only throws.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element(type) }

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

    private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
        try failIfAtEnd(type)
        let result = try decoder.decode(type, next) { elementPath }
        advance()
        return result
    }
}
