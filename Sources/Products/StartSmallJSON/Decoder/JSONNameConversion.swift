import StartSmallFoundation

/// The conversion of the names of members by a `JSONDecoder.KeyDecodingStrategy`.
final class JSONNameConversion {
    /// The custom conversion of a coding path to the last key of it; nil for the conversion from snake case.
    private let custom: (@Sendable ([any CodingKey]) -> any CodingKey)?

    /// The converted names in ASCII, since converting one takes many times as long as looking it up.
    ///
    /// Other names are not kept, since names with equal characters can have different bytes.
    private var converted: [String: String] = [:]

    /// Creates a conversion; nil converts from snake case.
    init(custom: (@Sendable ([any CodingKey]) -> any CodingKey)?) { self.custom = custom }

    func name(_ name: String, isASCII: Bool, in path: [any CodingKey]) -> String {
        if let custom { return custom(path + [JSONPathKey(stringValue: name)]).stringValue }
        guard isASCII else { return Self.camelCase(name) }
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        if let name = converted[name] { return name }
        let camelCase = Self.camelCase(name)
        converted[name] = camelCase
        return camelCase
    }

    var needsPath: Bool { custom != nil }

    /// Converts a name as `.convertFromSnakeCase` does: all words but the first are capitalized, and the underscores
    /// at both ends stay.
    private static func camelCase(_ name: String) -> String {
        guard let start = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[start...last].split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        let capitalized = words.dropFirst().map(\.capitalized).joined()
        return name[..<start] + first.lowercased() + capitalized + name[name.index(after: last)...]
    }
}
