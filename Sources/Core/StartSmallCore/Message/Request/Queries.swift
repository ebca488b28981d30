public import StartSmallSupport
public import StartSmallFoundation

/// Query items as they are written in a literal: `["q": "swift", "page": 2, "flag": nil]`.
///
/// The items keep their order. An item without a value is a name alone. Numbers and Boolean values are written as their
/// descriptions.
///
/// ```swift
/// .get("https://api.example.com/search", queries: ["q": "swift", "page": 2, "tag": "a", "tag": "b", "flag": nil])
/// .get("https://api.example.com/search", queries: Queries(items))
/// ```
public struct Queries: Equatable, Sendable {
    /// The items in order, including duplicates.
    public var items: [URLQueryItem]

    /// Creates queries from items.
    public init(_ items: [URLQueryItem] = []) {
        self.items = items
    }
}

extension Queries: ExpressibleByDictionaryLiteral {
    /// Creates queries from a literal, in its order and including duplicates; nil is a name without a value.
    public init(dictionaryLiteral elements: (String, (any LosslessStringConvertible)?)...) {
        self.init(elements.map { URLQueryItem(name: $0, value: $1?.description) })
    }
}

extension Queries: ExpressibleByArrayLiteral {
    /// Creates queries from a literal of items.
    public init(arrayLiteral elements: URLQueryItem...) {
        self.init(elements)
    }
}

extension Queries: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The items on one line, not percent-encoded, with credentials redacted.
    public var description: String {
        let redaction = Redaction.standard
        return items.map { item in
            redaction.shown(text: item.name) + (item.value.map { "=\(redaction.shown($0, of: item.name))" } ?? "")
        }.joined(separator: "&")
    }
}
