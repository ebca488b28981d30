/// A reader of values without a type of the app.
///
/// Not all JSON can be held: no values deeper than ``JSONValue/maximumDepth``, no half of a surrogate pair, and no name
/// with more combining marks in a row than ``CombiningMarks/longestRun``.
struct JSONValueReader {
    let tape: JSONTape

    /// Whether the value is decoded by a decoder, which rejects numbers that `Double` can't hold.
    var isDecoded = false

    /// Whether a value that can't be held counts even if a member with the same name precedes it.
    var countsAllMembers = false

    /// Returns a value; nil if not all values inside of it can be held.
    func value(_ index: Int, depth: Int) -> JSONValue? {
        guard depth <= JSONValue.maximumDepth else { return nil }
        let word = tape.words[index]
        switch word.kind {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .ascii, .unicode, .escaped, .unpaired: return tape.string(word).map { .string($0) }
        case .integer, .real: return isDecoded ? decodedNumber(word) : number(word)
        case .array: return elements(of: index, depth: depth + 1).map { .array($0) }
        case .object:
            var missing: Set<String> = []
            let members = members(of: index, depth: depth + 1, missing: &missing)
            return missing.isEmpty ? members.map { .object($0) } : nil
        }
    }

    private func elements(of array: Int, depth: Int) -> [JSONValue]? {
        var elements: [JSONValue] = []
        elements.reserveCapacity(tape.words[array].first)
        var index = array + 1
        while index < tape.words[array].second {
            guard let value = value(index, depth: depth) else { return nil }
            elements.append(value)
            index = tape.index(after: index)
        }
        return elements
    }

    /// Returns the members of an object; nil if one of its names can't be held.
    ///
    /// Of members with one name, the first counts, as it does for `JSONDecoder`.
    func members(of object: Int, depth: Int, missing: inout Set<String>) -> [String: JSONValue]? {
        var members = [String: JSONValue](minimumCapacity: tape.words[object].first)
        var index = object + 1
        while index < tape.words[object].second {
            guard let name = tape.name(tape.words[index]) else { return nil }
            if let value = value(index + 1, depth: depth) {
                if !missing.contains(name), let first = members.updateValue(value, forKey: name) {
                    members[name] = first
                }
            } else if countsAllMembers || members[name] == nil {
                missing.insert(name)
            }
            index = tape.index(after: index + 1)
        }
        return members
    }

    /// Returns a number, with its digits if no other type can hold it.
    private func number(_ word: JSONWord) -> JSONValue? {
        if word.kind == .integer, let integer = try? tape.integer(word, as: Int64.self) { return .integer(integer) }
        guard let number = try? tape.double(orZero: word), number.isFinite else {
            return .decimalString(tape.digits(word))
        }
        // From 2⁵³ on, a Double without a fraction may come from a number with one, or from another integer.
        let integer = number.magnitude < 0x1p53 ? Int64(exactly: number) : nil
        return integer.map { .integer($0) } ?? .number(number)
    }

    private func decodedNumber(_ word: JSONWord) -> JSONValue? {
        if let integer = try? tape.integer(word, as: Int64.self) { return .integer(integer) }
        return (try? tape.double(word)).map { .number($0) }
    }
}
