extension Redaction {
    /// A text of JSON with the values of all secret names replaced, whatever they are, and all else as it was.
    ///
    /// It may be cut off, be several values in a row, or no JSON at all. Texts in it are looked into for URLs, and for
    /// JSON once more.
    func hiding(json text: String, folding: Bool = false) -> String {
        var redactor = Redactor(self)
        return String(decoding: redactor.json(Array(text.utf8)[...], folding: folding), as: UTF8.self)
    }
}

/// Passes over a text of JSON, and stops at nothing.
struct JSONRedactor {
    var redactor: Redactor
    private let folding: Bool
    let text: ArraySlice<UInt8>
    var place: Int

    /// Where the text ends, or the line that is passed over.
    var limit: Int

    /// The text up to ``rest``, with what is secret replaced.
    private var shown: [UInt8] = []

    /// From where on nothing was added to what is shown: all up to the next secret is added at once.
    private var rest: Int

    /// How many names of members were replaced.
    var hiddenNames = 0

    /// - Parameter folding: whether white space between values becomes one space.
    private init(_ text: ArraySlice<UInt8>, folding: Bool, _ redaction: Redaction) {
        (redactor, self.text, self.folding) = (Redactor(redaction), text, folding)
        (place, rest, limit) = (text.startIndex, text.startIndex, text.endIndex)
        // With one secret in it, a short text may grow.
        shown.reserveCapacity(text.count + Redaction.placeholder.utf8.count)
    }

    /// The text with what is secret replaced.
    ///
    /// The redactor is moved here and back: a copy would make each value that it collects cost as much as all others.
    static func hide(
        _ text: ArraySlice<UInt8>,
        folding: Bool,
        by redactor: inout Redactor,
        _ pass: (inout JSONRedactor) -> Void
    ) -> [UInt8] {
        var hiding = JSONRedactor(text, folding: folding, redactor.redaction)
        swap(&hiding.redactor, &redactor)
        pass(&hiding)
        swap(&hiding.redactor, &redactor)
        hiding.shown += text[hiding.rest...]
        return hiding.shown
    }

    /// Passes over all of it.
    mutating func passAll() {
        pass()
    }

    /// Passes over each line, where nothing that begins in a line goes on in the next one.
    mutating func passLineByLine() {
        while let endOfLine = text[place...].firstIndex(of: UInt8(ascii: "\n")) {
            limit = endOfLine
            pass()
            place = endOfLine + 1
        }
        limit = text.endIndex
        pass()
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

    mutating func passSpace() {
        let end = endOfSpace(at: place)
        let isOneSpace = end == place + 1 && text[place] == UInt8(ascii: " ")
        if folding, end > place, !isOneSpace {
            replace(to: end) { $0.append(UInt8(ascii: " ")) }
        } else {
            place = end
        }
    }

    /// Adds the text up to here, and something else in place of what follows.
    mutating func replace(to end: Int, by write: (inout [UInt8]) -> Void) {
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
        let decision = redactor.decision(on: meant)
        if decision == .shown { return }
        passSpace()
        if redactor.redaction.keepsKinds { return passLeaves(of: decision) }
        let endOfValue = endOfValue(at: place)
        if endOfValue > place, decision.hides(text[place..<endOfValue]) {
            let hidden = placeholder(for: text[place..<endOfValue])
            replace(to: endOfValue) { $0 += hidden }
        }
    }

    /// A text that is no name, and is no secret as a whole.
    mutating func passText(_ meant: ArraySlice<UInt8>, to end: Int) {
        if let hidden = hidden(meant) {
            replace(to: end) { JSONString.write(hidden[...], to: &$0) }
        } else {
            place = end
        }
    }

    /// What is written in the quotes of the text that begins here, as it is meant, or as it is if it is no JSON.
    func meaning(to end: Int, _ isClosed: Bool) -> ArraySlice<UInt8> {
        let written = text[(place + 1)..<(isClosed ? end - 1 : end)]
        return JSONString.meaning(of: written, isCut: !isClosed) ?? written
    }

    /// A text without what is secret in it; nil if that is nothing.
    private mutating func hidden(_ meant: ArraySlice<UInt8>) -> [UInt8]? {
        guard meant.contains(where: Redaction.mayTell) else { return nil }
        return switch redactor.nested(meant) {
        case .unchanged: nil
        case .changed(let hidden): hidden
        case .unread: redactor.placeholder(for: meant)
        }
    }

    /// Where the string ends that begins here, and whether it has a quote there: if it has none, all belongs to it.
    func endOfString(at start: Int) -> (end: Int, isClosed: Bool) {
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
    func endOfValue(at start: Int) -> Int {
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

    func endOfSpace(at start: Int) -> Int {
        var index = start
        while index < limit, Self.isSpace(text[index]) { index += 1 }
        return index
    }

    /// The placeholder of a hidden value, in its quotes.
    func placeholder(for value: ArraySlice<UInt8>) -> [UInt8] {
        [.quote] + redactor.placeholder(for: value) + [.quote]
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
