import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport
import Foundation

/// The places in a text that a cassette hides, and the secrets in them.
struct HiddenPlaces {
    private struct Place {
        var range: Range<Int>
        var shown = CassetteRedaction.placeholder
    }

    private var places: [Place] = []

    /// The secrets in decoded form.
    var secrets: Set<[UInt8]> = []

    /// Whether nothing is hidden.
    var isEmpty: Bool { places.isEmpty }

    /// Hides a range; empty ranges stay.
    mutating func hide(_ range: Range<Int>, as shown: String = CassetteRedaction.placeholder) {
        if !range.isEmpty { places.append(Place(range: range, shown: shown)) }
    }

    /// Hides the value of a secret name, which is a secret elsewhere, too.
    mutating func hide(_ range: Range<Int>, secrets found: [UInt8]...) {
        hide(range)
        secrets.formUnion(found)
    }

    /// Adds the places of another search, of a part of the text that begins at an offset.
    mutating func add(_ other: HiddenPlaces, at start: Int = 0) {
        places += other.places.map { place in
            Place(range: place.range.lowerBound + start..<place.range.upperBound + start, shown: place.shown)
        }
        secrets.formUnion(other.secrets)
    }

    /// Returns a text with a placeholder for each group of overlapping places, and the sizes of its chunks.
    ///
    /// A chunk that ends inside of a hidden place ends after the placeholder.
    func replaced(in bytes: [UInt8], chunks: [Int] = []) -> (bytes: [UInt8], chunks: [Int]) {
        if places.isEmpty { return (bytes, chunks) }
        var merged: [Place] = []
        for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard let last = merged.last, place.range.lowerBound < last.range.upperBound else {
                merged.append(place)
                continue
            }
            let end = max(last.range.upperBound, place.range.upperBound)
            merged[merged.count - 1].range = last.range.lowerBound..<end
        }
        var (shown, end, cuts) = ([UInt8](), 0, [Int]())
        var ends = chunks.reduce(into: []) { $0.append(($0.last ?? 0) + $1) }[...]
        for place in merged {
            while let cut = ends.first, cut <= place.range.lowerBound {
                cuts.append(shown.count + ends.removeFirst() - end)
            }
            shown += bytes[end..<place.range.lowerBound] + Array(place.shown.utf8)
            end = place.range.upperBound
            while let cut = ends.first, cut <= end {
                ends.removeFirst()
                cuts.append(shown.count)
            }
        }
        cuts += ends.map { shown.count + $0 - end }
        return (shown + bytes[end...], zip(cuts, [0] + cuts).map { $0 - $1 })
    }
}

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

    /// The number of encodings around the text.
    private var depth = 0

    /// The maximum number of encodings within each other; a value within more of them is hidden as a whole.
    private static let mostEncodings = 4

    init(_ redaction: Redaction, isCut: Bool = false) { (self.redaction, self.isCut) = (redaction, isCut) }

    /// Returns what to hide in a text; nil for a text of which that can't be known.
    func places(in bytes: [UInt8], _ kind: TextKind) -> HiddenPlaces? {
        var found = HiddenPlaces()
        if !redaction.hidesNothing {
            for range in SecretForm.places(in: bytes, isCut: isCut) { found.hide(range, secrets: Array(bytes[range])) }
        }
        switch kind {
        case .url, .form: add(itemsOf: bytes, kind, to: &found)
        case .json, .text:
            add(itemsOf: bytes, kind, to: &found)
            if let json = json(in: bytes[...]) {
                found.add(json.places)
                if json.isComplete || isCut { return found }
            }
            if kind == .json { return nil }
            for line in lines(of: bytes) { found.add(line.places, at: line.range.lowerBound) }
        }
        return found
    }

    /// Returns what to hide in JSON, which may be incomplete; nil for any other text.
    private func json(in bytes: ArraySlice<UInt8>) -> (places: HiddenPlaces, isComplete: Bool)? {
        let bytes = Array(bytes)
        guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else { return nil }
        var (parts, found) = (JSONParts(bytes, redaction), HiddenPlaces())
        while let part = parts.next() {
            let text = Array(part.text)
            if text.isEmpty || text.elementsEqual(CassetteRedaction.placeholder.utf8) { continue }
            switch part.kind {
            case .name where part.sensitivity != .shown && Self.isOdd(name: text):
                found.hide(part.range, secrets: text)
            case .name where hides(text, writtenAs: [], &found): found.hide(part.range)
            case .string where part.isOpen && part.sensitivity != .shown: found.hide(part.range)
            case .string where part.sensitivity.hides(text):
                found.hide(part.range, secrets: text, Array(bytes[part.range]))
            case .string where hides(text, writtenAs: bytes[part.range], &found): found.hide(part.range)
            // A number becomes 0, so that the text can still be decoded.
            case .number where part.sensitivity == .hidden && !text.elementsEqual("0".utf8):
                found.hide(part.range, as: "0")
            default: break
            }
        }
        return parts.isInvalid ? nil : (found, parts.isComplete)
    }

    /// Returns whether the name of a member below a sensitive name may itself be the secret.
    ///
    /// Such a name, for example the ID of a session, is not chosen by a person: a piece of the name is very long, or
    /// has more digits than `sha256_fingerprint`.
    private static func isOdd(name: [UInt8]) -> Bool {
        let pieces = name.split { !$0.isASCIIDigit && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        return name.count >= shortestOddName
            && pieces.contains { $0.count >= shortestOddPiece || $0.count(where: \.isASCIIDigit) > mostDigitsOfName }
    }

    /// The limits above which a name is not one that people choose; below the first limit, it may be anything.
    private static let shortestOddName = 12
    private static let shortestOddPiece = 32
    private static let mostDigitsOfName = 3

    /// Returns the lines of a text that are JSON, or `data:` and JSON; what to hide in each is in its places.
    private func lines(of bytes: [UInt8]) -> [(range: Range<Int>, places: HiddenPlaces)] {
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.compactMap { line in
            var rest = line
            if rest.starts(with: "data:".utf8) { rest = rest.dropFirst(5).drop(while: HTTPToken.isBlank) }
            guard rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "["), let json = json(in: rest),
                json.isComplete || isCut && line.endIndex == bytes.endIndex
            else { return nil }
            return (rest.indices, json.places)
        }
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
            if let json = json(in: bytes[...]), json.isComplete || isCut { return nil }
            // With space in its place, what is around JSON keeps its indices.
            for (range, _) in lines(of: bytes) {
                rest.replaceSubrange(range, with: repeatElement(UInt8(ascii: " "), count: range.count))
            }
        }
        return redaction.revealed(in: rest, isPayload: isPayload, besides: names)
    }

    /// Returns whether a decoded text inside of another text is hidden as a whole; its secrets are noted.
    ///
    /// What is to be hidden in a part of it is found in its written form, too, unless that differs by more than escaped
    /// slashes.
    private func hides(_ text: [UInt8], writtenAs written: ArraySlice<UInt8>, _ found: inout HiddenPlaces) -> Bool {
        guard text.contains(where: { "=?{[:<\\".utf8.contains($0) }) else { return false }
        var search = self
        search.depth += 1
        search.isCut = false
        guard search.depth <= Self.mostEncodings, let places = search.places(in: text, .text) else { return true }
        found.secrets.formUnion(places.secrets)
        if search.revealed(in: places.replaced(in: text).bytes, .text, isPayload: true) != nil { return true }
        return !places.isEmpty && !written.replacing(#"\/"#.utf8, with: "/".utf8).elementsEqual(text)
    }

    /// Adds the values of items such as `?name=value` in URLs, and the user information of URLs.
    private func add(itemsOf bytes: [UInt8], _ kind: TextKind, to found: inout HiddenPlaces) {
        for index in bytes.indices where bytes[index] == UInt8(ascii: ":") {
            // Some writers of JSON escape slashes.
            for mark in ["://", #":\/\/"#] where bytes[index...].starts(with: mark.utf8) {
                add(userInfoOf: bytes, at: index + mark.utf8.count, to: &found)
            }
        }
        let isEnd = { (byte: UInt8) in kind == .url || kind == .form ? "&#".utf8.contains(byte) : Self.isEnd(byte) }
        // The start of a name; where the last value that is shown ends: items inside of it are looked for, too.
        var (start, checked, isPath) = (kind == .url ? nil : 0, 0, kind == .url)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "="), let first = start {
                // A value in a URL may begin with a name.
                start = kind == .url ? index : nil
                let isInner = index < checked
                let isEndOfValue = { (byte: UInt8) in isEnd(byte) || isPath && "/?;)".utf8.contains(byte) }
                let value = isInner ? bytes[index..<checked] : bytes[index...].prefix { !isEndOfValue($0) }
                if hides(
                    value,
                    of: bytes[first..<(index - 1)],
                    isInner: isInner,
                    isLast: value.endIndex == bytes.count,
                    &found
                ) {
                    index = value.endIndex
                } else {
                    checked = value.endIndex
                }
            } else if "?&#".utf8.contains(byte) || byte == UInt8(ascii: ";") && kind != .form
                || byte == UInt8(ascii: "/") && isPath
            {
                isPath = isPath && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
                start = index
            } else if isEnd(byte) {
                start = nil
            }
        }
    }

    /// Hides the value of an item if it is a secret, or contains one in decoded form; returns whether that is so.
    private func hides(
        _ value: ArraySlice<UInt8>,
        of name: ArraySlice<UInt8>,
        isInner: Bool,
        isLast: Bool,
        _ found: inout HiddenPlaces
    ) -> Bool {
        let sensitivity = redaction.sensitivity(of: URIEncoding.decodedForm(name))
        if isInner, sensitivity == .shown { return false }
        let decoded = Array(URIEncoding.decodedForm(value))
        if decoded.elementsEqual(CassetteRedaction.placeholder.utf8) { return false }
        if sensitivity != .shown, isCut, isLast {
            found.hide(value.indices)
        } else if sensitivity.hides(decoded) {
            found.hide(value.indices, secrets: decoded, Array(value))
        } else if !isInner, hides(decoded, writtenAs: value, &found) {
            found.hide(value.indices)
        } else {
            return false
        }
        return true
    }

    /// Adds the user information behind the `//` of a URL (RFC 3986 3.2.1).
    private func add(userInfoOf bytes: [UInt8], at start: Int, to found: inout HiddenPlaces) {
        guard redaction.hidesUserInfo else { return }
        let authority = bytes[start...].prefix { !Self.isEnd($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
        let both = URIEncoding.decoded(authority[..<at])
        found.hide(start..<at)
        found.secrets.formUnion(HTTPHeaders.Field.secrets(ofBasic: Array(both)))
    }

    /// Returns whether a value in a text ends before a byte.
    private static func isEnd(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || "&#\"'<>\\`".utf8.contains(byte) }
}
