/// The text in front of the name of an item, which decides where its value ends.
enum ItemOrigin {
    /// `?`, `#`, `&` or `;`.
    case mark

    /// The beginning of the text or of a line, and blanks.
    case line

    /// Anything else that ends a word.
    case word

    /// The `=` of another name.
    case value
}

/// The places in a text at which the values of items begin and end.
struct ItemValues {
    let text: [UInt8]

    /// Whether only `?`, `#`, `&` and `;` begin an item and end its value.
    let isURL: Bool

    /// The bytes of the value behind a sign, without blanks and quotes around it.
    func value(behind sign: Int, _ origin: ItemOrigin) -> Range<Int> {
        var start = sign + 1
        if isURL { return start..<endOfURLValue(from: start) }
        while start < text.count, text[start].isBlank { start += 1 }
        if start < text.count, text[start] == .greater, origin != .mark {
            start += 1
            while start < text.count, text[start].isBlank { start += 1 }
        }
        if let (_, count) = Placeholder.prefix(of: text[start...]) { return start..<(start + count) }
        let opening = start
        while start < text.count, text[start] == .backslash { start += 1 }
        if start < text.count, [.quote, .apostrophe, UInt8(ascii: "`")].contains(text[start]) {
            let end = endOfQuoted(from: start + 1, by: text[start], isEscaped: start > opening)
            let behind = behindQuote(end)
            // What is glued to the quote belongs to the value, as in a shell.
            if origin == .mark { return opening..<endOfPlain(from: behind, .mark) }
            let isGlued = behind < text.count && (URIEncoding.isAlphanumeric(text[behind]) || text[behind] >= 0x80)
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
    private func endOfPlain(from start: Int, _ origin: ItemOrigin) -> Int {
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

    /// Whether a quote is the first byte from here on but for blanks and backslashes.
    func isBeforeQuote(_ place: Int) -> Bool {
        var place = place
        while place < text.count, text[place].isBlank || text[place] == .backslash { place += 1 }
        return place < text.count && (text[place] == .quote || text[place] == .apostrophe)
    }

    /// Whether a byte ends a value wherever it stands.
    func isHardEnd(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == .and || byte == UInt8(ascii: "#") || byte == .quote || byte == .less
            || byte == .greater
    }

    private func isSoftEnd(_ byte: UInt8, _ origin: ItemOrigin) -> Bool {
        switch byte {
        case UInt8(ascii: ";"), UInt8(ascii: "?"): true
        case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): origin != .mark
        default: false
        }
    }

    /// Whether a byte ends an item of a query or a form.
    static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == .and || byte == UInt8(ascii: ";")
    }
}
