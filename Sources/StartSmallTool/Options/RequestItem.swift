import Foundation
import StartSmall

/// A part of a request in HTTPie's notation, after the URL.
///
/// | item | part |
/// | --- | --- |
/// | `name=value` | a string in the JSON object of the payload |
/// | `name:=json` | any JSON value in that object |
/// | `name==value` | a query item |
/// | `Name:value` | a header field |
///
/// The first separator counts. If two separators begin at the same place, the longer one counts. A second URL is not an
/// item.
enum RequestItem: Hashable {
    case text(String, String)
    case json(String, String)
    case query(String, String)
    case header(String, String)

    /// Parses the words after a URL.
    static func read(_ words: ArraySlice<String>) throws(UsageError) -> [RequestItem] {
        var items: [RequestItem] = []
        for word in words {
            if let first = word.utf8.first, ":=".utf8.contains(first) {
                throw UsageError(reason: "an item without a name")
            }
            guard let item = RequestItem(word) else { throw .unexpected(word) }
            items.append(item)
        }
        return items
    }

    private init?(_ word: String) {
        let bytes = word.utf8
        let (colon, equals) = (UInt8(ascii: ":"), UInt8(ascii: "="))
        guard let index = bytes.firstIndex(where: { $0 == colon || $0 == equals }) else { return nil }
        let name = String(word[..<index])
        let next = bytes.index(after: index)
        let hasSecond = next != bytes.endIndex && bytes[next] == equals
        let value = String(word[(hasSecond ? bytes.index(after: next) : next)...])
        switch (bytes[index] == colon, hasSecond) {
        case (true, true): self = .json(name, value)
        case (true, false) where value.hasPrefix("//"): return nil
        case (true, false): self = .header(name, value.trimmingCharacters(in: .whitespaces))
        case (false, true): self = .query(name, value)
        case (false, false): self = .text(name, value)
        }
    }

    /// Returns the JSON object of the items, in their order; nil if no item is a JSON member.
    static func object(_ items: [RequestItem]) throws(UsageError) -> String? {
        var names: Set<Data> = []
        var members: [String] = []
        for item in items {
            guard let (name, value) = try item.member() else { continue }
            guard names.insert(Data(name.utf8)).inserted else {
                throw UsageError(reason: "two values for \(Redaction.standard.shown(url: name))")
            }
            members.append("\(try quoted(name)):\(value)")
        }
        return members.isEmpty ? nil : "{\(members.joined(separator: ","))}"
    }

    private func member() throws(UsageError) -> (String, String)? {
        switch self {
        case .header, .query: return nil
        case .text(let name, let value): return (name, try Self.quoted(value))
        case .json(let name, let value):
            guard let json = JSONFormatter.format(Data(value.utf8)) else {
                let shown = Redaction.standard.shown(url: name)
                throw UsageError(reason: "\(shown):= needs JSON", hint: "\(shown)=… is a text")
            }
            return (name, String(decoding: json, as: UTF8.self))
        }
    }

    private static func quoted(_ text: String) throws(UsageError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let json = try? encoder.encode(text) else { throw UsageError(reason: "a text that JSON can't contain") }
        return String(decoding: json, as: UTF8.self)
    }
}
