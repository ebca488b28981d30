extension Redaction {
    // What follows looks at bytes: as a `Character`, a mark with an accent on it would not be that mark. And it is done
    // for all that is shown, however long a server made it.

    /// `https://user:password@host/path` without its user information, wherever it stands in a text.
    func hidingUserInfo(of text: [UInt8]) -> [UInt8] {
        guard hidesUserInfo, let lastAt = text.lastIndex(of: .at) else { return text }
        let lastColon = text[..<lastAt].lastIndex(of: .colon) ?? text.startIndex
        var rest = text[...]
        var shown: [UInt8] = []
        while rest.startIndex < lastAt, let slashes = Self.slashes(in: rest) {
            shown += rest[..<(slashes + 2)]
            rest = rest[(slashes + 2)...]
            let fallback = rest.startIndex <= lastColon ? lastAt : nil
            guard let at = Self.endOfUserInfo(rest, unlessWhole: fallback) else { continue }
            shown += Self.placeholder.utf8
            rest = rest[at...]
        }
        return shown.isEmpty ? text : shown + rest
    }

    /// Where the first `//` is.
    static func slashes(in text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropLast().first { text[$0] == .slash && text[$0 + 1] == .slash }
    }

    /// Where the `@` is after the user information with which a text begins.
    ///
    /// An authority that is none, as in `user:pa/ss@host`, was cut short by a `/`, `?` or `#` that belongs to a
    /// password; then everything up to the last `@` may be part of it.
    private static func endOfUserInfo(_ text: ArraySlice<UInt8>, unlessWhole lastAt: Int?) -> Int? {
        let authority = text.prefix { !isEndOfAuthority($0) }
        if let at = authority.lastIndex(of: .at) { return at }
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

    /// `?a=1&token=2`, a fragment or parameters of that form, with the secret values replaced.
    ///
    /// - Parameter unfolding: whether to look into encoded values too, as into `?next=https%3A%2F%2Fhost%2F%3Ftoken%3D2`.
    func hidingItems(of text: [UInt8], unfolding: Bool) -> [UInt8] {
        guard text.contains(where: Self.isMark), text.contains(.equals) else { return text }
        var shown: [UInt8] = []
        shown.reserveCapacity(text.count)
        addItems(of: text[...], unfolding: unfolding, to: &shown)
        return shown
    }

    private func addItems(of text: ArraySlice<UInt8>, unfolding: Bool, to shown: inout [UInt8]) {
        var start = text.firstIndex(where: Self.isMark) ?? text.endIndex
        // From where on nothing was added yet: all up to the next secret is added at once.
        var rest = text.startIndex
        var isBehindSecret = false
        while start < text.endIndex {
            let end = text[(start + 1)...].firstIndex(where: Self.isMark) ?? text.endIndex
            let item = text[start..<end]
            start = end
            if isBehindSecret, Self.isRest(item) {
                rest = end
                continue
            }
            let front = frontOfSecret(item, in: text, unfolding: unfolding)
            isBehindSecret = front != nil
            if let front {
                shown += text[rest..<front.endIndex]
                shown += Self.placeholder.utf8
                rest = end
            }
        }
        shown += text[rest...]
    }

    /// A form (WHATWG URL 5.1), in which a value ends at `&` alone, with the secret values replaced.
    func hiding(form text: ArraySlice<UInt8>) -> [UInt8] {
        // As if an item began with the `&` in front of it.
        let text = [.and] + hidingUserInfo(of: Array(text))
        var shown: [UInt8] = []
        shown.reserveCapacity(text.count)
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[(start + 1)...].firstIndex(of: .and) ?? text.endIndex
            let item = text[start..<end]
            start = end
            if let front = frontOfSecret(item, in: nil, unfolding: true) {
                shown += front
                shown += Self.placeholder.utf8
            } else if item.dropFirst().contains(where: Self.isMark) {
                addItems(of: item, unfolding: true, to: &shown)
            } else {
                shown += item
            }
        }
        return Array(shown.dropFirst())
    }

    /// The `&name=` of an item whose value is secret.
    ///
    /// - Parameter text: where it stands, and where a value may end sooner or later than the item; nil if it is all of it.
    private func frontOfSecret(
        _ item: ArraySlice<UInt8>,
        in text: ArraySlice<UInt8>?,
        unfolding: Bool
    ) -> ArraySlice<UInt8>? {
        guard let equals = item.firstIndex(of: .equals) else { return nil }
        let name = RFC3986.decoded(item[..<equals].dropFirst())
        if unfolding, holdsSecret(item[(equals + 1)...]) { return item[...equals] }
        switch verdict(on: name) {
        case .shown: return nil
        case .hidden: return item[...equals]
        case .hiddenUnlessNumber:
            return NameVerdict.hiddenUnlessNumber.hides(item[(equals + 1)...]) ? item[...equals] : nil
        case .hiddenIfOdd:
            let rest = (text ?? item)[(equals + 1)...].prefix(Self.mostOfValue)
            let readings = text == nil ? [rest] : Self.readings(of: rest)
            return readings.contains { NameVerdict.hiddenIfOdd.hides(RFC3986.decoded($0)) } ? item[...equals] : nil
        }
    }

    /// What the value may be with which a text begins: up to the quote that closes it, or to what stands in no URL.
    ///
    /// What is behind a `;` or `?` may be the rest of it; see ``isRest(_:)``.
    private static func readings(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
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
    private static let mostOfValue = 12 * shortestOfOrdinaryName

    /// Whether a byte stands in no value of a URL, but behind one.
    private static func isEndOfValue(_ byte: UInt8) -> Bool {
        switch byte {
        case .and, UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: byte <= UInt8(ascii: " ")
        }
    }

    /// Whether what follows a secret may be the rest of it: `;` and `?` may stand in a value as they are (RFC 3986 3.4),
    /// and so may the `=` at the end of Base64.
    private static func isRest(_ item: ArraySlice<UInt8>) -> Bool {
        guard item.first == UInt8(ascii: ";") || item.first == UInt8(ascii: "?") else { return false }
        return item.drop { $0 != .equals }.allSatisfy { $0 == .equals }
    }

    private func holdsSecret(_ item: ArraySlice<UInt8>) -> Bool {
        guard item.contains(where: { $0 == .at || $0 == UInt8(ascii: "%") }) else { return false }
        let value = RFC3986.decoded(item)
        guard value.contains(where: Self.mayTell) else { return false }
        return hidingItems(of: hidingUserInfo(of: Array(value)), unfolding: false)[...] != value
    }

    /// Whether a byte ends user information or the name of an item: where there is none, nothing is hidden.
    static func mayTell(_ byte: UInt8) -> Bool {
        byte == .equals || byte == .at
    }

    /// Whether an item begins here.
    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ";"): true
        default: false
        }
    }
}

extension UInt8 {
    fileprivate static let and = UInt8(ascii: "&")
    fileprivate static let at = UInt8(ascii: "@")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let equals = UInt8(ascii: "=")
    fileprivate static let slash = UInt8(ascii: "/")
}
