import Foundation

/// A name and a text, as they come out of a value, or a note on a member within another.
struct QueryEntry {
    /// What an entry says of its name.
    enum Kind {
        /// There is this text.
        case value

        /// A member was opened that holds others.
        case opened

        /// Something was put into such a member, be it nil.
        case used
    }

    var kind = Kind.value
    var name: String
    var text: String

    /// Whether the text is one of a list that is joined by commas.
    var isJoined: Bool

    /// The items of these, where those of one joined list, which follow each other, are one.
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

    /// The name of a member that holds nothing, as a case of an enumeration without associated values is encoded; nil if
    /// there is none.
    static func unused(_ entries: [QueryEntry]) -> String? {
        let used = Set(entries.lazy.filter { $0.kind == .used }.map { ByteEqualString($0.name) })
        return entries.first { $0.kind == .opened && !used.contains(ByteEqualString($0.name)) }?.name
    }
}

/// Where in a value an encoder is, and under which name what it finds there is written.
struct QueryPlace {
    /// Nil for the whole.
    var name: String?
    var path: [any CodingKey] = []

    /// How many values this one is within; more than the path is long where a value is encoded as another.
    var depth = 0
    var isJoined = false

    /// Why nothing can be written here.
    var rejectionReason: String?

    /// The place of a member.
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

    /// The place of an element of a list.
    ///
    /// - Parameter number: how many elements in front of it are written: those that are not leave no hole behind them.
    func element(_ index: Int, number: Int, of style: QueryEncoder) -> QueryPlace {
        let name = name.map { name in
            switch style.arrays {
            case .brackets: "\(name)[]"
            case .indices: "\(name)[\(number)]"
            case .repeated, .commas: name
            }
        }
        var place = inner(QueryKey(intValue: index), name: name)
        place.isJoined = style.arrays == .commas
        return place
    }

    /// The same place, one value deeper.
    var deeper: QueryPlace {
        var place = self
        place.depth += 1
        return place
    }

    private func inner(_ key: any CodingKey, name: String?) -> QueryPlace {
        let rejectionReason = isJoined ? "A list joined by commas can't hold lists or members." : rejectionReason
        return QueryPlace(name: name, path: path + [key], depth: depth + 1, rejectionReason: rejectionReason)
    }
}

/// A key that no type has declared: an index, or the key of a dictionary.
struct QueryKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        (self.stringValue, intValue) = (stringValue, nil)
    }

    init(intValue: Int) {
        (stringValue, self.intValue) = ("\(intValue)", intValue)
    }
}
