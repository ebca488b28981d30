/// Values that lie in each other, as they are found from the first byte of their JSON to the last.
///
/// Not all that is JSON can be held: not what lies deeper than ``JSONValue/maximumDepth``, no half of a character, and no name
/// that is longer than ``longestName``.
struct JSONTree {
    /// So many bytes a name may have if they are not all of ASCII.
    ///
    /// To tell whether two names are one, a dictionary sorts their accents, and the time grows with the square of these.
    static let longestName = 1024

    /// An open array or object.
    private struct Level {
        let isObject: Bool

        /// Where its elements begin, or the values and the names of its members.
        let firstValue: Int
        let firstName: Int
        var isWhole = true
    }

    /// The outermost value; nil if not all in it could be held.
    private(set) var value: JSONValue?

    /// The names of those members of the outermost object that are missing in it, as they could not be held.
    private(set) var missing: Set<String> = []

    private var levels: [Level] = []

    /// What is in the open arrays and objects, innermost last: nil is what can't be held.
    ///
    /// One list for all of them, so that each gets its own in one piece, and only when its length is known.
    private var values: [JSONValue?] = []

    /// The names of the members of the open objects, that of the value which comes next last.
    private var names: [String] = []

    /// How many open arrays and objects lie too deep.
    private var levelsTooDeep = 0

    mutating func open(isObject: Bool) {
        if levels.count > JSONValue.maximumDepth {
            levels[levels.count - 1].isWhole = false
            levelsTooDeep += 1
        } else {
            levels.append(Level(isObject: isObject, firstValue: values.count, firstName: names.count))
        }
    }

    /// What the next member of the innermost object is called; nil if that can't be held.
    mutating func name(_ name: String?) {
        guard levelsTooDeep == 0 else { return }
        if let name, name.utf8.count <= Self.longestName || name.utf8.allSatisfy({ $0 < 0x80 }) {
            names.append(name)
        } else {
            names.append("")
            levels[levels.count - 1].isWhole = false
        }
    }

    /// Adds to what is innermost; nil if it can't be held.
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

    /// Ends what is innermost.
    mutating func close() {
        guard levelsTooDeep == 0 else { return levelsTooDeep -= 1 }
        let level = levels.removeLast()
        let value = level.isWhole ? value(of: level) : nil
        // One by one: of up to three, that takes fewer steps than all at once, and what nests deep has one each.
        while values.count > level.firstValue { values.removeLast() }
        while names.count > level.firstName { names.removeLast() }
        add(value)
    }

    private mutating func value(of level: Level) -> JSONValue {
        if level.isObject { return .object(members(of: level)) }
        // In what is whole, none is missing.
        return .array(values[level.firstValue...].map { $0 ?? .null })
    }

    /// Of members of one name, the first counts, as it does for `JSONDecoder` on Linux.
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
    /// The number that is written so (RFC 8259 6).
    init(number digits: String) {
        if let integer = Int64(digits) {
            self = .integer(integer)
        } else if let number = Double(digits), number.isFinite {
            // From 2⁵³ on, a Double without a part behind its point may have had one, or may have been another integer.
            let integer = number.magnitude < 0x1p53 ? Int64(exactly: number) : nil
            self = integer.map { .integer($0) } ?? .number(number)
        } else {
            self = .decimalString(digits)
        }
    }
}
