import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The types that `JSONDecoder` decodes itself, and those that decode themselves.
extension JSONTapeDecoder {
    func decode<T: Decodable>(_ type: T.Type, _ index: Int, _ path: () -> JSONCodingPath?) throws -> T {
        do {
            // A scalar would only ask for itself, by way of two containers.
            if type == String.self { return cast(try string(index), to: type) }
            if type == Int.self { return cast(try integer(index, as: Int.self), to: type) }
            if type == Double.self { return cast(try double(index), to: type) }
            if type == Bool.self { return cast(try bool(index), to: type) }
            if type == Float.self { return cast(try float(index), to: type) }
            if type == Decimal.self { return cast(try tape.decimal(tape.words[index]), to: type) }
        } catch {
            throw scalarError(error, type, index, path())
        }
        if type == [String].self { return cast(try elements(String.self, index, path()), to: type) }
        if type == [Int].self { return cast(try elements(Int.self, index, path()), to: type) }
        if type == [Double].self { return cast(try elements(Double.self, index, path()), to: type) }
        if type == Date.self { return cast(try date(index, path()), to: type) }
        if type == Data.self { return cast(try data(index, path()), to: type) }
        if type == URL.self { return cast(try url(index, path()), to: type) }
        if mayHaveLongRun(index), type is any RawRepresentable.Type { try refuseLongRun(index, path()) }
        if options.names != nil || tape.hasManyMembers(index) { return try decodeObject(type, index, path()) }
        return try with(index, path()) { try type.init(from: self) }
    }

    /// Whether a value is a string that is long enough for more marks in a row than ``CombiningMarks/longestRun``.
    private func mayHaveLongRun(_ index: Int) -> Bool {
        let word = tape.words[index]
        return (word.kind == .unicode || word.kind == .escaped) && word.second > 2 * CombiningMarks.longestRun
    }

    /// Refuses a raw value that could take long to compare: an enum compares it with each of its cases.
    @inline(never)
    private func refuseLongRun(_ index: Int, _ path: JSONCodingPath?) throws {
        guard let text = tape.string(tape.words[index]), CombiningMarks.hasLongRun(text) else { return }
        throw corrupted("A raw value has more than \(CombiningMarks.longestRun) combining marks in a row.", path)
    }

    /// Decodes a value that may be a dictionary: its names are not converted, and one with many members would look up
    /// each of them by its name.
    ///
    /// This is a function of its own since the type of an optional value is looked up at the beginning of a function.
    @inline(never)
    private func decodeObject<T: Decodable>(_ type: T.Type, _ index: Int, _ path: JSONCodingPath?) throws -> T {
        if let dictionary = stringKeyedDictionary(type), let value = try members(as: dictionary, index, path) as? T {
            return value
        }
        return try with(index, path) { try type.init(from: self) }
    }

    /// Returns a value as the type that it has.
    ///
    /// The conversion is safe, since each caller compared both types before: they have the same memory layout. A
    /// dynamic cast would take longer than decoding the value.
    private func cast<Value, T>(_ value: Value, to type: T.Type) -> T {
        unsafeBitCast(value, to: type)
    }

    /// Decodes the elements of an array, for which the standard library looks up the type of the array each time.
    private func elements<T: Decodable>(_ type: T.Type, _ index: Int, _ path: JSONCodingPath?) throws -> [T] {
        let word = tape.words[index]
        guard word.kind == .array else { throw notContainer([Any].self, "unkeyed", index, path) }
        var elements: [T] = []
        elements.reserveCapacity(word.first)
        var element = index + 1
        while element < word.second {
            elements.append(try decode(type, element) { JSONCodingPath(path, index: elements.count) })
            element = tape.index(after: element)
        }
        return elements
    }

    private func scalarError(
        _ failure: JSONReadingFailure,
        _ type: any Any.Type,
        _ index: Int,
        _ path: JSONCodingPath?
    ) -> any Error {
        if type == Decimal.self, case .otherKind = failure {
            // JSONDecoder has no text for it.
            return DecodingError.typeMismatch(type, .init(codingPath: path.keys, debugDescription: ""))
        }
        return error(failure, type, index, path)
    }

    private func date(_ index: Int, _ path: JSONCodingPath?) throws -> Date {
        if tape.words[index].kind == .null { throw error(.null, Date.self, index, path) }
        switch options.dates {
        case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(index, path))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try seconds(index, path) / 1000)
        case .iso8601:
            let text = try text(index, path)
            if let date = Date.ISO8601FormatStyle().date(text) { return date }
            // Of this error, JSONDecoder gives the coding path of the container.
            let reason = "Expected date string to be ISO8601-formatted."
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
        case .custom(let decode): return try with(index, path) { try decode(self) }
        default: return try with(index, path) { try Date(from: self) }
        }
    }

    private func data(_ index: Int, _ path: JSONCodingPath?) throws -> Data {
        if tape.words[index].kind == .null { throw error(.null, Data.self, index, path) }
        switch options.data {
        case .base64:
            let text = try text(index, path)
            if let data = Data(base64Encoded: text) { return data }
            throw corrupted("Encountered Data is not valid Base64.", path)
        case .custom(let decode): return try with(index, path) { try decode(self) }
        default: return try with(index, path) { try Data(from: self) }
        }
    }

    private func url(_ index: Int, _ path: JSONCodingPath?) throws -> URL {
        if tape.words[index].kind == .null { throw error(.null, URL.self, index, path) }
        if let url = URL(string: try text(index, path)) { return url }
        throw corrupted("Invalid URL string.", path)
    }

    private func corrupted(_ reason: String, _ path: JSONCodingPath?) -> DecodingError {
        .dataCorrupted(.init(codingPath: path.keys, debugDescription: reason))
    }

    private func text(_ index: Int, _ path: JSONCodingPath?) throws -> String {
        do { return try string(index) } catch { throw self.error(error, String.self, index, path) }
    }

    private func seconds(_ index: Int, _ path: JSONCodingPath?) throws -> Double {
        do { return try double(index) } catch { throw self.error(error, Double.self, index, path) }
    }

    /// Returns the type as that of a dictionary with names as keys; nil if it is another type.
    private func stringKeyedDictionary<T>(_ type: T.Type) -> (any StringKeyedDictionary.Type)? {
        // A cast takes many times as long as looking up whether it fails.
        if otherTypes.contains(ObjectIdentifier(type)) { return nil }
        let dictionary = type as? any StringKeyedDictionary.Type
        if dictionary == nil { otherTypes.insert(ObjectIdentifier(type)) }
        return dictionary
    }

    /// Decodes a dictionary whose names are not converted, even if all other names are.
    private func members<D: StringKeyedDictionary>(
        as type: D.Type,
        _ index: Int,
        _ path: JSONCodingPath?
    ) throws -> D {
        let word = tape.words[index]
        guard word.kind == .object else {
            throw error(word.kind == .null ? .null : .otherKind, [String: Any].self, index, path)
        }
        var members = type.init(minimumCapacity: word.first)
        var name = index + 1
        while name < word.second {
            guard let key = tape.name(tape.words[name]) else { throw DecodingError.tooManyMarks(path.keys) }
            // Only with a conversion of names, JSONDecoder decodes members that have the name of an earlier one.
            if options.names != nil || !members.contains(key) {
                try members.decode(key) { type in
                    try decode(type, name + 1) { JSONCodingPath(path, pathKey(ofMember: key)) }
                }
            }
            name = tape.index(after: name + 1)
        }
        return members
    }

    private func pathKey(ofMember name: String) -> JSONPathKey {
        options.names == nil ? JSONPathKey(ofDictionary: name) : JSONPathKey(stringValue: name)
    }
}

/// A dictionary with names as keys, which `JSONDecoder` exempts from the conversion of names.
private protocol StringKeyedDictionary {
    associatedtype Member: Decodable
    init(minimumCapacity: Int)
    func contains(_ name: String) -> Bool
    mutating func decode(_ name: String, _ decode: (Member.Type) throws -> Member) throws
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    fileprivate func contains(_ name: String) -> Bool { index(forKey: name) != nil }

    /// Decodes a member; of several members with one name, the first counts.
    fileprivate mutating func decode(_ name: String, _ decode: (Value.Type) throws -> Value) throws {
        let value = try decode(Value.self)
        if let first = updateValue(value, forKey: name) { self[name] = first }
    }
}
