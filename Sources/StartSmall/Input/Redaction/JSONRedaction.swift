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
        var hiding = JSONHiding(self, folding: folding, unfolding: true, capacity: text.count)
        hiding.pass(text)
        return hiding.shown
    }

    /// The same for each line of a text, as if there were no other.
    func hiding(jsonInLinesOf text: [UInt8]) -> [UInt8] {
        var hiding = JSONHiding(self, folding: false, unfolding: true, capacity: text.count)
        var start = text.startIndex
        while let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
            hiding.pass(text[start..<end])
            hiding.shown.append(text[end])
            start = end + 1
        }
        hiding.pass(text[start...])
        return hiding.shown
    }
}

/// Passes over texts of JSON, and stops at nothing.
private struct JSONHiding {
    private let redaction: Redaction
    private let folding: Bool
    private let unfolding: Bool
    private var text: ArraySlice<UInt8> = []
    private var place = 0

    /// The texts, with what is secret replaced.
    var shown: [UInt8] = []

    /// - Parameters:
    ///   - folding: whether white space between values becomes one space.
    ///   - unfolding: whether strings are looked into for JSON.
    init(_ redaction: Redaction, folding: Bool, unfolding: Bool, capacity: Int) {
        (self.redaction, self.folding, self.unfolding) = (redaction, folding, unfolding)
        shown.reserveCapacity(capacity)
    }

    /// Passes over one text, from its beginning to its end.
    mutating func pass(_ text: ArraySlice<UInt8>) {
        (self.text, place) = (text, text.startIndex)
        while place < text.endIndex {
            switch text[place] {
            case .quote: passString()
            case let byte where folding && Self.isSpace(byte): passSpace()
            default: pass(to: place + 1)
            }
        }
    }

    private mutating func pass(to end: Int) {
        while place < end {
            shown.append(text[place])
            place += 1
        }
    }

    private mutating func passSpace() {
        let end = endOfSpace(at: place)
        if folding, end > place {
            shown.append(UInt8(ascii: " "))
            place = end
        } else {
            pass(to: end)
        }
    }

    /// A name, with its value if that is secret, or a text.
    private mutating func passString() {
        let (end, isClosed) = endOfString(at: place)
        let colon = endOfSpace(at: end)
        let written = text[(place + 1)..<(isClosed ? end - 1 : end)]
        // What it is written as, if that is no JSON.
        let meant = JSONString.meaning(of: written, isCut: !isClosed) ?? written
        guard colon < text.endIndex, text[colon] == UInt8(ascii: ":") else {
            if let hidden = hidden(meant) {
                shown += JSONString.written(hidden)
                place = end
            } else {
                pass(to: end)
            }
            return
        }
        pass(to: colon + 1)
        guard redaction.hides(meant) else { return }
        passSpace()
        let endOfValue = endOfValue(at: place)
        if endOfValue > place { shown += JSONString.written(Array(Redaction.placeholder.utf8)) }
        place = endOfValue
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
        var hiding = JSONHiding(redaction, folding: false, unfolding: false, capacity: meant.count)
        hiding.pass(meant)
        return hiding.shown[...] == meant ? nil : hiding.shown
    }

    /// Where the string ends that begins here, and whether it has a quote there: if it has none, all belongs to it.
    private func endOfString(at start: Int) -> (end: Int, isClosed: Bool) {
        var index = start + 1
        while index < text.endIndex {
            switch text[index] {
            case .quote: return (index + 1, true)
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return (text.endIndex, false)
    }

    /// Where the value ends that begins here, however deep it is; if it has no end, all belongs to it.
    private func endOfValue(at start: Int) -> Int {
        var depth = 0
        var index = start
        while index < text.endIndex {
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
        return text.endIndex
    }

    private func endOfSpace(at start: Int) -> Int {
        var index = start
        while index < text.endIndex, Self.isSpace(text[index]) { index += 1 }
        return index
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
}
