import StartSmallCore
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
    private(set) var secrets: Set<[UInt8]> = []

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

    /// Notes the secrets of a text inside of a value.
    mutating func note(_ found: Set<[UInt8]>) { secrets.formUnion(found) }

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
        var ends = Self.ends(of: chunks)[...]
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

    private static func ends(of chunks: [Int]) -> [Int] {
        var end = 0
        return chunks.map { size in
            end += size
            return end
        }
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

    /// Lines that may have JSON, as those of an event stream.
    case events

    /// Any other text, which may be JSON, and may contain URLs and lines of JSON.
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
        if redaction.hidesKnownForms {
            for range in SecretForm.places(in: bytes, isCut: isCut) { found.hide(range, secrets: Array(bytes[range])) }
        }
        switch kind {
        case .url, .form: add(itemsOf: bytes, kind, to: &found)
        case .json, .events, .text:
            add(itemsOf: bytes, kind, to: &found)
            if let json = json(in: bytes[...]) {
                found.add(json.places)
                if json.isComplete || isCut { return found }
            }
            if kind == .json { return nil }
            guard addLines(of: bytes, kind, to: &found) else { return nil }
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
            case .string where part.isOpen && part.sensitivity != .shown: found.hide(part.range)
            case .string where part.sensitivity.hides(text):
                found.hide(part.range, secrets: text, Array(bytes[part.range]))
            case .string where isHidden(inner: text, &found) && isHiddenAsAWhole(text, bytes[part.range]):
                found.hide(part.range)
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

    /// Returns whether the secrets in a string are not found in its written form, as they are in a URL.
    private func isHiddenAsAWhole(_ text: [UInt8], _ written: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") { return true }
        // Some writers escape slashes.
        let pieces = written.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
        return pieces.dropFirst().contains { $0.first != UInt8(ascii: "/") }
    }

    /// Adds what to hide in the lines of a text that begin with JSON, or with `data:` and JSON.
    ///
    /// - Returns: whether the lines could be read: JSON of an event stream may continue on the next line.
    private func addLines(of bytes: [UInt8], _ kind: TextKind, to found: inout HiddenPlaces) -> Bool {
        let lines = bytes.split(omittingEmptySubsequences: true) {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        for line in lines {
            var rest = line
            if rest.starts(with: "data:".utf8) { rest = rest.dropFirst(5).drop(while: HTTPToken.isBlank) }
            guard rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[") else { continue }
            let isLast = isCut && line.endIndex == bytes.endIndex
            let json = json(in: rest)
            if let json, json.isComplete || isLast {
                found.add(json.places, at: rest.startIndex)
            } else if kind == .events, json != nil || rest.first == UInt8(ascii: "{") {
                return false
            }
        }
        return true
    }

    /// Returns whether a decoded text inside of another text contains something to hide, which is noted then.
    private func isHidden(inner text: [UInt8], _ found: inout HiddenPlaces) -> Bool {
        let isNested = text.contains { "=?{[:".utf8.contains($0) }
        guard isNested else { return false }
        var inner = self
        inner.depth += 1
        inner.isCut = false
        guard inner.depth <= Self.mostEncodings else { return true }
        guard let places = inner.places(in: text, .text), !places.isEmpty else { return false }
        found.note(places.secrets)
        return true
    }

    /// Adds the values of items such as `?name=value` in URLs, and the user information of URLs.
    private func add(itemsOf bytes: [UInt8], _ kind: TextKind, to found: inout HiddenPlaces) {
        let isWhole = kind == .url || kind == .form
        let isEnd = { (byte: UInt8) in
            isWhole ? byte == UInt8(ascii: "&") || byte == UInt8(ascii: "#") : Self.isEnd(byte)
        }
        for index in bytes.indices where bytes[index] == UInt8(ascii: ":") {
            // Some writers of JSON escape slashes.
            for mark in ["://", #":\/\/"#] where bytes[index...].starts(with: mark.utf8) {
                add(userInfoOf: bytes, at: index + mark.utf8.count, to: &found)
            }
        }
        var index = kind == .url ? 0 : -1
        while index < bytes.endIndex {
            guard index < 0 || "?&#".utf8.contains(bytes[index]) else {
                index += 1
                continue
            }
            let start = index + 1
            let name = bytes[start...].prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "?") && !isEnd($0) }
            index = max(name.endIndex, index + 1)
            guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: "=") else { continue }
            let value = bytes[(name.endIndex + 1)...].prefix { !isEnd($0) }
            index = value.endIndex
            let (decoded, shown) = (URIEncoding.decodedForm(value), URIEncoding.decodedForm(name))
            if decoded.elementsEqual(CassetteRedaction.placeholder.utf8) { continue }
            let sensitivity = redaction.sensitivity(of: shown)
            let isOpen = isCut && value.endIndex == bytes.endIndex && sensitivity != .shown
            if isOpen {
                found.hide(value.indices)
            } else if sensitivity.hides(decoded) {
                found.hide(value.indices, secrets: Array(decoded), Array(value))
            } else if decoded.count != value.count, isHidden(inner: Array(decoded), &found) {
                found.hide(value.indices)
            }
        }
    }

    /// Adds the user information behind the `//` of a URL (RFC 3986 3.2.1).
    private func add(userInfoOf bytes: [UInt8], at start: Int, to found: inout HiddenPlaces) {
        guard redaction.hidesUserInfo else { return }
        let authority = bytes[start...].prefix { !Self.isEnd($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
        let both = URIEncoding.decoded(authority[..<at])
        found.hide(start..<at)
        found.note(HTTPHeaders.Field.secrets(ofBasic: Array(both)))
    }

    /// Returns whether a value in a text ends before a byte.
    private static func isEnd(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || "&#\"'<>\\`".utf8.contains(byte) }
}
