import StartSmallSupport
import StartSmallFoundation

/// A name and a text that a value gives, or a note about a member inside of another member.
struct QueryEntry {
    enum Kind {
        /// The entry has a text.
        case value

        /// A member that contains other members was opened.
        case opened

        /// Something, possibly nil, was put into such a member.
        case used
    }

    var kind = Kind.value
    var name: String
    var text: String

    /// Whether the text belongs to a list that is joined by commas.
    var isJoined: Bool

    /// Returns the query items of entries; consecutive entries of one joined list become one item.
    static func items(_ entries: [QueryEntry]) -> [URLQueryItem] {
        let entries = entries.filter { $0.kind == .value }
        var items: [URLQueryItem] = []
        var joined: [String] = []
        for (index, entry) in entries.enumerated() {
            joined.append(entry.text)
            if entry.isJoined, index + 1 < entries.count, entries[index + 1].isJoined,
                entries[index + 1].name.isSame(as: entry.name)
            {
                continue
            }
            items.append(URLQueryItem(name: entry.name, value: joined.joined(separator: ",")))
            joined = []
        }
        return items
    }

    /// Returns the name of a member that contains nothing; nil if there is none.
    ///
    /// A case of an enumeration without associated values is encoded as such a member.
    static func unused(_ entries: [QueryEntry]) -> String? {
        let used = Set(entries.lazy.filter { $0.kind == .used }.map { ByteEqualString($0.name) })
        return entries.first { $0.kind == .opened && !used.contains(ByteEqualString($0.name)) }?.name
    }
}

/// The position of an encoder in a value, and the name under which values there are written.
struct QueryPlace {
    /// The name; nil for the whole value.
    var name: String?
    var path: [any CodingKey] = []

    /// The number of values around this value; more than the length of the path where a value is encoded as another.
    var depth = 0
    var isJoined = false

    /// The reason why nothing can be written at this place; nil if there is none.
    var rejectionReason: String?

    func member(_ key: any CodingKey, of style: QueryEncoder, isDictionary: Bool = false) -> QueryPlace {
        let written = isDictionary || style.keys == .asIs ? key.stringValue : SnakeCase.from(key.stringValue)
        let name =
            switch (self.name, style.nesting) {
            case (nil, _): written
            case (let outer?, .brackets): "\(outer)[\(written)]"
            case (let outer?, .dots): "\(outer).\(written)"
            }
        return inner(key, name: name)
    }

    /// Returns the place of an element of a list.
    ///
    /// - Parameter number: the number of elements before it that are written; those that are not leave no gap.
    func element(_ index: Int, number: Int, of style: QueryEncoder) -> QueryPlace {
        let name = name.map { name in
            switch style.arrays {
            case .brackets: "\(name)[]"
            case .indices: "\(name)[\(number)]"
            case .repeated, .commas: name
            }
        }
        var place = inner(index.codingKey, name: name)
        place.isJoined = style.arrays == .commas
        return place
    }

    var deeper: QueryPlace {
        var place = self
        place.depth += 1
        return place
    }

    private func inner(_ key: any CodingKey, name: String?) -> QueryPlace {
        let rejectionReason = isJoined ? "A list joined by commas can't contain lists or members." : rejectionReason
        return QueryPlace(name: name, path: path + [key], depth: depth + 1, rejectionReason: rejectionReason)
    }
}

enum SnakeCase {
    /// Returns the snake case of a name, such as `per_page` for `perPage`.
    ///
    /// A word begins at a capital after anything else, or at a capital before a small letter.
    static func from(_ name: String) -> String {
        let letters = Array(name.unicodeScalars)
        var words = ""
        for (index, letter) in letters.enumerated() {
            guard letter.isCapital else {
                words.unicodeScalars.append(letter)
                continue
            }
            if index > 0, letters[index - 1] != "_" {
                let isLast = index + 1 == letters.count || !letters[index + 1].isSmall
                if !letters[index - 1].isCapital || !isLast { words += "_" }
            }
            words += letter.properties.lowercaseMapping
        }
        return words
    }
}

extension Unicode.Scalar {
    // A look-up of the properties takes longer.
    fileprivate var isCapital: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    fileprivate var isSmall: Bool { properties.isLowercase && !properties.isUppercase }
}
