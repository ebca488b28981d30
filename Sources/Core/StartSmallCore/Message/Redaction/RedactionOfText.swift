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
        if hidesNothing { return text.onOneLine }
        var text = Array(text.utf8)
        let front = text[..<(Self.authorities(in: text).first ?? text.endIndex)]
        // User information without a scheme.
        if hidesUserInfo, front.first != .slash, let at = front.lastIndex(of: .at), front[..<at].contains(.colon) {
            text.replaceSubrange(..<at, with: Self.placeholder.utf8)
        }
        let shown = hidingItems(in: hidingUserInfo(in: text)[...], .url)
        return String(decoding: hidingForms(in: shown), as: UTF8.self).onOneLine
    }

    /// Returns a text with the hidden parts of all URLs inside of it replaced, on one line.
    ///
    /// Behind a sensitive name and `=`, or `:` and a quote, the rest of the text is hidden, and so it is behind a
    /// sensitive name in a tag.
    public func shown(text: String) -> String {
        hiding(text: text).onOneLine
    }

    /// Returns a text with the hidden parts replaced, and with its line breaks kept.
    package func hiding(text: String) -> String {
        hidesNothing ? text : String(decoding: hiding(text: Array(text.utf8)), as: UTF8.self)
    }

    /// Returns a text in UTF-8 with the hidden parts replaced.
    ///
    /// - Parameters:
    ///   - isCut: whether there were more characters, so that the last secret may be incomplete.
    ///   - isInner: whether the text was decoded from another text; if it is encoded again, it is hidden.
    ///   - isPayload: whether the text is of a payload, which may be of any syntax: the rest is hidden behind a sensitive
    ///     name and any `:`, too, and behind one in quotes. In a description, `token: expired` names an error.
    package func hiding(text: [UInt8], isCut: Bool = false, isInner: Bool = false, isPayload: Bool = false) -> [UInt8] {
        guard !hidesNothing, text.contains(where: Self.mayReveal) || isCut && text.contains(.slash) else {
            return hidingForms(in: text, isCut: isCut)
        }
        let text = hidingUserInfo(in: isCut ? hidingOpenAuthority(in: text) : text)
        var (shown, rest) = ([UInt8](), text[...])
        while !rest.isEmpty {
            let word = rest.prefix { !Self.isGap($0) }
            rest = rest[word.endIndex...]
            let isItem = word.contains { ItemKind.word.separates($0) || $0 == URIEncoding.percent }
            shown += isItem ? hidingItems(in: word, .word, isCut: isCut && rest.isEmpty, isInner: isInner) : Array(word)
            let gap = rest.prefix(while: Self.isGap)
            shown += gap
            rest = rest[gap.endIndex...]
        }
        // Where the value of a name ends is not known in a text of any syntax.
        let end = revealed(in: shown, isPayload: isPayload)?.index
        return hidingForms(in: end.map { shown[..<$0] + Array(Self.placeholder.utf8) } ?? shown, isCut: isCut)
    }

    /// Returns whether a byte may be of user information that ends, an item or a name with a value.
    private static func mayReveal(_ byte: UInt8) -> Bool { #"=:@%<\"'`"#.utf8.contains(byte) }

    /// Returns whether a byte is between two words of a text, and never in a URL.
    private static func isGap(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == .quote || byte == .less || byte == .greater
    }

    /// Returns an engine's error text without each word that may be a URL.
    ///
    /// A URL could contain a credential anywhere.
    package static func withoutURLs(_ text: String) -> String {
        let words = Array(text.utf8).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let shown = words.map { $0.holds("://") ? Array(placeholder.utf8)[...] : $0 }
        return String(decoding: Array(shown.joined(separator: " ".utf8)), as: UTF8.self)
    }
}

// MARK: - Items of URLs and forms

/// A kind of text that has items: names and values.
package enum ItemKind {
    case url, form

    /// A word of a text, which may be a URL.
    case word

    /// Returns whether a byte separates two items.
    func separates(_ byte: UInt8) -> Bool {
        self == .form ? byte == .and : "?#&;".utf8.contains(byte)
    }

    /// Returns whether a byte ends the value of a sensitive name.
    ///
    /// Other separators may belong to the value.
    fileprivate func endsValue(_ byte: UInt8) -> Bool {
        byte == .and || self != .form && byte == UInt8(ascii: "#")
    }
}

extension Redaction {
    /// Replaces the values of sensitive names, and values that contain something to hide in decoded form.
    package func hidingItems(
        in text: ArraySlice<UInt8>,
        _ kind: ItemKind,
        isCut: Bool = false,
        isInner: Bool = false
    ) -> [UInt8] {
        var (shown, rest) = ([UInt8](), text)
        while true {
            var item = rest.prefix { !kind.separates($0) }
            let equals = item.firstIndex(of: .equals)
            let name = equals.map { URIEncoding.decodedForm(item[..<$0]) } ?? []
            if let equals, sensitivity(of: name) != .shown {
                item = rest[..<(rest[equals...].firstIndex(where: kind.endsValue) ?? rest.endIndex)]
                let isEmpty = equals + 1 == item.endIndex
                shown += item[...equals] + (isEmpty ? [] : Array(Self.placeholder.utf8))
            } else {
                let value = equals.map { item[($0 + 1)...] } ?? item
                let isOpen = isCut && item.endIndex == text.endIndex
                if hides(Array(name), kind, isInner: isInner) {
                    shown += Self.placeholder.utf8
                } else if hides(value, kind, isCut: isOpen, isInner: isInner) {
                    shown += item[..<value.startIndex] + Array(Self.placeholder.utf8)
                    item = rest[..<(rest[item.endIndex...].firstIndex(where: kind.endsValue) ?? rest.endIndex)]
                } else {
                    shown += item
                }
            }
            rest = rest[item.endIndex...]
            guard let separator = rest.popFirst() else { return shown }
            shown.append(separator)
        }
    }

    /// Returns whether a value contains something to hide in decoded form, or is encoded too often to be read.
    private func hides(
        _ value: some Collection<UInt8>,
        _ kind: ItemKind,
        isCut: Bool = false,
        isInner: Bool
    ) -> Bool {
        if value.isEmpty { return false }
        let value = Array(value)[...]
        let isEncoded = URIEncoding.decoded(value) != value
        if isInner { return isEncoded }
        let decoded = Array(URIEncoding.decodedForm(value))
        return hiding(text: decoded, isCut: isCut, isInner: true, isPayload: kind == .form) != decoded
    }

    // MARK: - Names in a text

    /// Returns the first sensitive name that has a value in a text of any syntax, and the index of that value.
    ///
    /// A name is also found where escapes of JavaScript spell it.
    package func revealed(
        in written: [UInt8],
        isPayload: Bool,
        besides names: Set<String> = []
    ) -> (name: String, index: Int)? {
        let (text, indices) = Self.unescaped(written)
        var (index, tag) = (0, Tag(behind: 0, in: []))
        lazy var isOfOAuth = Self.isOfOAuth(text)
        // A field of HTML has no end tag.
        lazy var isHTML = !text.map(\.asciiLowercased)[...].holds("</input")
        let found = { (name: ArraySlice<UInt8>, index: Int?) -> (String, Int)? in
            guard let index else { return nil }
            let name = String(decoding: name, as: UTF8.self)
            return names.isEmpty || !names.contains(name.lowercased()) ? (name, indices?[index] ?? index) : nil
        }
        while index < text.count {
            if text[index] == .less {
                tag = isPayload ? Tag(behind: index + 1, in: text) : tag
                tag.isField = tag.isField && isHTML
                let name = text[(index + 1)...].prefix { Self.isOfName($0) || $0 == .colon }
                if sensitivity(of: name) == .hidden, !Self.isEmptyElement(text[name.endIndex...]),
                    let found = found(name, Self.value(behind: name.endIndex, in: text))
                {
                    return found
                }
            }
            let name = text[index...].prefix(while: Self.isOfName)
            let value = hiddenValue(of: name, in: text, isPayload: isPayload, tag: tag, isOfOAuth: isOfOAuth)
            if let found = found(name, value) { return found }
            index = max(name.endIndex, index + 1)
        }
        return nil
    }

    /// Returns the start of the value of a name in a text; nil if there is no value, or if it is shown.
    private func hiddenValue(
        of name: ArraySlice<UInt8>,
        in text: [UInt8],
        isPayload: Bool,
        tag: Tag,
        isOfOAuth: @autoclosure () -> Bool
    ) -> Int? {
        let sensitivity = sensitivity(of: URIEncoding.decoded(name))
        guard sensitivity != .shown else { return nil }
        let isOpened = name.startIndex > 0 && Self.isQuote(text[name.startIndex - 1])
        let isQuoted = isOpened && name.endIndex < text.count && Self.isQuote(text[name.endIndex])
        let behind = text[name.endIndex...].drop(while: Self.isLayout)
        let next = behind.dropFirst().first { $0 > UInt8(ascii: " ") } ?? 0
        let isBeforeValue = Self.isQuote(next) || isQuoted && (next.isASCIIDigit || "{[-".utf8.contains(next))
        let hasSign = behind.first == .equals || behind.first == .colon && (isPayload || isBeforeValue)
        let isNaming = isPayload && sensitivity == .hidden && !hasSign
        if isNaming, name.endIndex <= tag.end, isQuoted || text[name.startIndex - 1] == .equals {
            if let value = tag.value { return value }
            if tag.isField || Self.isStyle(text[..<name.startIndex]) { return nil }
        }
        guard hasSign || isNaming && isQuoted,
            let start = Self.value(behind: behind.startIndex + (hasSign ? 1 : 0), in: text)
        else { return nil }
        let value = text[start...].prefix(Self.longestWord).prefix { !Self.isLayout($0) && !",;&)]}".utf8.contains($0) }
        return sensitivity.hides(value) || isOfOAuth() ? start : nil
    }

    /// Returns whether a text may be a message of OAuth 2.0, in which `code` is a credential (RFC 6749 4.1.3).
    ///
    /// In other texts and JSON, `code` and `key` name errors, countries, settings and issues. One of these members is in
    /// each token request and device authorization request (RFC 6749 4.1.3, RFC 8628 3.1 and 3.4).
    static func isOfOAuth(_ text: [UInt8]) -> Bool {
        ["grant_type", "grantType", "client_id", "clientId"].contains(where: text[...].holds)
    }

    /// The number of bytes of a word that tell whether it is a secret; a longer word is one.
    private static let longestWord = 256

    /// Returns the start of the value behind a name and sign; nil if there is none, or if it is replaced already.
    private static func value(behind end: Int, in text: [UInt8]) -> Int? {
        let value = text[end...].drop { isLayout($0) || $0 == .greater }
        if isEmptyValue(text[end..<value.startIndex], behind: text[end - 1], before: value.first) { return nil }
        if let first = value.first, first != .less || !value.starts(with: placeholder.utf8) { return value.startIndex }
        let behind = value.dropFirst(placeholder.utf8.count)
        return behind.first.map { isOfName($0) } == true ? value.startIndex : nil
    }

    /// Returns whether what is between a sign and the next text is an empty value: `""`, or `=` at the end of a line.
    ///
    /// Text in quotes and indented text belong to the line before. Quotes within quotes are doubled in CSV.
    private static func isEmptyValue(_ gap: ArraySlice<UInt8>, behind sign: UInt8, before next: UInt8?) -> Bool {
        let open = gap.drop { !isQuote($0) }
        if open.isEmpty { return sign == .equals && gap.last.map("\n\r".utf8.contains) == true }
        let quote = open.prefix((open.firstIndex { $0 != .backslash } ?? open.endIndex) - open.startIndex + 1)
        let (closing, rest) = (open[quote.endIndex...].prefix(quote.count), open.dropFirst(2 * quote.count))
        guard closing.elementsEqual(quote), !rest.contains(where: isQuote), let next else { return false }
        return ",;&)]}/<".utf8.contains(next) || !rest.isEmpty && isOfName(next)
    }

    /// Returns whether the element of a tag is empty, by `/>` or by its end tag.
    ///
    /// The attributes `nil` (XML Schema 2.6.2) and `xmlns` have no values of the element.
    private static func isEmptyElement(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.drop(while: isLayout)
        while true {
            let name = rest.prefix { isOfName($0) || $0 == .colon }
            guard name.suffix(3).elementsEqual("nil".utf8) || name.starts(with: "xmlns".utf8) else { break }
            let value = rest[name.endIndex...].dropFirst(2)
            rest = value.drop { !isQuote($0) && $0 != .less }.dropFirst().drop(while: isLayout)
        }
        return rest.starts(with: "/>".utf8)
            || rest.first == .greater && rest.dropFirst().drop(while: isLayout).starts(with: "</".utf8)
    }

    /// A tag, in which one attribute may name the value of another one, as in `<input type="password" value="x">`.
    private struct Tag {
        var (end, value, isField): (Int, Int?, Bool) = (0, nil, false)

        init(behind start: Int, in text: [UInt8]) {
            let tag = text[start...].prefix { $0 != .less && $0 != .greater }.map(\.asciiLowercased)
            // A value may contain the end.
            let isWhole = "\"'".utf8.allSatisfy { quote in tag.count { $0 == quote }.isMultiple(of: 2) }
            end = isWhole ? start + tag.count : 0
            value = tag.indices.first { index in
                ["value", "content"].contains { name in
                    let end = index + name.utf8.count
                    return tag[index...].starts(with: name.utf8)
                        && (end == tag.count || tag[end] != .equals || Redaction.value(behind: end + 1, in: tag) != nil)
                }
            }.map { start + $0 }
            isField = tag.starts(with: "input".utf8)
        }
    }

    /// Returns whether a text ends where an attribute of HTML names a style, or the field of a label.
    private static func isStyle(_ text: ArraySlice<UInt8>) -> Bool {
        let attribute = text.dropLast().suffix(6).map(\.asciiLowercased)
        return attribute.elementsEqual("class=".utf8) || attribute.suffix(5).elementsEqual(" for=".utf8)
    }

    /// Returns a text with the escapes of JSON and JavaScript for visible ASCII decoded.
    ///
    /// - Returns: the text, and the index in the original of each of its bytes; nil if each has the same one.
    private static func unescaped(_ text: [UInt8]) -> (text: [UInt8], indices: [Int]?) {
        guard text.contains(.backslash) else { return (text, nil) }
        var (bytes, indices): ([UInt8], [Int]) = ([], [])
        let escapes = [("x", 4), ("u", 6)]
        for (index, byte) in text.enumerated() {
            bytes.append(byte)
            indices.append(index)
            for (letter, count) in escapes where bytes.count >= count && bytes[bytes.count - count] == .backslash {
                let escape = String(decoding: bytes.suffix(count), as: UTF8.self)
                guard escape.hasPrefix("\\\(letter)"), let code = UInt8(escape.dropFirst(2), radix: 16),
                    (0x20...0x7E).contains(code)
                else { continue }
                bytes.removeLast(count - 1)
                indices.removeLast(count - 1)
                bytes[bytes.count - 1] = code
            }
        }
        return (bytes, indices)
    }

    /// Returns whether a byte can be in a name; a `%` may begin an escape of one.
    private static func isOfName(_ byte: UInt8) -> Bool {
        URIEncoding.isUnreserved(byte) || byte >= 0x80 || byte == URIEncoding.percent || "[]$".utf8.contains(byte)
    }

    private static func isQuote(_ byte: UInt8) -> Bool { #""'`\"#.utf8.contains(byte) }

    /// Returns whether a byte can be between a name, a sign and a value.
    private static func isLayout(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || isQuote(byte) }

    // MARK: - User information

    /// Replaces the user information of each URL in a text, as in `https://user:password@host/path`.
    private func hidingUserInfo(in text: [UInt8]) -> [UInt8] {
        guard hidesUserInfo, let lastAt = text.lastIndex(of: .at) else { return text }
        let lastColon = text[..<lastAt].lastIndex(of: .colon) ?? text.startIndex
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
        if let at = authority.lastIndex(of: .at) { return at }
        if text.starts(with: "\(placeholder)@".utf8) { return text.startIndex + placeholder.utf8.count }
        return authority.isEmpty || mayBeUserInfo(authority) ? lastAt : nil
    }

    /// Returns whether anything but a port is behind the host of an authority.
    private static func mayBeUserInfo(_ authority: ArraySlice<UInt8>) -> Bool {
        let afterHost = authority.first == UInt8(ascii: "[") ? authority.drop { $0 != UInt8(ascii: "]") } : authority
        return !afterHost.drop { $0 != .colon }.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool { #"/?#"<> "#.utf8.contains(byte) }

    /// Returns the indices behind each `//`, whose slashes some writers of JSON escape.
    private static func authorities(in text: [UInt8]) -> [Int] {
        text.indices.compactMap { index in
            guard text[index] == .slash else { return nil }
            let next = text[(index + 1)...].drop { $0 == .backslash }
            return next.first == .slash ? next.startIndex + 1 : nil
        }
    }

    /// Replaces the authority at the end of a text that may be cut inside of a password: `https://me:hun`.
    private func hidingOpenAuthority(in text: [UInt8]) -> [UInt8] {
        guard hidesUserInfo, let start = Self.authorities(in: text).last, start < text.count else { return text }
        let authority = text[start...].prefix { !Self.isEndOfAuthority($0) }
        let isOpen = authority.endIndex == text.count || Self.mayBeUserInfo(authority)
        return isOpen ? text[..<start] + Array(Self.placeholder.utf8) : text
    }
}

// Constants of this module: one of another module would be read by a call, for each byte.
extension UInt8 {
    static let and = UInt8(ascii: "&")
    fileprivate static let at = UInt8(ascii: "@")
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    fileprivate static let greater = UInt8(ascii: ">")
    fileprivate static let less = UInt8(ascii: "<")
    static let quote = UInt8(ascii: "\"")
    fileprivate static let slash = UInt8(ascii: "/")
}
