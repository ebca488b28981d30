import Foundation
import StartSmall

/// A part of a request in HTTPie's notation, after the URL.
///
/// | item | part |
/// | --- | --- |
/// | `name=value` | a string in the JSON object of the payload, or in its form |
/// | `name:=json` | any JSON value in that object |
/// | `name=@FILE`, `name:=@FILE` | the same, from the content of a file |
/// | `name==value` | a query item |
/// | `Name:value` | a header field; `Name:` leaves it out, and `Name;` sends it empty |
///
/// The first separator counts. If two separators begin at the same place, the longer one counts. A second URL is not an
/// item.
enum RequestItem: Hashable {
    case text(String, PayloadArgument.Source)
    case json(String, PayloadArgument.Source)
    case query(String, String)

    /// A header field; nil as its value leaves it out.
    case header(String, String?)

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
        guard let index = bytes.firstIndex(where: { $0 == colon || $0 == equals }) else {
            guard let header = Self.header(word) else { return nil }
            self = header
            return
        }
        let name = String(word[..<index])
        let next = bytes.index(after: index)
        let hasSecond = next != bytes.endIndex && bytes[next] == equals
        let value = String(word[(hasSecond ? bytes.index(after: next) : next)...])
        switch (bytes[index] == colon, hasSecond) {
        case (true, true): self = .json(name, PayloadArgument.Source(value))
        case (true, false) where value.hasPrefix("//"): return nil
        case (true, false): self = Self.header(word) ?? .header(name, value)
        case (false, true): self = .query(name, value)
        case (false, false): self = .text(name, PayloadArgument.Source(value))
        }
    }

    /// Reads a header field as curl does: `Name: value`, `Name:` to leave it out, or `Name;` for an empty value.
    static func header(_ text: String) -> RequestItem? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            let name = String(text.dropLast())
            return text.last == ";" && HTTPToken.isToken(name) ? .header(name, "") : nil
        }
        let value = text[text.utf8.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return .header(String(text[..<colon]), value.isEmpty ? nil : value)
    }

    /// The name and the source of a part of the payload; nil for any other item.
    var member: (name: String, source: PayloadArgument.Source, isJSON: Bool)? {
        switch self {
        case .header, .query: nil
        case .text(let name, let source): (name, source, false)
        case .json(let name, let source): (name, source, true)
        }
    }

    /// Checks what is known of the members of a payload before any file is read.
    static func check(_ items: [RequestItem], asForm isForm: Bool) throws(UsageError) {
        let members = items.compactMap(\.member)
        if members.count(where: { $0.source == .standardInput }) > 1 {
            throw UsageError(reason: "two items from standard input")
        }
        if isForm, let json = members.first(where: \.isJSON) {
            throw UsageError(reason: "\(Redaction.standard.shown(url: json.name)):= in a form", hint: "use = there")
        }
        if isForm { return }
        // `null` is JSON and a text, as the content of a file can be.
        _ = try object(items) { if case .text(let text) = $0 { text } else { "null" } }
    }

    /// Returns the JSON object of the items, in their order.
    static func object(
        _ items: [RequestItem],
        read: (PayloadArgument.Source) throws(UsageError) -> String
    ) throws(UsageError) -> String {
        var names: Set<Data> = []
        var members: [String] = []
        for case let (name, source, isJSON)? in items.map(\.member) {
            guard names.insert(Data(name.utf8)).inserted else {
                throw UsageError(reason: "two values for \(Redaction.standard.shown(url: name))")
            }
            let text = try read(source)
            members.append("\(try quoted(name)):\(isJSON ? try json(text, of: name, source) : try quoted(text))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(
        _ text: String,
        of name: String,
        _ source: PayloadArgument.Source
    ) throws(UsageError) -> String {
        if let json = JSONFormatter.format(Data(text.utf8)) { return String(decoding: json, as: UTF8.self) }
        let shown = Redaction.standard.shown(url: name)
        if case .file(let path) = source { throw UsageError(reason: "\(path): not JSON, as \(shown):= needs it") }
        throw UsageError(reason: "\(shown):= needs JSON", hint: "\(shown)=… is a text")
    }

    private static func quoted(_ text: String) throws(UsageError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let json = try? encoder.encode(text) else { throw UsageError(reason: "a text that JSON can't contain") }
        return String(decoding: json, as: UTF8.self)
    }
}
