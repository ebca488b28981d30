extension Redactor {
    // These functions compare bytes: as a `Character`, a delimiter with a combining accent would not equal the
    // delimiter. They run on all text that is shown, of any length that a server chooses.

    /// Replaces the user information of each URL in a text, as in `https://user:password@host/path`.
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

    /// Returns the index of the `@` after the user information with which a text begins.
    ///
    /// An invalid authority, as in `user:pa/ss@host`, was cut short by a `/`, `?` or `#` that belongs to a password.
    /// Then everything up to the last `@` may be part of the password.
    ///
    /// - Parameters:
    ///   - text: the text after the `//`.
    ///   - lastAt: the index of the last `@`, which is returned if the authority is invalid; nil for none.
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
    /// Returns the index of the first `//`.
    static func slashes(in text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropLast().first { text[$0] == .slash && text[$0 + 1] == .slash }
    }

    /// Returns the possible values with which a text begins.
    ///
    /// A value ends at its closing quote, or at a character that can't be in a URL.
    static func readings(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let opening = text.prefix(while: isOpening)
        let value = text[opening.endIndex...]
        let plain = value.prefix { !isEndOfValue($0) }
        guard let quote = opening.last(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) else {
            return [plain]
        }
        return [plain, value.prefix { $0 != quote }]
    }

    /// Returns whether a byte can be in front of a value.
    private static func isOpening(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: " "),
            UInt8(ascii: "\t"):
            true
        default: false
        }
    }

    /// The number of bytes to examine for whether a value is long: each character has at most 12, of four triplets.
    static let mostOfValue = 12 * shortestOfAmbiguousName

    /// Returns whether a byte can't be in a value of a URL, but can follow one.
    private static func isEndOfValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: byte <= UInt8(ascii: " ")
        }
    }

    /// Returns whether a byte may belong to user information, an item, JSON or XML, or to an encoding of these.
    ///
    /// A text without such a byte has nothing to hide.
    static func mayReveal(_ byte: UInt8) -> Bool {
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
