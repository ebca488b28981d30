/// Values that lie in each other, as they are found from the first byte of their JSON to the last.
///
/// Not all that is JSON can be held: not what lies deeper than ``JSONValue/deepest``, no half of a character, and no name
/// that is longer than ``longestName``.
struct JSONTree {
    /// So many bytes a name may have if they are not all of ASCII.
    ///
    /// To tell whether two names are one, a dictionary sorts their accents, and the time grows with the square of these.
    static let longestName = 1024

    private struct Level {
        let isObject: Bool
        var name = ""
        var elements: [JSONValue] = []
        var members: [String: JSONValue] = [:]
        var isWhole = true
    }

    /// The outermost value; nil if not all in it could be held.
    private(set) var value: JSONValue?

    /// The names of those members of the outermost object that are missing in it, as they could not be held.
    private(set) var missing: Set<String> = []

    private var levels: [Level] = []

    /// How many open arrays and objects lie too deep.
    private var levelsTooDeep = 0

    mutating func open(isObject: Bool) {
        if levels.count > JSONValue.deepest {
            levels[levels.count - 1].isWhole = false
            levelsTooDeep += 1
        } else {
            levels.append(Level(isObject: isObject))
        }
    }

    /// What the next member of the innermost object is called; nil if that can't be held.
    mutating func name(_ name: String?) {
        guard levelsTooDeep == 0 else { return }
        if let name, name.utf8.count <= Self.longestName || name.utf8.allSatisfy({ $0 < 0x80 }) {
            levels[levels.count - 1].name = name
        } else {
            levels[levels.count - 1].isWhole = false
        }
    }

    /// Adds to what is innermost; nil if it can't be held.
    mutating func add(_ value: JSONValue?) {
        guard levelsTooDeep == 0 else { return }
        let last = levels.count - 1
        if last < 0 {
            self.value = value
        } else if let value, levels[last].isObject {
            let name = levels[last].name
            // Of members of one name, the first counts, as it does for `JSONDecoder` on Linux.
            if last == 0, missing.contains(name) { return }
            if let first = levels[last].members.updateValue(value, forKey: name) { levels[last].members[name] = first }
        } else if let value {
            levels[last].elements.append(value)
        } else if last == 0, levels[last].isObject {
            if levels[last].members[levels[last].name] == nil { missing.insert(levels[last].name) }
        } else {
            levels[last].isWhole = false
        }
    }

    /// Ends what is innermost.
    mutating func close() {
        guard levelsTooDeep == 0 else { return levelsTooDeep -= 1 }
        let level = levels.removeLast()
        let value = level.isObject ? JSONValue.object(level.members) : .array(level.elements)
        add(level.isWhole ? value : nil)
    }
}

extension JSONValue {
    /// The number that is written so (RFC 8259 6).
    init(number digits: String) {
        if let integer = Int(digits) {
            self = .integer(integer)
        } else if let number = Double(digits), number.isFinite {
            // From 2⁵³ on, a Double without a part behind its point may have had one, or may have been another integer.
            let integer = number.magnitude < 0x1p53 ? Int(exactly: number) : nil
            self = integer.map { .integer($0) } ?? .number(number)
        } else {
            self = .digits(digits)
        }
    }
}
