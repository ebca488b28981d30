/// A tree of nested values, which is built while JSON is read from the first byte to the last.
///
/// Not all JSON can be held: no values deeper than ``JSONValue/maximumDepth``, no half of a surrogate pair, and no name
/// longer than ``longestName``.
struct JSONTree {
    /// The maximum length in bytes of a name that is not all ASCII.
    ///
    /// To compare two names, a dictionary sorts their accents, in a time that grows with the square of the number of
    /// accents.
    static let longestName = 1024

    /// An open array or object.
    private struct Level {
        let isObject: Bool

        /// The indices of the first element, or of the value and the name of the first member.
        let firstValue: Int
        let firstName: Int
        var isWhole = true
    }

    /// The outermost value; nil if not all values inside of it could be held.
    private(set) var value: JSONValue?

    /// The names of the members of the outermost object that are missing because they could not be held.
    private(set) var missing: Set<String> = []

    private var levels: [Level] = []

    /// The values of the open arrays and objects, innermost last; nil for a value that can't be held.
    ///
    /// One list holds the values of all levels, so that each level is allocated in one piece, when its length is known.
    private var values: [JSONValue?] = []

    /// The names of the members of the open objects; the last one is the name of the next value.
    private var names: [String] = []

    /// The number of open arrays and objects that are too deep.
    private var levelsTooDeep = 0

    mutating func open(isObject: Bool) {
        if levels.count > JSONValue.maximumDepth {
            levels[levels.count - 1].isWhole = false
            levelsTooDeep += 1
        } else {
            levels.append(Level(isObject: isObject, firstValue: values.count, firstName: names.count))
        }
    }

    /// Sets the name of the next member of the innermost object; nil if the name can't be held.
    mutating func name(_ name: String?) {
        guard levelsTooDeep == 0 else { return }
        if let name, name.utf8.count <= Self.longestName || name.utf8.allSatisfy({ $0 < 0x80 }) {
            names.append(name)
        } else {
            names.append("")
            levels[levels.count - 1].isWhole = false
        }
    }

    /// Adds a value to the innermost array or object; nil if the value can't be held.
    mutating func add(_ value: JSONValue?) {
        guard levelsTooDeep == 0 else { return }
        let held = levels.count > JSONValue.maximumDepth ? nil : value
        if levels.isEmpty {
            self.value = held
        } else {
            values.append(held)
            let isMember = levels.count == 1 && levels[0].isObject
            if held == nil, !isMember { levels[levels.count - 1].isWhole = false }
        }
    }

    /// Closes the innermost array or object.
    mutating func close() {
        guard levelsTooDeep == 0 else { return levelsTooDeep -= 1 }
        let level = levels.removeLast()
        let value = level.isWhole ? value(of: level) : nil
        // Removed one by one: for up to three values this takes fewer steps than all at once, and deeply nested levels
        // have one each.
        while values.count > level.firstValue { values.removeLast() }
        while names.count > level.firstName { names.removeLast() }
        add(value)
    }

    private mutating func value(of level: Level) -> JSONValue {
        if level.isObject { return .object(members(of: level)) }
        // An array that is whole has no missing element.
        return .array(values[level.firstValue...].map { $0 ?? .null })
    }

    /// Returns the members of an object.
    ///
    /// Of members with one name, the first counts, as it does for `JSONDecoder` on Linux.
    private mutating func members(of level: Level) -> [String: JSONValue] {
        let count = values.count - level.firstValue
        var members = [String: JSONValue](minimumCapacity: count)
        for index in 0..<count {
            let name = names[level.firstName + index]
            if let value = values[level.firstValue + index] {
                if missing.contains(name) { continue }
                if let first = members.updateValue(value, forKey: name) { members[name] = first }
            } else if members[name] == nil {
                missing.insert(name)
            }
        }
        return members
    }
}

extension JSONValue {
    /// Creates the value of a number from its digits (RFC 8259 6).
    init(number digits: String) {
        if let integer = Int64(digits) {
            self = .integer(integer)
        } else if let number = Double(digits), number.isFinite {
            // From 2⁵³ on, a Double without a fraction may come from a number with one, or from another integer.
            let integer = number.magnitude < 0x1p53 ? Int64(exactly: number) : nil
            self = integer.map { .integer($0) } ?? .number(number)
        } else {
            self = .decimalString(digits)
        }
    }
}
