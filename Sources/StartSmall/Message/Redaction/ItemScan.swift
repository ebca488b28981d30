/// A pass over the items of a text that reads each byte a constant number of times.
struct ItemScan {
    private let text: [UInt8]
    private let isURL: Bool
    private let values: ItemValues
    private var shown: [UInt8] = []

    /// The start of the text that is not yet copied to the result; the text up to the next secret is copied at once.
    private var rest = 0
    private var index = 0

    /// The start of the name that may precede an `=`, and the end of that name if blanks or a quote follow it.
    private var start = 0
    private var end: Int?
    private var origin = ItemOrigin.line

    /// Whether the name of the open tag is secret.
    private var isInSecretTag = false

    /// The end of the values that are already decoded.
    private var decodedEnd = 0

    init(_ text: [UInt8], isURL: Bool) {
        (self.text, self.isURL) = (text, isURL)
        values = ItemValues(text: text, isURL: isURL)
    }

    /// Returns the text with each value that a redactor hides replaced by a placeholder.
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
            case .colon where end != nil || values.isBeforeQuote(index + 1): passColon(&redactor)
            default:
                if let end, end < index { begin(at: index, isAtLine ? .line : .word) }
                index += 1
            }
        }
        if rest == 0 { return text }
        return shown + text[rest...]
    }

    private mutating func begin(at place: Int, _ origin: ItemOrigin) {
        (start, end, self.origin) = (place, nil, origin)
        index = max(index, place)
    }

    /// Whether the words so far are `export` or a list marker, after which a line continues as if at its beginning.
    private var isAtLine: Bool {
        guard origin == .line, let end else { return false }
        // Compares the length first, because each word is checked.
        return switch end - start {
        case 1: text[start] == UInt8(ascii: "-")
        case 6: text[start..<end].elementsEqual("export".utf8)
        default: false
        }
    }

    /// Skips blanks, quotes and backslashes before or after a name.
    private mutating func passGap(_ byte: UInt8) {
        if start == index {
            // Blanks and quotes at the beginning of a line do not change the origin.
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
        let decision =
            name.isEmpty ? .shown : redactor.decision(on: URIEncoding.decoded(name), isSparing: isSparing && !isURL)
        if decision != .shown, hide(behind: equals, origin == .value ? .word : origin, decision, &redactor) { return }
        if isFirst, decodedEnd <= equals, hidesDecoded(behind: equals, origin, &redactor) { return }
        begin(at: equals + 1, .value)
    }

    /// Replaces the value after a sign if that value is secret.
    ///
    /// - Parameters:
    ///   - sign: the index of the `=` or `:`.
    ///   - origin: the text before the name, which determines where the value ends.
    ///   - decision: the sensitivity of the name.
    ///   - redactor: the redactor that collects and numbers the value.
    /// - Returns: False if the value is not secret.
    private mutating func hide(
        behind sign: Int,
        _ origin: ItemOrigin,
        _ decision: NameSensitivity,
        _ redactor: inout Redactor
    ) -> Bool {
        if decision == .hiddenIfOdd {
            // Examines only the beginning of the value, so that the decision to show it takes constant time.
            let readings = Redaction.readings(of: text[(sign + 1)...].prefix(Redaction.mostOfValue))
            guard readings.contains(where: { decision.hides(URIEncoding.decoded($0)) }) else { return false }
        }
        let value = values.value(behind: sign, origin)
        if Placeholder(text[value]) != nil {
            replace(value, by: redactor)
            return true
        }
        guard !value.isEmpty || origin == .mark, decision != .hiddenUnlessNumber || decision.hides(text[value]) else {
            return false
        }
        redactor.collect(readingsOf: text[value])
        replace(value, by: redactor)
        return true
    }

    private mutating func replace(_ value: Range<Int>, by redactor: Redactor, of secret: ArraySlice<UInt8>? = nil) {
        shown += text[rest..<value.lowerBound]
        shown += redactor.placeholder(for: secret ?? text[value])
        rest = value.upperBound
        index = value.upperBound
        begin(at: index, .value)
    }

    /// Replaces a value that contains a secret in decoded form.
    ///
    /// - Parameters:
    ///   - equals: the index of the `=`.
    ///   - origin: the text before the name.
    ///   - redactor: the redactor that reads the decoded value.
    /// - Returns: Whether the value was replaced.
    private mutating func hidesDecoded(behind equals: Int, _ origin: ItemOrigin, _ redactor: inout Redactor) -> Bool {
        let end = text[(equals + 1)...].firstIndex { ItemValues.isMark($0) || !isURL && values.isHardEnd($0) }
        let value = text[(equals + 1)..<(end ?? text.count)]
        decodedEnd = value.endIndex
        guard value.contains(URIEncoding.percent) else { return false }
        let decoded = URIEncoding.decoded(value)
        if decoded == value { return false }
        if case .unchanged = redactor.nested(decoded) { return false }
        let whole = value.startIndex..<max(value.endIndex, values.value(behind: equals, .mark).upperBound)
        replace(whole, by: redactor)
        return true
    }

    // MARK: - `name: "value"`, as in GraphQL, JavaScript and YAML

    private mutating func passColon(_ redactor: inout Redactor) {
        let name = text[start..<(end ?? index)]
        let colon = index
        index += 1
        guard values.isBeforeQuote(index), !name.isEmpty else { return begin(at: index, .word) }
        let decision = redactor.decision(on: URIEncoding.decoded(name), isSparing: true)
        if decision != .shown, hide(behind: colon, .word, decision, &redactor) { return }
        begin(at: colon + 1, .word)
    }

    // MARK: - XML

    /// Handles `<name`, whose attributes are items and whose content is the value after the `>`.
    private mutating func passTag(_ redactor: inout Redactor) {
        let name = text[(index + 1)...].prefix { URIEncoding.isUnreserved($0) || $0 == .colon }
        // Element names that are ordinary words name other things, such as `<Code>` and `<Key>` of S3.
        isInSecretTag =
            !name.isEmpty && name.count <= Self.longestTag
            && redactor.decision(on: name, isSparing: true).isCertain
        begin(at: index + 1, .word)
    }

    /// The maximum length of an element name in bytes; a longer name is never treated as secret.
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
        if Placeholder(content) == nil { redactor.collect(readingsOf: content) }
        replace(index..<end, by: redactor, of: content)
    }

    /// Returns whether an element, or the text, ends at an index.
    private func isEndTag(_ place: Int) -> Bool {
        place == text.count || place + 1 == text.count || text[place + 1] == UInt8(ascii: "/")
    }
}

extension NameSensitivity {
    fileprivate var isCertain: Bool { self == .hidden || self == .hiddenUnlessNumber }
}
