extension Redaction {
    /// A text of JSON with the values of all secret names replaced, whatever they are, and all else as it was.
    ///
    /// It may be cut off, be several values in a row, or no JSON at all. Texts in it are looked into for URLs, and for
    /// JSON once more.
    func hiding(json text: String, folding: Bool = false) -> String {
        String(decoding: hiding(json: Array(text.utf8)[...], folding: folding), as: UTF8.self)
    }

    /// The same for a text that is bytes already.
    func hiding(json text: ArraySlice<UInt8>, folding: Bool = false) -> [UInt8] {
        JSONHiding(self, text, folding: folding, unfolding: true).whole()
    }

    /// The same for each line of a text, as if there were no other.
    func hiding(jsonInLinesOf text: [UInt8]) -> [UInt8] {
        JSONHiding(self, text[...], folding: false, unfolding: true).lineByLine()
    }
}

/// Passes over a text of JSON, and stops at nothing.
private struct JSONHiding {
    private let redaction: Redaction
    private let folding: Bool
    private let unfolding: Bool
    private let text: ArraySlice<UInt8>
    private var place: Int

    /// Where the text ends, or the line that is passed over.
    private var limit: Int

    /// The text up to ``rest``, with what is secret replaced.
    private var shown: [UInt8] = []

    /// From where on nothing was added to what is shown: all up to the next secret is added at once.
    private var rest: Int

    /// - Parameters:
    ///   - folding: whether white space between values becomes one space.
    ///   - unfolding: whether strings are looked into for JSON.
    init(_ redaction: Redaction, _ text: ArraySlice<UInt8>, folding: Bool, unfolding: Bool) {
        (self.redaction, self.text, self.folding, self.unfolding) = (redaction, text, folding, unfolding)
        (place, rest, limit) = (text.startIndex, text.startIndex, text.endIndex)
        // With one secret in it, a short text may grow.
        shown.reserveCapacity(text.count + Self.placeholder.count)
    }

    /// The text with what is secret replaced.
    consuming func whole() -> [UInt8] {
        pass()
        shown += text[rest...]
        return shown
    }

    /// The same if nothing that begins in a line goes on in the next one.
    consuming func lineByLine() -> [UInt8] {
        while let endOfLine = text[place...].firstIndex(of: UInt8(ascii: "\n")) {
            limit = endOfLine
            pass()
            place = endOfLine + 1
        }
        limit = text.endIndex
        return whole()
    }

    private mutating func pass() {
        while place < limit {
            switch text[place] {
            case .quote: passString()
            case let byte where folding && Self.isSpace(byte): passSpace()
            default: place += 1
            }
        }
    }

    private mutating func passSpace() {
        let end = endOfSpace(at: place)
        let isOneSpace = end == place + 1 && text[place] == UInt8(ascii: " ")
        if folding, end > place, !isOneSpace {
            replace(to: end) { $0.append(UInt8(ascii: " ")) }
        } else {
            place = end
        }
    }

    /// Adds the text up to here, and something else in place of what follows.
    private mutating func replace(to end: Int, by write: (inout [UInt8]) -> Void) {
        shown += text[rest..<place]
        write(&shown)
        (place, rest) = (end, end)
    }

    /// A name, with its value if that is secret, or a text.
    private mutating func passString() {
        let (end, isClosed) = endOfString(at: place)
        let colon = endOfSpace(at: end)
        let written = text[(place + 1)..<(isClosed ? end - 1 : end)]
        // What it is written as, if that is no JSON.
        let meant = JSONString.meaning(of: written, isCut: !isClosed) ?? written
        guard colon < limit, text[colon] == UInt8(ascii: ":") else {
            if let hidden = hidden(meant) {
                replace(to: end) { JSONString.write(hidden, to: &$0) }
            } else {
                place = end
            }
            return
        }
        place = colon + 1
        guard redaction.hides(meant) else { return }
        passSpace()
        let endOfValue = endOfValue(at: place)
        if endOfValue > place { replace(to: endOfValue) { $0 += Self.placeholder } }
    }

    /// A text without what is secret in it; nil if that is nothing.
    private func hidden(_ meant: ArraySlice<UInt8>) -> [UInt8]? {
        let isOpen = meant.first == UInt8(ascii: "{") || meant.first == UInt8(ascii: "[")
        let isJSON = unfolding && isOpen && meant.contains(.quote)
        guard isJSON || meant.contains(where: Redaction.mayTell) else { return nil }
        guard isJSON else {
            let hidden = redaction.hiding(text: Array(meant))
            return hidden[...] == meant ? nil : hidden
        }
        let hidden = JSONHiding(redaction, meant, folding: false, unfolding: false).whole()
        return hidden[...] == meant ? nil : hidden
    }

    /// Where the string ends that begins here, and whether it has a quote there: if it has none, all belongs to it.
    private func endOfString(at start: Int) -> (end: Int, isClosed: Bool) {
        var index = start + 1
        while index < limit {
            switch text[index] {
            case .quote: return (index + 1, true)
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return (limit, false)
    }

    /// Where the value ends that begins here, however deep it is; if it has no end, all belongs to it.
    private func endOfValue(at start: Int) -> Int {
        var depth = 0
        var index = start
        while index < limit {
            switch text[index] {
            case .quote:
                index = endOfString(at: index).end
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return limit
    }

    private func endOfSpace(at start: Int) -> Int {
        var index = start
        while index < limit, Self.isSpace(text[index]) { index += 1 }
        return index
    }

    /// What stands in place of a hidden value.
    private static let placeholder = Array("\"\(Redaction.placeholder)\"".utf8)

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
}
