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
        if !redaction.hidesNothing {
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
            guard let lines = lines(of: bytes, kind) else { return nil }
            for line in lines { found.add(line.places, at: line.range.lowerBound) }
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
            case .name where inner(text, &found) != .shown: found.hide(part.range)
            case .string where part.isOpen && part.sensitivity != .shown: found.hide(part.range)
            case .string where part.sensitivity.hides(text):
                found.hide(part.range, secrets: text, Array(bytes[part.range]))
            case .string where isHidden(text, writtenAs: bytes[part.range], &found): found.hide(part.range)
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

    /// Returns whether a string is hidden as a whole: its secrets are not found in its written form, as in a URL.
    private func isHidden(_ text: [UInt8], writtenAs written: ArraySlice<UInt8>, _ found: inout HiddenPlaces) -> Bool {
        switch inner(text, &found) {
        case .shown: return false
        case .hidden: return true
        case .hiddenInPart:
            if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") { return true }
            // Some writers escape slashes.
            let pieces = written.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
            return pieces.dropFirst().contains { $0.first != UInt8(ascii: "/") }
        }
    }

    /// Returns the lines of a text that begin with JSON, or with `data:` and JSON; what to hide in each is in its places.
    ///
    /// - Returns: nil if the lines can't be read: JSON of an event stream may continue on the next line.
    private func lines(of bytes: [UInt8], _ kind: TextKind) -> [(range: Range<Int>, places: HiddenPlaces)]? {
        var found: [(Range<Int>, HiddenPlaces)] = []
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
                found.append((rest.indices, json.places))
            } else if kind == .events, json != nil || rest.first == UInt8(ascii: "{") {
                return nil
            }
        }
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
        if kind == .json || kind == .events || kind == .text {
            if let json = json(in: bytes[...]), json.isComplete || isCut { return nil }
            // With space in its place, what is around JSON keeps its indices.
            for (range, _) in lines(of: bytes, kind) ?? [] {
                rest.replaceSubrange(range, with: repeatElement(UInt8(ascii: " "), count: range.count))
            }
        }
        rest = rest.replacing(CassetteRedaction.placeholder.utf8, with: Redaction.placeholder.utf8)
        return redaction.revealed(in: rest, isPayload: isPayload, besides: names)
    }

    /// The parts of a text inside of another text that are to be hidden.
    private enum Inner {
        case shown, hiddenInPart, hidden
    }

    /// Returns what is to be hidden of a decoded text inside of another text; its secrets are noted.
    private func inner(_ text: [UInt8], _ found: inout HiddenPlaces) -> Inner {
        guard text.contains(where: { "=?{[:<\\".utf8.contains($0) }) else { return .shown }
        var search = self
        search.depth += 1
        search.isCut = false
        guard search.depth <= Self.mostEncodings, let places = search.places(in: text, .text) else { return .hidden }
        found.secrets.formUnion(places.secrets)
        let rest = places.replaced(in: text).bytes
        if search.revealed(in: rest, .text, isPayload: true) != nil { return .hidden }
        return places.isEmpty ? .shown : .hiddenInPart
    }

    /// Adds the values of items such as `?name=value` in URLs, and the user information of URLs.
    private func add(itemsOf bytes: [UInt8], _ kind: TextKind, to found: inout HiddenPlaces) {
        let isWhole = kind == .url || kind == .form
        let isEnd = { (byte: UInt8) in isWhole ? "&#".utf8.contains(byte) : Self.isEnd(byte) }
        var isPath = kind == .url
        // Before parameters of a path, and of many fields; a value in a URL may begin with a name.
        let isSeparator = { (byte: UInt8) in
            byte == UInt8(ascii: ";") && kind != .form || byte == UInt8(ascii: "=") && kind == .url
                || byte == UInt8(ascii: "/") && isPath
        }
        for index in bytes.indices where bytes[index] == UInt8(ascii: ":") {
            // Some writers of JSON escape slashes.
            for mark in ["://", #":\/\/"#] where bytes[index...].starts(with: mark.utf8) {
                add(userInfoOf: bytes, at: index + mark.utf8.count, to: &found)
            }
        }
        // Where the last value that is shown ends: items inside of it are looked for, too, but not in decoded form again.
        var (index, checked) = (kind == .url ? 0 : -1, -1)
        while index < bytes.endIndex {
            if index >= 0 {
                isPath = isPath && bytes[index] != UInt8(ascii: "?") && bytes[index] != UInt8(ascii: "#")
                guard "?&#".utf8.contains(bytes[index]) || isSeparator(bytes[index]) else {
                    index += 1
                    continue
                }
            }
            let name = bytes[(index + 1)...].prefix { !"=?".utf8.contains($0) && !isSeparator($0) && !isEnd($0) }
            index = max(name.endIndex, index + 1)
            guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: "=") else { continue }
            index = name.endIndex + 1
            let isInner = index < checked
            let isEndOfParameter = { (byte: UInt8) in isPath && "/?;)".utf8.contains(byte) }
            let end = isInner ? checked : bytes[index...].prefix { !isEnd($0) && !isEndOfParameter($0) }.endIndex
            let value = bytes[index..<end]
            let sensitivity = redaction.sensitivity(of: URIEncoding.decodedForm(name))
            let decoded = isInner && sensitivity == .shown ? [] : Array(URIEncoding.decodedForm(value))
            if decoded.elementsEqual(CassetteRedaction.placeholder.utf8) { continue }
            if sensitivity != .shown, isCut, end == bytes.endIndex {
                found.hide(value.indices)
            } else if sensitivity.hides(decoded) {
                found.hide(value.indices, secrets: decoded, Array(value))
            } else {
                checked = end
                let inner = isInner ? .shown : inner(decoded, &found)
                guard inner == .hidden || inner == .hiddenInPart && decoded.count != value.count else {
                    index = name.endIndex
                    continue
                }
                found.hide(value.indices)
            }
            index = end
        }
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
