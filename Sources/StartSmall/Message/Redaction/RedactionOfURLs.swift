extension Redactor {
    // What follows looks at bytes: as a `Character`, a mark with an accent on it would not be that mark. And it is done
    // for all that is shown, however long a server made it.

    /// `https://user:password@host/path` without its user information, wherever it stands in a text.
    mutating func userInfo(of text: [UInt8]) -> [UInt8] {
        guard redaction.hidesUserInfo, let lastAt = text.lastIndex(of: .at) else { return text }
        let lastColon = text[..<lastAt].lastIndex(of: .colon) ?? text.startIndex
        var rest = text[...]
        var shown: [UInt8] = []
        while rest.startIndex < lastAt, let slashes = Redaction.slashes(in: rest) {
            shown += rest[..<(slashes + 2)]
            rest = rest[(slashes + 2)...]
            let fallback = rest.startIndex <= lastColon ? lastAt : nil
            guard let at = Self.endOfUserInfo(rest, unlessWhole: fallback) else { continue }
            if Placeholder(rest[..<at]) == nil { collect(userInfo: rest[..<at]) }
            shown += placeholder(for: .userInfo(Array(rest[..<at])))
            rest = rest[at...]
        }
        return shown.isEmpty ? text : shown + rest
    }

    /// Where the `@` is after the user information with which a text begins.
    ///
    /// An authority that is none, as in `user:pa/ss@host`, was cut short by a `/`, `?` or `#` that belongs to a
    /// password; then everything up to the last `@` may be part of it.
    private static func endOfUserInfo(_ text: ArraySlice<UInt8>, unlessWhole lastAt: Int?) -> Int? {
        let authority = text.prefix { !isEndOfAuthority($0) }
        if let at = authority.lastIndex(of: .at) { return at }
        if let (_, count) = Placeholder.prefix(of: text) {
            let behind = text.startIndex + count
            if behind < text.endIndex, text[behind] == .at { return behind }
        }
        let afterHost = authority.first == UInt8(ascii: "[") ? authority.drop { $0 != UInt8(ascii: "]") } : authority
        let digits = afterHost.drop { $0 != .colon }.dropFirst()
        let isWhole = !authority.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isWhole ? nil : lastAt
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case .slash, UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: " "):
            true
        default: false
        }
    }
}

extension Redaction {
    /// Where the first `//` is.
    static func slashes(in text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropLast().first { text[$0] == .slash && text[$0 + 1] == .slash }
    }

    /// What the value may be with which a text begins: up to the quote that closes it, or to what stands in no URL.
    static func readings(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let opening = text.prefix(while: isOpening)
        let value = text[opening.endIndex...]
        let plain = value.prefix { !isEndOfValue($0) }
        guard let quote = opening.last(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) else {
            return [plain]
        }
        return [plain, value.prefix { $0 != quote }]
    }

    /// Whether a byte may stand in front of a value.
    private static func isOpening(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: " "),
            UInt8(ascii: "\t"):
            true
        default: false
        }
    }

    /// How many bytes are looked at to tell whether a value is long: each character has 12 at most, of four triplets.
    static let mostOfValue = 12 * shortestOfAmbiguousName

    /// Whether a byte stands in no value of a URL, but behind one.
    private static func isEndOfValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: byte <= UInt8(ascii: " ")
        }
    }

    /// Whether a byte may belong to user information, an item, JSON or XML, or to an encoding of these: where there is
    /// none, nothing is hidden.
    static func mayTell(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), .at, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ">"), UInt8(ascii: "%"): true
        default: false
        }
    }
}

extension UInt8 {
    fileprivate static let at = UInt8(ascii: "@")
    fileprivate static let slash = UInt8(ascii: "/")
}
