// All functions compare bytes: as a `Character`, a delimiter with a combining accent would not equal the delimiter.
// They run on text of any length that a server chooses, and take linear time.

import StartSmallSupport

extension Redaction {
    /// Returns the text of a URL with its hidden parts replaced, on one line.
    ///
    /// Hidden are the user information, and the values of sensitive names in the query, the fragment and the path.
    ///
    /// - Parameter text: any text; it need not be a valid URL.
    public func shown(url text: String) -> String {
        let front = Array(text.utf8.prefix(Self.authorities(in: Array(text.utf8)).first ?? text.utf8.count))
        // User information without a scheme.
        guard hidesUserInfo, front.first != UInt8(ascii: "/"), let at = front.lastIndex(of: UInt8(ascii: "@")),
            front[..<at].contains(UInt8(ascii: ":"))
        else { return hiding(url: text) }
        return hiding(url: Self.placeholder + String(decoding: text.utf8.dropFirst(at), as: UTF8.self))
    }

    private func hiding(url text: String) -> String {
        String(decoding: hiding(text: Array(text.utf8), isURL: true), as: UTF8.self).onOneLine
    }

    /// Returns a text, such as the value of a header field, with the hidden parts of URLs inside of it replaced, on one
    /// line.
    ///
    /// Behind any other sensitive name and `=`, or `:` and a quote, the rest of the text is hidden.
    public func shown(text: String) -> String {
        hiding(text: text).onOneLine
    }

    /// Returns a text with the hidden parts replaced, and with its line breaks kept.
    package func hiding(text: String) -> String {
        hidesNothing ? text : String(decoding: hiding(text: Array(text.utf8)), as: UTF8.self)
    }

    /// Returns a text in UTF-8 with the hidden parts replaced.
    ///
    /// A value that contains something to hide in decoded form, or is encoded twice, is hidden as a whole.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isDecoded: whether the text is the decoded form of another one.
    ///   - isURL: whether the text is one URL, in which a blank or a quote is a part of a value.
    package func hiding(text: [UInt8], isDecoded: Bool = false, isURL: Bool = false) -> [UInt8] {
        guard !hidesNothing, text.contains(where: Self.mayReveal) else { return text }
        let text = hidingUserInfo(in: text)
        var (shown, rest, index) = ([UInt8](), text[...], 0)
        while index < text.count {
            let name = text[index...].prefix(while: Self.isOfName)
            index = max(name.endIndex, index + 1)
            guard let (start, isItem) = value(behind: name, in: text) else { continue }
            let end = text[start...].firstIndex { isURL ? "&#".utf8.contains($0) : Self.endsItem($0) }
            index = isItem ? end ?? text.count : text.count
            shown += hidingEncoded(rest[..<start], isDecoded: isDecoded) + Array(Self.placeholder.utf8)
            rest = text[index...]
        }
        return shown + hidingEncoded(rest, isDecoded: isDecoded)
    }

    /// Returns whether a byte may be of user information, of an item or of a name with a value.
    package static func mayReveal(_ byte: UInt8) -> Bool { "=:@%".utf8.contains(byte) }

    /// Returns the start of the value behind a sensitive name, and whether it is an item of a URL, whose end is known.
    private func value(behind name: ArraySlice<UInt8>, in text: [UInt8]) -> (start: Int, isItem: Bool)? {
        let sensitivity = sensitivity(of: URIEncoding.decoded(name))
        if sensitivity == .shown { return nil }
        let gap = text[name.endIndex...].prefix(while: Self.isGap)
        let value = text[gap.endIndex...].dropFirst()
        let content = value.drop(while: Self.isGap)
        guard let sign = text[gap.endIndex...].first, let first = value.first, !content.isEmpty,
            !Self.isPlaceholder(content)
        else { return nil }
        let isInURL = gap.isEmpty && (name.startIndex == 0 || "?&#;/".utf8.contains(text[name.startIndex - 1]))
        switch sign {
        case UInt8(ascii: "=") where isInURL && "&#".utf8.contains(first): return nil
        case UInt8(ascii: "=") where isInURL && !Self.endsItem(first): return (value.startIndex, true)
        case UInt8(ascii: "=") where isInURL || sensitivity == .hidden: return (value.startIndex, false)
        case UInt8(ascii: ":") where sensitivity == .hidden && Self.isJSON(before: gap, behind: value):
            return (value.startIndex, false)
        default: return nil
        }
    }

    /// Returns whether a colon is between a name and a value, as in JSON; in `token: expired`, it is not.
    private static func isJSON(before gap: ArraySlice<UInt8>, behind value: ArraySlice<UInt8>) -> Bool {
        let next = value.first { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "\\") } ?? 0
        return isQuote(next) || gap.contains(where: isQuote) && (next.isASCIIDigit || "{[-".utf8.contains(next))
    }

    /// Returns whether a text begins with a placeholder, and not with a text that only begins like one.
    private static func isPlaceholder(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: placeholder.utf8) && text.dropFirst(placeholder.utf8.count).first.map(isOfName) != true
    }

    /// Returns a text with the items replaced whose value, in decoded form, has something to hide.
    private func hidingEncoded(_ text: ArraySlice<UInt8>, isDecoded: Bool) -> [UInt8] {
        guard text.contains(URIEncoding.percent) else { return Array(text) }
        var (shown, rest) = ([UInt8](), text)
        while !rest.isEmpty {
            let item = rest.prefix { !Self.endsItem($0) }
            let value = item[(item.firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? item.startIndex)...]
            let isHidden = hidesEncoded(value, isDecoded: isDecoded)
            shown += isHidden ? item[..<value.startIndex] + Array(Self.placeholder.utf8) : Array(item)
            rest = rest[item.endIndex...]
            if let end = rest.popFirst() { shown.append(end) }
        }
        return shown
    }

    /// Returns whether a value contains something to hide in decoded form, or is encoded too often to be read.
    package func hidesEncoded(_ value: ArraySlice<UInt8>, isDecoded: Bool = false) -> Bool {
        if isDecoded { return URIEncoding.decoded(value) != value }
        let decoded = Array(URIEncoding.decodedForm(value))
        return hiding(text: decoded, isDecoded: true) != decoded
    }

    /// Returns whether a byte can be in a name; a `%` may begin an escape of one.
    private static func isOfName(_ byte: UInt8) -> Bool {
        URIEncoding.isUnreserved(byte) || byte >= 0x80 || byte == URIEncoding.percent || "[]$".utf8.contains(byte)
    }

    /// Returns whether a byte ends the value of an item; other separators may belong to the value.
    private static func endsItem(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || "&#\"<>".utf8.contains(byte) }

    private static func isQuote(_ byte: UInt8) -> Bool { "\"'`".utf8.contains(byte) }

    /// Returns whether a byte can be between a name, a sign and a value.
    private static func isGap(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || isQuote(byte) || byte == UInt8(ascii: "\\")
    }

    // MARK: - User information

    /// Replaces the user information of each URL in a text, as in `https://user:password@host/path`.
    private func hidingUserInfo(in text: [UInt8]) -> [UInt8] {
        guard hidesUserInfo, let lastAt = text.lastIndex(of: UInt8(ascii: "@")) else { return text }
        let lastColon = text[..<lastAt].lastIndex(of: UInt8(ascii: ":")) ?? text.startIndex
        var (shown, rest) = ([UInt8](), text[...])
        for start in Self.authorities(in: text) where rest.startIndex <= start && start <= lastAt {
            shown += rest[..<start]
            rest = rest[start...]
            let fallback = rest.startIndex <= lastColon ? lastAt : nil
            guard let at = Self.endOfUserInfo(rest, unlessWhole: fallback) else { continue }
            shown += Self.placeholder.utf8
            rest = rest[at...]
        }
        return shown + rest
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
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
        if text.starts(with: "\(placeholder)@".utf8) { return text.startIndex + placeholder.utf8.count }
        return authority.isEmpty || mayBeUserInfo(authority) ? lastAt : nil
    }

    /// Returns whether anything but a port is behind the host of an authority.
    private static func mayBeUserInfo(_ authority: ArraySlice<UInt8>) -> Bool {
        let afterHost = authority.first == UInt8(ascii: "[") ? authority.drop { $0 != UInt8(ascii: "]") } : authority
        return !afterHost.drop { $0 != UInt8(ascii: ":") }.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool { #"/?#"<> "#.utf8.contains(byte) }

    /// Returns the indices behind each `//`, whose slashes some writers of JSON escape.
    private static func authorities(in text: [UInt8]) -> [Int] {
        text.indices.compactMap { index in
            guard text[index] == UInt8(ascii: "/") else { return nil }
            let next = text[(index + 1)...].drop { $0 == UInt8(ascii: "\\") }
            return next.first == UInt8(ascii: "/") ? next.startIndex + 1 : nil
        }
    }
}
