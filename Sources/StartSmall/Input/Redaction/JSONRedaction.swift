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

    /// How many names of members were replaced.
    private var hiddenNames = 0

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
        let meant = meaning(to: end, isClosed)
        guard colon < limit, text[colon] == UInt8(ascii: ":") else {
            return passText(meant, to: end)
        }
        place = colon + 1
        let verdict = redaction.verdict(on: meant)
        if verdict == .shown { return }
        passSpace()
        if redaction.keepsKinds { return passLeaves(of: verdict) }
        let endOfValue = endOfValue(at: place)
        if endOfValue > place, verdict.hides(text[place..<endOfValue]) {
            replace(to: endOfValue) { $0 += Self.placeholder }
        }
    }

    /// A text that is no name, and is no secret as a whole.
    private mutating func passText(_ meant: ArraySlice<UInt8>, to end: Int) {
        if let hidden = hidden(meant) {
            replace(to: end) { JSONString.write(hidden, to: &$0) }
        } else {
            place = end
        }
    }

    /// A value of which something is hidden, and which keeps its shape: an array or object with all that is in it.
    private mutating func passLeaves(of verdict: NameVerdict) {
        // What is said of the elements of each that is open, innermost last, and of the value that comes next.
        var (open, next): ([NameVerdict], NameVerdict) = ([], verdict)
        repeat {
            guard place < limit else { return }
            switch text[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                next = next.ofElements
                open.append(next)
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.popLast() == nil { return }
                place += 1
            case UInt8(ascii: ","):
                guard let outer = open.last else { return }
                next = outer
                place += 1
            case .quote:
                if let outer = open.last, let member = passName(in: outer) {
                    next = outer.ofMember(member)
                } else {
                    passLeaf(of: next)
                }
            case let byte where Self.isSpace(byte): passSpace()
            default: passWord(of: next)
            }
        } while !open.isEmpty
    }

    /// What the name tells that begins here; nil if this is none, and nothing is passed over.
    ///
    /// One that may be a secret is replaced, by another one each time, so that the object has as many members as before.
    private mutating func passName(in outer: NameVerdict) -> NameVerdict? {
        let (end, isClosed) = endOfString(at: place)
        let colon = endOfSpace(at: end)
        guard colon < limit, text[colon] == UInt8(ascii: ":") else { return nil }
        let name = meaning(to: end, isClosed)
        if outer.hides(member: name) {
            hiddenNames += 1
            let number = hiddenNames == 1 ? "" : " \(hiddenNames)"
            replace(to: end) { $0 += "\"\(Redaction.placeholder.dropLast())\(number)>\"".utf8 }
        }
        place = colon + 1
        return redaction.verdict(on: name)
    }

    /// A text that is a value; an empty one has nothing to hide.
    private mutating func passLeaf(of verdict: NameVerdict) {
        let (end, isClosed) = endOfString(at: place)
        let meant = meaning(to: end, isClosed)
        if !meant.isEmpty, verdict.hides(meant) {
            replace(to: end) { $0 += Self.placeholder }
        } else {
            passText(meant, to: end)
        }
    }

    /// A number, which becomes another one, a word, which stays, or what is no JSON, which is hidden as a text is.
    private mutating func passWord(of verdict: NameVerdict) {
        let word = text[place..<limit].prefix { !Self.isSpace($0) && !Self.isMark($0) }
        guard NameVerdict.isNumber(word) ? verdict.hides(number: word) : verdict.hides(word) else {
            place = max(word.endIndex, place + 1)
            return
        }
        let end = endOfValue(at: place)
        let isWhole = text[word.endIndex..<end].allSatisfy(Self.isSpace)
        if isWhole, Self.words.contains(Array(word)) {
            place = word.endIndex
        } else if isWhole, NameVerdict.isNumber(word) {
            replace(to: word.endIndex) { $0.append(UInt8(ascii: "0")) }
        } else {
            replace(to: end) { $0 += Self.placeholder }
        }
    }

    /// What is written in the quotes of the text that begins here, as it is meant, or as it is if it is no JSON.
    private func meaning(to end: Int, _ isClosed: Bool) -> ArraySlice<UInt8> {
        let written = text[(place + 1)..<(isClosed ? end - 1 : end)]
        return JSONString.meaning(of: written, isCut: !isClosed) ?? written
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

    /// What is neither a number nor a text (RFC 8259 3).
    private static let words = Set(["true", "false", "null"].map { Array($0.utf8) })

    /// Whether a byte ends a number or a word.
    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case .quote, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
}
