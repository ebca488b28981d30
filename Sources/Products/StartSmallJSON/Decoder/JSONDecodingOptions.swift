import StartSmallFoundation

struct JSONDecodingOptions {
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floats: JSONDecoder.NonConformingFloatDecodingStrategy
    let names: JSONNameConversion?
    let userInfo: [CodingUserInfoKey: Any]

    /// Reads the options of a decoder; nil if one of them is known to Foundation only.
    init?(_ decoder: JSONDecoder) {
        // No option is set before all are known: an incomplete value would be copied.
        let userInfo = decoder.userInfo
        guard userInfo.isEmpty || !decoder.assumesTopLevelDictionary else { return nil }
        let dates = decoder.dateDecodingStrategy
        guard dates.isKnown else { return nil }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: names = nil
        case .convertFromSnakeCase: names = JSONNameConversion(custom: nil)
        case .custom(let convert): names = JSONNameConversion(custom: convert)
        @unknown default: return nil
        }
        (self.dates, data) = (dates, decoder.dataDecodingStrategy)
        floats = decoder.nonConformingFloatDecodingStrategy
        // Converting an empty dictionary takes time, too.
        self.userInfo = userInfo.isEmpty ? [:] : userInfo.mapValues { $0 }
    }
}

extension JSONDecoder.DateDecodingStrategy {
    // Not a switch: on Apple platforms, there is one more strategy (`.formatted`), and there may be others.
    fileprivate var isKnown: Bool {
        if case .deferredToDate = self { return true }
        if case .secondsSince1970 = self { return true }
        if case .millisecondsSince1970 = self { return true }
        if case .iso8601 = self { return true }
        return if case .custom = self { true } else { false }
    }
}

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
