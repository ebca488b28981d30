import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A decoder with the results of `JSONDecoder`: the same values, errors and coding paths.
///
/// A number that its type can't hold is a `typeMismatch` with its path, as any other value that is not of its type.
/// `JSONDecoder` says the whole text is not JSON.
///
/// One decoder decodes a whole text: while a value decodes itself, it is the current one.
final class JSONTapeDecoder {
    let tape: JSONTape
    let options: JSONDecodingOptions

    /// The word of the current value, and its coding path.
    private(set) var current: Int
    private(set) var path: JSONCodingPath?

    /// The names of objects that were decoded before.
    var shapes: [JSONShape] = []

    /// The types that are no dictionaries with names as keys.
    var otherTypes: Set<ObjectIdentifier> = []

    init(_ tape: JSONTape, _ options: JSONDecodingOptions, current: Int, path: JSONCodingPath?) {
        (self.tape, self.options, self.current, self.path) = (tape, options, current, path)
    }

    /// Lets a value decode itself.
    func with<T>(_ index: Int, _ path: JSONCodingPath?, _ decode: () throws -> T) rethrows -> T {
        let outer = (current, self.path)
        (current, self.path) = (index, path)
        defer { (current, self.path) = outer }
        return try decode()
    }

    /// Returns a decoder that stays with its value, for a superclass.
    func superDecoder(of index: Int?, _ path: JSONCodingPath?) -> JSONTapeDecoder {
        JSONTapeDecoder(tape, options, current: index ?? tape.null, path: path)
    }

    /// The current value as a value without a type; nil if it can't be held.
    var currentJSONValue: JSONValue? {
        let reader = JSONValueReader(tape: tape, isDecoded: true, countsAllMembers: options.names != nil)
        return reader.value(current, depth: codingPath.count)
    }

    @inline(never)
    func error(_ failure: JSONReadingFailure, _ type: any Any.Type, _ index: Int, _ path: JSONCodingPath?) -> any Error
    {
        switch failure {
        case .null:
            let reason = "Cannot get value of type \(type) -- found null value instead"
            return DecodingError.valueNotFound(type, .init(codingPath: path.keys, debugDescription: reason))
        case .otherKind:
            let reason = "Expected to decode \(type) but found \(tape.words[index].kindName) instead."
            return DecodingError.typeMismatch(type, .init(codingPath: path.keys, debugDescription: reason))
        case .unfit:
            return DecodingError.unfit(tape.digits(tape.words[index]), type, path.keys)
        }
    }
}

extension JSONTapeDecoder: Decoder {
    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try container(keyedBy: type, current, path)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try unkeyedContainer(current, path) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type,
        _ index: Int,
        _ path: JSONCodingPath?
    ) throws -> KeyedDecodingContainer<Key> {
        guard tape.words[index].kind == .object else { throw notContainer([String: Any].self, "keyed", index, path) }
        return KeyedDecodingContainer(JSONKeyedContainer(JSONObject(self, index, path)))
    }

    func unkeyedContainer(_ index: Int, _ path: JSONCodingPath?) throws -> any UnkeyedDecodingContainer {
        guard tape.words[index].kind == .array else { throw notContainer([Any].self, "unkeyed", index, path) }
        return JSONUnkeyedContainer(self, array: index, path)
    }

    @inline(never)
    func notContainer(
        _ type: any Any.Type,
        _ name: String,
        _ index: Int,
        _ path: JSONCodingPath?
    ) -> any Error {
        guard tape.words[index].kind == .null else { return error(.otherKind, type, index, path) }
        let reason = "Cannot get \(name) decoding container -- found null value instead"
        return DecodingError.valueNotFound(type, .init(codingPath: path.keys, debugDescription: reason))
    }
}

extension JSONWord {
    fileprivate var kindName: String {
        switch kind {
        case .null: "null"
        case .false, .true: "bool"
        case .integer, .real: "number"
        case .ascii, .unicode, .escaped, .unpaired: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}

/// The container of the current value, which is the decoder itself, as for `JSONDecoder`.
extension JSONTapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { tape.words[current].kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try value(type) }
    func decode(_ type: String.Type) throws -> String { try value(type) }
    func decode(_ type: Double.Type) throws -> Double { try value(type) }
    func decode(_ type: Float.Type) throws -> Float { try value(type) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }

    private func value<T: Decodable>(_ type: T.Type) throws -> T {
        let path = path
        return try decode(type, current) { path }
    }

    private func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        do { return try integer(current, as: type) } catch { throw self.error(error, type, current, path) }
    }
}
