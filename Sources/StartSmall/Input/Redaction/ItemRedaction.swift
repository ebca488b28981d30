extension Redactor {
    /// A text with the values replaced whose names stand in front of a `=`, of a quote behind a `:`, or in a tag of XML.
    ///
    /// - Parameter isURL: whether only `?`, `#`, `&` and `;` begin an item and end its value, since the text is a URL.
    mutating func items(of text: [UInt8], isURL: Bool) -> [UInt8] {
        let text = isURL ? text : unescapedAsWhole(text) ?? text
        guard text.contains(where: { $0 == .equals || $0 == .colon || $0 == .greater }) else { return text }
        var scan = ItemScan(text, isURL: isURL)
        return scan.hidden(by: &self)
    }

    /// A text that is percent-encoded as a whole; the placeholder if a secret is in it, and nil otherwise.
    private mutating func unescapedAsWhole(_ text: [UInt8]) -> [UInt8]? {
        guard text.contains(RFC3986.percent), !text.contains(where: { $0 == .equals || $0 <= UInt8(ascii: " ") }) else {
            return nil
        }
        let decoded = RFC3986.decoded(text[...])
        guard decoded != text[...] else { return nil }
        if case .unchanged = nested(decoded) { return nil }
        return Array(Redaction.placeholder.utf8)
    }

    /// A form (WHATWG URL 5.1), in which a value ends at `&` alone, with the secret values replaced.
    mutating func form(_ text: ArraySlice<UInt8>) -> [UInt8] {
        begin(text.count)
        let text = userInfo(of: Array(text))
        var shown: [UInt8] = []
        shown.reserveCapacity(text.count)
        for item in text.split(separator: .and, omittingEmptySubsequences: false) {
            if item.startIndex > 0 { shown.append(.and) }
            guard let equals = item.firstIndex(of: .equals) else {
                shown += items(of: Array(item), isURL: false)
                continue
            }
            let value = item[(equals + 1)...]
            let decoded = RFC3986.decodedForm(value)
            let verdict = redaction.verdict(on: RFC3986.decodedForm(item[..<equals]))
            if verdict.hides(decoded) {
                shown += item[...equals] + Redaction.placeholder.utf8
                collect(readingsOf: value)
                continue
            }
            shown += item[...equals]
            if decoded == value {
                shown += self.text(Array(value))
            } else if case .unchanged = nested(decoded) {
                shown += items(of: Array(value), isURL: false)
            } else {
                shown += Redaction.placeholder.utf8
            }
        }
        return shown
    }
}

/// A pass over the items of a text: each byte is read a constant number of times.
private struct ItemScan {
    /// What stands in front of a name.
    private enum Origin {
        /// `?`, `#`, `&` or `;`.
        case mark

        /// The beginning of the text or of a line, and blanks.
        case line

        /// Anything else that ends a word.
        case word

        /// The `=` of another name.
        case value
    }

    private let text: [UInt8]
    private let isURL: Bool
    private var shown: [UInt8] = []

    /// From where on nothing was added to what is shown: all up to the next secret is added at once.
    private var rest = 0
    private var index = 0

    /// The name that may stand in front of a `=`, and where it ends if blanks or a quote are behind it.
    private var start = 0
    private var end: Int?
    private var origin = Origin.line

    /// The name of the tag that is open, if that is secret.
    private var isInSecretTag = false

    /// Up to where values were decoded already.
    private var decodedEnd = 0

    init(_ text: [UInt8], isURL: Bool) { (self.text, self.isURL) = (text, isURL) }

    mutating func hidden(by redactor: inout Redactor) -> [UInt8] {
        shown.reserveCapacity(text.count)
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), .and, UInt8(ascii: ";"): begin(at: index + 1, .mark)
            case .equals: passEquals(&redactor)
            case _ where isURL: index += 1
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): begin(at: index + 1, .line)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), .quote, .apostrophe, UInt8(ascii: "`"), .backslash:
                passGap(byte)
            case UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"),
                UInt8(ascii: "!"):
                begin(at: index + 1, .word)
            case .less: passTag(&redactor)
            case .greater: passEndOfTag(&redactor)
            case .colon where end != nil || isBeforeQuote(index + 1): passColon(&redactor)
            default:
                if let end, end < index { begin(at: index, isAtLine ? .line : .word) }
                index += 1
            }
        }
        if rest == 0 { return text }
        return shown + text[rest...]
    }

    private mutating func begin(at place: Int, _ origin: Origin) {
        (start, end, self.origin) = (place, nil, origin)
        index = max(index, place)
    }

    /// Whether the words so far are `export` or a mark of a list, behind which a line is as at its beginning.
    private var isAtLine: Bool {
        guard origin == .line, let end else { return false }
        return text[start..<end].elementsEqual("export".utf8) || text[start..<end].elementsEqual("-".utf8)
    }

    /// Blanks, quotes and backslashes in front of a name, or behind it.
    private mutating func passGap(_ byte: UInt8) {
        if start == index {
            // Blanks and quotes at the beginning of a line leave it one.
            start = index + 1
            if origin == .mark || origin == .value, byte.isBlank { origin = .word }
        } else if end == nil {
            end = index
        }
        index += 1
    }

    private mutating func passEquals(_ redactor: inout Redactor) {
        let name = text[start..<(end ?? index)]
        let (origin, isFirst) = (origin, origin != .value)
        let equals = index
        index += 1
        let isSparing = origin == .word || origin == .line
        let verdict =
            name.isEmpty ? .shown : redactor.verdict(on: RFC3986.decoded(name), isSparing: isSparing && !isURL)
        if verdict != .shown, hide(behind: equals, origin == .value ? .word : origin, verdict, &redactor) { return }
        if isFirst, decodedEnd <= equals, hidesDecoded(behind: equals, origin, &redactor) { return }
        begin(at: equals + 1, .value)
    }

    /// Replaces the value behind a sign if it is secret; false if it is not.
    private mutating func hide(
        behind sign: Int,
        _ origin: Origin,
        _ verdict: NameVerdict,
        _ redactor: inout Redactor
    ) -> Bool {
        if verdict == .hiddenIfOdd {
            // Only the beginning is looked at: that it is shown is found out in constant time.
            let readings = Redaction.readings(of: text[(sign + 1)...].prefix(Redaction.mostOfValue))
            guard readings.contains(where: { verdict.hides(RFC3986.decoded($0)) }) else { return false }
        }
        let value = value(behind: sign, origin)
        if text[value].elementsEqual(Redaction.placeholder.utf8) {
            begin(at: value.upperBound, .value)
            return true
        }
        guard !value.isEmpty || origin == .mark, verdict != .hiddenUnlessNumber || verdict.hides(text[value]) else {
            return false
        }
        redactor.collect(readingsOf: text[value])
        replace(value)
        return true
    }

    private mutating func replace(_ value: Range<Int>) {
        shown += text[rest..<value.lowerBound]
        shown += Redaction.placeholder.utf8
        rest = value.upperBound
        index = value.upperBound
        begin(at: index, .value)
    }

    /// Replaces a value that holds a secret once it is decoded.
    private mutating func hidesDecoded(behind equals: Int, _ origin: Origin, _ redactor: inout Redactor) -> Bool {
        let end = text[(equals + 1)...].firstIndex { isURL ? Self.isMark($0) : Self.isMark($0) || isHardEnd($0) }
        let value = text[(equals + 1)..<(end ?? text.count)]
        decodedEnd = value.endIndex
        guard value.contains(RFC3986.percent) else { return false }
        let decoded = RFC3986.decoded(value)
        if decoded == value { return false }
        if case .unchanged = redactor.nested(decoded) { return false }
        replace(value.startIndex..<max(value.endIndex, self.value(behind: equals, .mark).upperBound))
        return true
    }

    // MARK: - Where a value ends

    private func value(behind sign: Int, _ origin: Origin) -> Range<Int> {
        var start = sign + 1
        if isURL { return start..<endOfURLValue(from: start) }
        while start < text.count, text[start].isBlank { start += 1 }
        if start < text.count, text[start] == .greater, origin != .mark {
            start += 1
            while start < text.count, text[start].isBlank { start += 1 }
        }
        if text[start...].starts(with: Redaction.placeholder.utf8) {
            return start..<(start + Redaction.placeholder.utf8.count)
        }
        let opening = start
        while start < text.count, text[start] == .backslash { start += 1 }
        if start < text.count, [.quote, .apostrophe, UInt8(ascii: "`")].contains(text[start]) {
            let end = endOfQuoted(from: start + 1, by: text[start], isEscaped: start > opening)
            let behind = behindQuote(end)
            // What is glued to the quote belongs to the value, as in a shell.
            if origin == .mark { return opening..<endOfPlain(from: behind, .mark) }
            let isGlued = behind < text.count && (RFC3986.isAlphanumeric(text[behind]) || text[behind] >= 0x80)
            return isGlued ? opening..<endOfPlain(from: behind, .word) : (start + 1)..<end
        }
        return opening..<endOfPlain(from: opening, origin)
    }

    /// As in RFC 3986 3.4, `;` and `?` may stand in a value, and so may the `=` at the end of Base64.
    private func endOfURLValue(from start: Int) -> Int {
        var end = text[start...].firstIndex(where: Self.isMark) ?? text.count
        while end < text.count, text[end] == UInt8(ascii: ";") || text[end] == UInt8(ascii: "?") {
            let next = text[(end + 1)...].firstIndex(where: Self.isMark) ?? text.count
            guard isRest(text[(end + 1)..<next]) else { break }
            end = next
        }
        return end
    }

    /// Whether a piece belongs to the value in front of it, and is no item of its own.
    private func isRest(_ piece: ArraySlice<UInt8>) -> Bool {
        piece.drop { $0 != .equals }.allSatisfy { $0 == .equals }
    }

    private func endOfQuoted(from start: Int, by quote: UInt8, isEscaped: Bool) -> Int {
        var index = start
        while index < text.count, text[index] != UInt8(ascii: "\n") {
            if text[index] == quote { return isEscaped && text[index - 1] == .backslash ? index - 1 : index }
            index += text[index] == .backslash && !isEscaped ? 2 : 1
        }
        return min(index, text.count)
    }

    private func behindQuote(_ end: Int) -> Int {
        var end = end
        while end < text.count, text[end] == .backslash { end += 1 }
        return end < text.count && text[end] != UInt8(ascii: "\n") ? end + 1 : end
    }

    /// Up to what ends it in any case, or to what may stand in it and has an item, or nothing, behind it.
    private func endOfPlain(from start: Int, _ origin: Origin) -> Int {
        var (index, end) = (start, start)
        while true {
            let next = text[index...].firstIndex { isHardEnd($0) || isSoftEnd($0, origin) } ?? text.count
            let piece = text[index..<next]
            if index > start, !isRest(piece) { return end }
            if !piece.isEmpty { end = next }
            guard next < text.count else { return end }
            let goesOn = isSoftEnd(text[next], origin) || origin == .line && text[next].isBlank
            guard goesOn else { return end }
            index = next + 1
        }
    }

    private func isHardEnd(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == .and || byte == UInt8(ascii: "#") || byte == .quote || byte == .less
            || byte == .greater
    }

    private func isSoftEnd(_ byte: UInt8, _ origin: Origin) -> Bool {
        switch byte {
        case UInt8(ascii: ";"), UInt8(ascii: "?"): true
        case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): origin != .mark
        default: false
        }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == .and || byte == UInt8(ascii: ";")
    }

    // MARK: - `name: "value"`, as in GraphQL, JavaScript and YAML

    private func isBeforeQuote(_ place: Int) -> Bool {
        var place = place
        while place < text.count, text[place].isBlank || text[place] == .backslash { place += 1 }
        return place < text.count && (text[place] == .quote || text[place] == .apostrophe)
    }

    private mutating func passColon(_ redactor: inout Redactor) {
        let name = text[start..<(end ?? index)]
        let colon = index
        index += 1
        guard isBeforeQuote(index), !name.isEmpty else { return begin(at: index, .word) }
        let verdict = redactor.verdict(on: RFC3986.decoded(name), isSparing: true)
        if verdict != .shown, hide(behind: colon, .word, verdict, &redactor) { return }
        begin(at: colon + 1, .word)
    }

    // MARK: - XML

    /// `<name`, whose attributes are items, and whose content is the value behind the `>`.
    private mutating func passTag(_ redactor: inout Redactor) {
        let name = text[(index + 1)...].prefix { RFC3986.isUnreserved($0) || $0 == .colon }
        // The names of elements that are ordinary words name other things, such as `<Code>` and `<Key>` of S3.
        isInSecretTag =
            !name.isEmpty && name.count <= Self.longestTag
            && redactor.verdict(on: name, isSparing: true).isCertain
        begin(at: index + 1, .word)
    }

    /// No name of an element is longer; of a longer one, nothing is known.
    private static let longestTag = 128

    private mutating func passEndOfTag(_ redactor: inout Redactor) {
        let isOpen = isInSecretTag && index > 0 && text[index - 1] != UInt8(ascii: "/")
        isInSecretTag = false
        begin(at: index + 1, .word)
        guard isOpen else { return }
        let cdata = Array("<![CDATA[".utf8)
        let isCDATA = text[index...].starts(with: cdata)
        var end = isCDATA ? index + cdata.count : index
        while end < text.count, isCDATA ? !text[end...].starts(with: "]]>".utf8) : text[end] != .less { end += 1 }
        let content = text[(isCDATA ? index + cdata.count : index)..<end]
        if isCDATA { end = min(end + 3, text.count) }
        guard content.contains(where: { $0 > UInt8(ascii: " ") }), isCDATA || isEndTag(end) else { return }
        if content.elementsEqual(Redaction.placeholder.utf8) { return }
        redactor.collect(readingsOf: content)
        replace(index..<end)
    }

    /// Whether an element ends here, or the text.
    private func isEndTag(_ place: Int) -> Bool {
        place == text.count || place + 1 == text.count || text[place + 1] == UInt8(ascii: "/")
    }
}

extension Redactor {
    /// What a name says of its value in a text, in which an ordinary word in front of a sign is seldom a credential.
    fileprivate func verdict(on name: ArraySlice<UInt8>, isSparing: Bool) -> NameVerdict {
        guard redaction.hides(name) else { return .shown }
        if !isSparing || redaction.isSparing { return redaction.verdict(on: name) }
        let verdict = redaction.sparing.verdict(on: name)
        return verdict == .hiddenIfOdd ? verdict : redaction.verdict(on: name)
    }
}

extension NameVerdict {
    fileprivate var isCertain: Bool { self == .hidden || self == .hiddenUnlessNumber }
}

extension UInt8 {
    fileprivate static let and = UInt8(ascii: "&")
    fileprivate static let apostrophe = UInt8(ascii: "'")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let equals = UInt8(ascii: "=")
    fileprivate static let greater = UInt8(ascii: ">")
    fileprivate static let less = UInt8(ascii: "<")
    fileprivate static let quote = UInt8(ascii: "\"")
}
