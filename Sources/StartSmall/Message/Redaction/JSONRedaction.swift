extension Redaction {
    /// Replaces the values of all secret names in a JSON text and keeps all else.
    ///
    /// Values of every kind are replaced. The text can be cut off, contain several values in a row, or be no JSON at
    /// all. Texts inside of it are searched for URLs, and again for JSON.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - folding: whether white space between values becomes one space.
    func hiding(json text: String, folding: Bool = false) -> String {
        var redactor = Redactor(self)
        let hidden = redactor.json(Array(text.utf8)[...], folding: folding)
        return String(decoding: redactor.forms(in: hidden), as: UTF8.self)
    }
}

/// A pass over a JSON text that continues after any syntax error.
///
/// It shares the decoding of strings with the decoder, but not the grammar: ``JSONScanner`` stops at the first byte
/// that is not JSON, whereas a log line or a payload that was cut off must not reveal a secret after that byte.
struct JSONRedactor {
    var redactor: Redactor
    private let folding: Bool
    let text: ArraySlice<UInt8>
    var place: Int

    /// The end of the text, or of the line that the pass reads.
    var limit: Int

    /// The text up to ``rest``, with the secrets replaced.
    private var shown: [UInt8] = []

    /// The start of the text that is not yet copied to the result; the text up to the next secret is copied at once.
    private var rest: Int

    /// Whether a `:` follows anything but a string, or a `=` or `<` is outside of strings, as in no JSON.
    ///
    /// Texts with these can have secrets that are found in other ways than in JSON: in parameters, URLs and XML.
    private(set) var hasOtherThanJSON = false

    /// The number of member names that were replaced.
    var hiddenNames = 0

    /// Whether the text may be a message of OAuth 2.0, in which `code` is a credential (RFC 6749 4.1.3).
    ///
    /// In other JSON, `code` and `key` name errors, countries, settings and issues.
    private lazy var isOfOAuth = Self.membersOfOAuth.contains(where: text.holds)

    /// The members of which one is in each token request and device authorization request (RFC 6749 4.1.3, RFC 8628
    /// 3.1 and 3.4), as servers of JSON name them.
    private static let membersOfOAuth = ["\"grant_type\"", "\"grantType\"", "\"client_id\"", "\"clientId\""]

    /// Creates a pass over a text.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8.
    ///   - folding: whether white space between values becomes one space.
    ///   - redaction: the rules.
    private init(_ text: ArraySlice<UInt8>, folding: Bool, _ redaction: Redaction) {
        (redactor, self.text, self.folding) = (Redactor(redaction), text, folding)
        (place, rest, limit) = (text.startIndex, text.startIndex, text.endIndex)
        // A secret in a short text can make the result longer than the text.
        shown.reserveCapacity(text.count + Redaction.placeholder.utf8.count)
    }

    /// Returns the text with the secrets replaced.
    ///
    /// The redactor is moved here and back: with a copy, each value that it collects would cost as much as all others.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8.
    ///   - folding: whether white space between values becomes one space.
    ///   - redactor: the redactor that decides and collects.
    ///   - pass: passes over the text.
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

    /// Passes over the whole text.
    mutating func passAll() {
        pass()
    }

    /// Passes over each line separately: nothing that begins on a line continues on the next line.
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
            case UInt8(ascii: "<") where text[place...].starts(with: Redaction.placeholder.utf8): place += 1
            case .colon, .equals, UInt8(ascii: "<"):
                hasOtherThanJSON = true
                place += 1
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

    /// Copies the text up to the current position, and writes a replacement for the text from there to `end`.
    mutating func replace(to end: Int, by write: (inout [UInt8]) -> Void) {
        shown += text[rest..<place]
        write(&shown)
        (place, rest) = (end, end)
    }

    /// Passes over a text, or over a name together with its value if that value is secret.
    private mutating func passString() {
        let (end, isClosed) = endOfString(at: place)
        let colon = endOfSpace(at: end)
        let meant = meaning(to: end, isClosed)
        guard colon < limit, text[colon] == UInt8(ascii: ":") else {
            return passText(meant, to: end)
        }
        place = colon + 1
        let decision = decision(on: meant)
        if decision == .shown { return }
        passSpace()
        if redactor.redaction.keepsKinds || decision == .hiddenIfOdd { return passLeaves(of: decision) }
        let endOfValue = endOfValue(at: place)
        if endOfValue > place, decision.hides(text[place..<endOfValue]) {
            let hidden = placeholder(for: text[place..<endOfValue])
            replace(to: endOfValue) { $0 += hidden }
        }
    }

    /// Returns the sensitivity of the name of a member.
    mutating func decision(on name: ArraySlice<UInt8>) -> NameSensitivity {
        let decision = redactor.decision(on: name)
        if decision == .shown { return .shown }
        let isSparing = !isOfOAuth
        return redactor.decision(on: name, isSparing: isSparing)
    }

    /// Passes over a text that is not a name and not a secret as a whole.
    mutating func passText(_ meant: ArraySlice<UInt8>, to end: Int) {
        if let hidden = hidden(meant) {
            replace(to: end) { JSONString.write(hidden[...], to: &$0) }
        } else {
            place = end
        }
    }

    /// Returns the content of the string that begins here: decoded, or as written if that is not JSON.
    func meaning(to end: Int, _ isClosed: Bool) -> ArraySlice<UInt8> {
        let written = text[(place + 1)..<(isClosed ? end - 1 : end)]
        return JSONString.meaning(of: written, isCut: !isClosed) ?? written
    }

    /// Returns a text with its secrets replaced; nil if the text contains no secret.
    private mutating func hidden(_ meant: ArraySlice<UInt8>) -> [UInt8]? {
        guard redactor.redaction.mayReveal(in: meant) else { return nil }
        return switch redactor.nested(meant) {
        case .unchanged: nil
        case .changed(let hidden): hidden
        case .unread: redactor.placeholder(for: meant)
        }
    }

    /// Returns the end of the string that begins at an index, and whether a quote closes the string.
    ///
    /// Without a closing quote, the string extends to the limit.
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

    /// Returns the end of the value that begins at an index, at any depth.
    ///
    /// A value without an end extends to the limit.
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

    /// Returns the placeholder of a hidden value, in quotes.
    func placeholder(for value: ArraySlice<UInt8>) -> [UInt8] {
        [.quote] + redactor.placeholder(for: value) + [.quote]
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
