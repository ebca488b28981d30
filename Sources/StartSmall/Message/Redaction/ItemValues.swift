/// The text before the name of an item, which determines where the value of that item ends.
enum ItemOrigin {
    /// `?`, `#`, `&` or `;`.
    case mark

    /// The beginning of the text or of a line, including blanks.
    case line

    /// Any other character that ends a word.
    case word

    /// The `=` of another name.
    case value
}

/// The positions in a text at which the values of items begin and end.
struct ItemValues {
    let text: [UInt8]

    /// Whether only `?`, `#`, `&` and `;` begin an item and end its value.
    let isURL: Bool

    /// Returns the range of the value after a sign, without the blanks and quotes around that value.
    ///
    /// - Parameters:
    ///   - sign: the index of the `=` or `:`.
    ///   - origin: the text before the name, which determines where the value ends.
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
            // Text directly after the closing quote belongs to the value, as in a shell.
            if origin == .mark { return opening..<endOfPlain(from: behind, .mark) }
            let isGlued = behind < text.count && (URIEncoding.isAlphanumeric(text[behind]) || text[behind] >= 0x80)
            return isGlued ? opening..<endOfPlain(from: behind, .word) : (start + 1)..<end
        }
        return opening..<endOfPlain(from: opening, origin)
    }

    /// Returns the end of a value in a URL.
    ///
    /// As in RFC 3986 3.4, a value can contain `;` and `?`. A value can also contain the `=` at the end of Base64.
    private func endOfURLValue(from start: Int) -> Int {
        var end = text[start...].firstIndex(where: Self.isMark) ?? text.count
        while end < text.count, text[end] == UInt8(ascii: ";") || text[end] == UInt8(ascii: "?") {
            let next = text[(end + 1)...].firstIndex(where: Self.isMark) ?? text.count
            guard isRest(text[(end + 1)..<next]) else { break }
            end = next
        }
        return end
    }

    /// Returns whether a piece belongs to the value before it and is not a separate item.
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

    /// Returns the end of an unquoted value.
    ///
    /// The value ends at a hard end, or at a soft end that is followed by an item or by nothing.
    private func endOfPlain(from start: Int, _ origin: ItemOrigin) -> Int {
        var (index, end) = (start, start)
        while true {
            let next = text[index...].firstIndex { isHardEnd($0) || isSoftEnd($0, origin) } ?? text.count
            let piece = text[index..<next]
            if index > start, !isRest(piece) { return end }
            if !piece.isEmpty { end = next }
            guard next < text.count else { return end }
            let continues = isSoftEnd(text[next], origin) || origin == .line && text[next].isBlank
            guard continues else { return end }
            index = next + 1
        }
    }

    /// Returns whether the first byte from an index on that is neither a blank nor a backslash is a quote.
    func isBeforeQuote(_ place: Int) -> Bool {
        var place = place
        while place < text.count, text[place].isBlank || text[place] == .backslash { place += 1 }
        return place < text.count && (text[place] == .quote || text[place] == .apostrophe)
    }

    /// Returns whether a byte ends a value in any position.
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

    /// Returns whether a byte ends an item of a query or a form.
    static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == .and || byte == UInt8(ascii: ";")
    }
}
