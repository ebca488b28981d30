import StartSmallCore
import StartSmallSupport

/// An encoder that visits all parts of a value and emits their entries in order.
struct QueryEntryEncoder: Encoder {
    let style: QueryEncoder
    let place: QueryPlace
    let emit: (QueryEntry) -> Void

    var codingPath: [any CodingKey] { place.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedQueryContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedQueryContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleQueryContainer(encoder: at(place.deeper))
    }

    func at(_ place: QueryPlace) -> QueryEntryEncoder {
        QueryEntryEncoder(style: style, place: place, emit: emit)
    }

    func member(_ key: any CodingKey) -> QueryEntryEncoder {
        at(place.member(key, of: style))
    }

    /// Emits a note that a member exists, or that something was put into it.
    func note(_ kind: QueryEntry.Kind) {
        if let name = place.name { emit(QueryEntry(kind: kind, name: name, text: "", isJoined: false)) }
    }

    func encode(_ value: some Encodable) throws {
        try check()
        if let text = try style.text(of: value, at: place.path) {
            try write(text)
        } else if let members = value as? any UnorderedMembers {
            for (key, value) in try members.sorted(nameOf: name) {
                try at(place.member(key, of: style, isDictionary: true)).encode(value)
            }
        } else if let elements = (value as? any UnorderedElements)?.sortedElements {
            var number = 0
            for (index, element) in elements.enumerated() {
                if try writes(index, number: number, { try $0.encode(element) }) { number += 1 }
            }
        } else {
            try value.encode(to: self)
        }
    }

    /// Writes an element of a list, and returns whether any entry with a text was written.
    func writes(_ index: Int, number: Int, _ write: (QueryEntryEncoder) throws -> Void) throws -> Bool {
        var isWritten = false
        let place = place.element(index, number: number, of: style)
        try write(
            QueryEntryEncoder(style: style, place: place) { entry in
                isWritten = isWritten || entry.kind == .value
                emit(entry)
            }
        )
        return isWritten
    }

    func encodeNil() throws {
        switch style.nils {
        case .dropped: try check()
        case .empty: try write("")
        case .null: try write("null")
        }
    }

    private func write(_ text: String) throws {
        try check()
        guard let name = place.name else { throw failure("A query needs names; the top-level value has none.") }
        if place.isJoined, text.utf8.contains(UInt8(ascii: ",")) {
            throw failure("A text in a list joined by commas can't contain a comma.")
        }
        emit(QueryEntry(name: name, text: text, isJoined: place.isJoined))
    }

    /// Returns the name that a key of a dictionary gives.
    ///
    /// - Throws: ``QueryEncoder/Failure`` if the key is not written as one text.
    private func name(of key: any Encodable) throws -> String {
        var style = style
        style.arrays = .brackets
        var entries: [QueryEntry] = []
        var place = place
        (place.name, place.isJoined) = ("", false)
        try QueryEntryEncoder(style: style, place: place) { entries.append($0) }.encode(key)
        guard let entry = entries.first, entries.count == 1, entry.kind == .value, entry.name.isEmpty else {
            throw failure("A key of a dictionary is not a single text.")
        }
        return entry.text
    }

    private func check() throws {
        if let rejectionReason = place.rejectionReason { throw failure(rejectionReason) }
        if place.depth > QueryEncoder.maximumDepth {
            throw failure("Nested deeper than \(QueryEncoder.maximumDepth) values.")
        }
    }

    private func failure(_ reason: String) -> QueryEncoder.Failure {
        QueryEncoder.Failure(reason: reason, path: place.path.place)
    }
}

/// A dictionary, whose members are unordered.
private protocol UnorderedMembers {
    /// Returns the members sorted by key: numbers by value, other keys by the names that `nameOf` returns.
    func sorted(nameOf: (any Encodable) throws -> String) throws -> [(any CodingKey, any Encodable)]
}

extension Dictionary: UnorderedMembers where Key: Encodable, Value: Encodable {
    fileprivate func sorted(nameOf name: (any Encodable) throws -> String) throws -> [(any CodingKey, any Encodable)] {
        if let type = Key.self as? any FixedWidthInteger.Type { return sorted(by: type) }
        let members = try map { key, value in
            (try key as? String ?? (key as? any CodingKeyRepresentable)?.codingKey.stringValue ?? name(key), value)
        }
        return members.sorted { $0.0.isBefore($1.0) }.map { ($0.0.codingKey, $0.1) }
    }

    private func sorted<Number: FixedWidthInteger>(by type: Number.Type) -> [(any CodingKey, any Encodable)] {
        let members = self as? [Number: Value] ?? [:]
        return members.sorted { $0.key < $1.key }.map { ("\($0.key)".codingKey, $0.value) }
    }
}

/// A set, whose elements are unordered.
private protocol UnorderedElements {
    var sortedElements: [any Encodable] { get }
}

extension Set: UnorderedElements where Element: Encodable {
    fileprivate var sortedElements: [any Encodable] {
        map { ("\($0)", $0) }.sorted { $0.0.isBefore($1.0) }.map(\.1)
    }
}
