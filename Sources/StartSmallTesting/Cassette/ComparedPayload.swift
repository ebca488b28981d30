import Foundation
import StartSmall

/// A payload in the form that ``RequestMatching/payload`` compares.
enum ComparedPayload: Hashable {
    /// JSON, compared by its values.
    case json(JSONValue, [UInt8])

    /// The items of a form, sorted.
    case form(URLParts)

    /// The parts of a multipart form, each with its fields.
    case parts([[UInt8]])

    /// Any other bytes.
    case bytes([UInt8])

    /// Bytes that are produced while they are sent, and that are not in a cassette.
    case stream(Payload.Content)

    init(of input: Input) {
        if let content = input.methodAndPayload.payload?.content, content.hasStream {
            self = .stream(content)
            return
        }
        let bytes = input.methodAndPayload.body.map { Array($0) } ?? []
        let mediaType = input.headers.contentType ?? input.methodAndPayload.payload?.mediaType
        self = Self.read(bytes, mediaType) ?? .bytes(bytes)
    }

    private static func read(_ bytes: [UInt8], _ mediaType: MediaType?) -> ComparedPayload? {
        guard let mediaType, !bytes.isEmpty else { return nil }
        if mediaType.isJSON {
            return (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))).map { .json($0, bytes) }
        }
        if mediaType.beginning.isSame(as: MediaType.form.rawValue) {
            let items = bytes.split(separator: UInt8(ascii: "&")).map(Self.item)
            return .form(URLParts(origin: "", path: "/", queryItems: items.sorted { $0.isBefore($1) }))
        }
        return MultipartRedaction(Data(bytes), mediaType)?.comparedParts.map { .parts($0) }
    }

    /// Returns an item of a form (WHATWG URL 5.1) in a uniform encoding.
    private static func item(_ bytes: ArraySlice<UInt8>) -> String {
        let parts = bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.map { part in
            let text = HTTP1Lines.text(part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
            return URIEncoding.encoded(HTTP1Lines.text(URIEncoding.decoded(text)))
        }
        return decoded.joined(separator: "=")
    }

    /// Returns whether another payload is equal, with any values in place of the hidden ones of this payload.
    func fits(_ other: ComparedPayload) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.stream, _), (_, .stream): return false
        case (.json(let value, _), .json(let other, _)): return value.fits(other)
        case (.form(let form), .form(let other)): return form.fits(other)
        case (.parts(let parts), .parts(let others)):
            return parts.count == others.count && zip(parts, others).allSatisfy { Self.fits($0, $1) }
        default: return Self.fits(bytes, other.bytes)
        }
    }

    /// The bytes for a comparison with a payload of another kind.
    private var bytes: [UInt8] {
        switch self {
        case .json(_, let bytes), .bytes(let bytes): bytes
        case .form(let form): Array(form.queryItems.joined(separator: "&").utf8)
        case .parts(let parts): Array(parts.joined())
        case .stream: []
        }
    }

    /// Returns whether bytes match a pattern, with at least one byte for each placeholder.
    ///
    /// The search passes each byte once per piece: the first match of a piece is as good as any other.
    static func fits(_ pattern: [UInt8], _ other: [UInt8]) -> Bool {
        let pieces = pattern.pieces(between: Array(Redaction.placeholder.utf8))
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return pattern == other }
        let (inner, rest) = (pieces.dropFirst().dropLast(), other.dropFirst(first.count))
        guard other.starts(with: first), rest.count > last.count, rest.suffix(last.count).elementsEqual(last) else {
            return false
        }
        var open = Data(rest.dropLast(last.count))
        for piece in inner {
            open = open.dropFirst()
            if piece.isEmpty { continue }
            guard let range = open.range(of: Data(piece)) else { return false }
            open = open[range.upperBound...]
        }
        return !open.isEmpty
    }
}

extension JSONValue {
    /// Returns whether another value is equal, with any texts in place of the hidden ones of this value.
    fileprivate func fits(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let members), .object(let others)):
            guard members.count == others.count else { return false }
            return members.allSatisfy { name, value in others[name].map(value.fits) == true }
        case (.array(let elements), .array(let others)):
            return elements.count == others.count && zip(elements, others).allSatisfy { $0.fits($1) }
        case (.string(let text), .string(let other)):
            return ComparedPayload.fits(Array(text.utf8), Array(other.utf8))
        default: return self == other
        }
    }
}
