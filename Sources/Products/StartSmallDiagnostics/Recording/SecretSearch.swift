import StartSmallCore
import StartSmallSupport

/// A kind of text in which secrets have names.
enum TextKind: Hashable {
    /// A URL as a whole.
    case url

    /// A form (WHATWG URL 5.1).
    case form

    /// JSON, or several values of JSON in a row, as its media type says.
    case json

    /// Any other text, which may be JSON, and may contain URLs and lines of JSON, as an event stream does.
    case text
}

/// A search of secrets by their names and forms.
struct SecretSearch {
    let redaction: Redaction

    /// Whether a text may end within a secret, as a stream that broke.
    var isCut = false
    private var depth = 0

    /// The maximum number of encodings within each other; a value within more of them is hidden as a whole.
    private static let mostEncodings = 4

    init(_ redaction: Redaction, isCut: Bool = false) { (self.redaction, self.isCut) = (redaction, isCut) }

    /// Returns what to hide in a text; nil for a text of which that can't be known.
    func places(in bytes: [UInt8], _ kind: TextKind) -> HiddenPlaces? {
        var found = HiddenPlaces()
        for range in SecretForm.places(in: bytes, isCut: isCut) { found.hide(range, secrets: Array(bytes[range])) }
        if kind == .json || kind == .text, let json = json(in: bytes[...], isCut: isCut) {
            found.add(json)
            return found
        }
        if kind == .json { return nil }
        for line in kind == .text ? lines(of: bytes) : [] { found.add(line.places) { $0 + line.range.lowerBound } }
        add(userInfoOf: bytes, to: &found)
        add(itemsOf: bytes, kind, to: &found)
        return found
    }

    /// Returns the first value behind a secret name of a text that is no JSON, where the search finds no names.
    func revealed(
        in bytes: [UInt8],
        _ kind: TextKind,
        isPayload: Bool,
        besides names: Set<String> = []
    ) -> (name: String, index: Int)? {
        var rest = bytes
        if kind == .json || kind == .text {
            if json(in: bytes[...], isCut: isCut) != nil { return nil }
            // With space in its place, what is around JSON keeps its indices.
            for (range, _) in lines(of: bytes) {
                rest.replaceSubrange(range, with: repeatElement(UInt8(ascii: " "), count: range.count))
            }
        }
        return redaction.revealed(in: rest, isPayload: isPayload, besides: names)
    }

    /// Hides the secrets in a text within another one: as a whole, unless the inner text is written as it is.
    ///
    /// - Parameters:
    ///   - inner: the inner text in decoded form.
    ///   - range: the place of the inner text.
    ///   - bytes: the other text.
    ///   - found: what is hidden in the other text.
    private func add(_ inner: [UInt8], at range: Range<Int>, of bytes: [UInt8], to found: inout HiddenPlaces) {
        guard inner.contains(where: { "=?{[:<\\%".utf8.contains($0) }) else { return }
        var search = self
        (search.depth, search.isCut) = (depth + 1, false)
        guard search.depth <= Self.mostEncodings, let places = search.places(in: inner, .text) else {
            return found.hide(range)
        }
        found.secrets.formUnion(places.secrets)
        if search.revealed(in: places.replaced(in: inner).bytes, .text, isPayload: true) != nil {
            found.hide(range)
        } else if !places.isEmpty {
            guard let indices = Self.indices(of: inner, at: range, of: bytes) else { return found.hide(range) }
            found.add(places) { indices[$0] }
        }
    }

    /// Returns the index of each byte and of the end of a text that is written as it is; nil for any other text.
    ///
    /// Some writers of JSON escape slashes.
    private static func indices(of inner: [UInt8], at range: Range<Int>, of bytes: [UInt8]) -> [Int]? {
        var (indices, rest) = ([Int](), bytes[range])
        for byte in inner {
            indices.append(rest.startIndex)
            if byte == UInt8(ascii: "/"), rest.first == UInt8(ascii: "\\") { rest.removeFirst() }
            guard rest.popFirst() == byte, byte != UInt8(ascii: "\\") else { return nil }
        }
        return rest.isEmpty ? indices + [range.upperBound] : nil
    }

    // MARK: - JSON

    private func json(in text: ArraySlice<UInt8>, isCut: Bool) -> HiddenPlaces? {
        let bytes = Array(text)
        guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else { return nil }
        var (parts, found) = (JSONParts(bytes, redaction), HiddenPlaces())
        while let part = parts.next() {
            let text = Array(part.text)
            if text.isEmpty || text.elementsEqual(CassetteRedaction.placeholder.utf8) { continue }
            switch part.kind {
            case .string where part.isOpen && part.sensitivity != .shown: found.hide(part.range)
            case .name where part.sensitivity != .shown && Self.isOdd(name: text),
                .string where part.sensitivity.hides(text):
                found.hide(part.range, secrets: text, Array(bytes[part.range]))
            case .name, .string: add(text, at: part.range, of: bytes, to: &found)
            // A number becomes 0, so that the text can still be decoded.
            case .number where part.sensitivity == .hidden && !text.elementsEqual("0".utf8):
                found.hide(part.range, as: "0")
            default: break
            }
        }
        return parts.isComplete || isCut && !parts.isInvalid ? found : nil
    }

    /// Returns whether the name of a member below a sensitive name may itself be the secret.
    ///
    /// Such a name, for example the ID of a session, is not chosen by a person: a piece of the name is very long, or
    /// has more digits than `sha256_fingerprint`.
    private static func isOdd(name: [UInt8]) -> Bool {
        let pieces = name.split { !URIEncoding.isAlphanumeric($0) }
        return name.count >= shortestOddName
            && pieces.contains { $0.count >= shortestOddPiece || $0.count(where: \.isASCIIDigit) > mostDigitsOfName }
    }

    /// The limits above which a name is not one that people choose; below the first limit, it may be anything.
    private static let (shortestOddName, shortestOddPiece, mostDigitsOfName) = (12, 32, 3)

    /// Returns the lines of a text that are JSON, or `data:` and JSON; what to hide in each is in its places.
    private func lines(of bytes: [UInt8]) -> [(range: Range<Int>, places: HiddenPlaces)] {
        bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
            var rest = line
            if rest.starts(with: "data:".utf8) { rest = rest.dropFirst(5).drop(while: HTTPToken.isBlank) }
            guard rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "["),
                let places = json(in: rest, isCut: isCut && line.endIndex == bytes.endIndex)
            else { return nil }
            return (rest.indices, places)
        }
    }

    // MARK: - URLs and forms

    /// Adds the values of items such as `?name=value`.
    ///
    /// A text consists of runs, which end where a value ends: all behind the first name of a secret is hidden.
    private func add(itemsOf bytes: [UInt8], _ kind: TextKind, to found: inout HiddenPlaces) {
        let query = kind == .url ? bytes.firstIndex { "?#".utf8.contains($0) } ?? bytes.count : 0
        let runs =
            bytes[..<query].split { "/;&)".utf8.contains($0) }
            + bytes[query...].split { kind == .text ? Self.isEnd($0) : "&#".utf8.contains($0) }
        for run in runs {
            for part in run.split(separator: UInt8(ascii: "="), maxSplits: 1) { add(formsOf: part, to: &found) }
            guard let first = run.firstIndex(of: UInt8(ascii: "=")) else { continue }
            var rest = run
            var isItem = kind != .text || run.startIndex == 0 || "&#".utf8.contains(bytes[run.startIndex - 1])
            while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
                let start = rest[..<sign].lastIndex { "?;".utf8.contains($0) }.map { $0 + 1 }
                let name = rest[(start ?? rest.startIndex)..<sign]
                rest = rest[(sign + 1)...]
                let isLast = isCut && run.endIndex == bytes.count
                if isItem || start != nil, hides(rest, of: name, isCut: isLast, &found) { break }
                // A value in a URL or form may begin with a name.
                isItem = kind != .text
            }
            let value = run[(first + 1)...]
            if value.contains(where: { "%+".utf8.contains($0) }) {
                add(Array(URIEncoding.decodedForm(value)), at: value.indices, of: bytes, to: &found)
            }
        }
    }

    /// Hides a name or value of an item if only its decoded text has the form of a secret.
    private func add(formsOf part: ArraySlice<UInt8>, to found: inout HiddenPlaces) {
        guard part.contains(where: { "%+".utf8.contains($0) }) else { return }
        let decoded = Array(URIEncoding.decodedForm(part))
        let secrets = SecretForm.places(in: decoded)
        guard secrets.count > SecretForm.places(in: Array(part)).count else { return }
        found.hide(part.indices)
        found.secrets.formUnion(secrets.map { Array(decoded[$0]) })
    }

    /// Hides the value of an item if it is a secret by its name; returns whether that is so.
    private func hides(
        _ value: ArraySlice<UInt8>,
        of name: ArraySlice<UInt8>,
        isCut: Bool,
        _ found: inout HiddenPlaces
    ) -> Bool {
        let sensitivity = redaction.sensitivity(of: URIEncoding.decodedForm(name))
        if sensitivity == .shown { return false }
        let decoded = Array(URIEncoding.decodedForm(value))
        if decoded.elementsEqual(CassetteRedaction.placeholder.utf8) { return false }
        if isCut {
            found.hide(value.indices)
        } else if sensitivity.hides(decoded) {
            found.hide(value.indices, secrets: decoded, Array(value))
        } else {
            return false
        }
        return true
    }

    /// Adds the user information of URLs (RFC 3986 3.2.1).
    private func add(userInfoOf bytes: [UInt8], to found: inout HiddenPlaces) {
        guard redaction.hidesUserInfo else { return }
        for index in bytes.indices where bytes[index] == UInt8(ascii: ":") {
            // Some writers of JSON escape slashes.
            let mark = ["://", #":\/\/"#].first { bytes[index...].starts(with: $0.utf8) }
            guard let mark else { continue }
            let authority = bytes[(index + mark.utf8.count)...].prefix { !Self.isEnd($0) && !"/?".utf8.contains($0) }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { continue }
            found.hide(authority.startIndex..<at)
            found.secrets.formUnion(HTTPHeaders.Field.secrets(ofBasic: Array(URIEncoding.decoded(authority[..<at]))))
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || "&#\"'<>\\`".utf8.contains(byte) }
}
