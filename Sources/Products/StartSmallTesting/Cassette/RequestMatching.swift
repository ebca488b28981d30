public import StartSmallCore
import StartSmallDiagnostics
import StartSmallJSON
import StartSmallSupport
import Foundation

/// A rule that matches a request with a recorded one.
///
/// Both requests are compared in the form of a ``Cassette``, without credentials: a test needs no real token.
public struct RequestMatching: Sendable {
    /// Whether the rule requires the same method and URL, so that other requests can be skipped.
    let isOfMethodAndURL: Bool
    let isOfPayload: Bool
    private let others: [@Sendable (_ asked: Input, _ recorded: Input) -> Bool]

    /// Creates a custom rule.
    ///
    /// Secrets are placeholders in both requests. A payload that is not in the cassette is empty.
    public init(_ matches: @escaping @Sendable (_ asked: Input, _ recorded: Input) -> Bool) {
        self.init(others: [matches])
    }

    private init(
        isOfMethodAndURL: Bool = false,
        isOfPayload: Bool = false,
        others: [@Sendable (Input, Input) -> Bool] = []
    ) {
        (self.isOfMethodAndURL, self.isOfPayload, self.others) = (isOfMethodAndURL, isOfPayload, others)
    }

    /// Returns whether a request matches a recorded one.
    ///
    /// - Parameters:
    ///   - asked: the new request.
    ///   - recorded: the recorded request.
    public func callAsFunction(_ asked: Input, _ recorded: Input) -> Bool {
        fits(ComparedRequest(asked, for: self), ComparedRequest(recorded, for: self))
    }

    func fits(_ asked: ComparedRequest, _ recorded: ComparedRequest) -> Bool {
        if isOfMethodAndURL, !recorded.parts.fits(asked.parts) { return false }
        let isSame = recorded.isOmitted ? asked.hasPayload : recorded.parts.payload.fits(asked.parts.payload)
        return (isSame || !isOfPayload) && others.allSatisfy { $0(asked.input, recorded.input) }
    }

    /// The rule that matches the method, the URL and the payload: ``methodAndURL`` and ``payload``.
    public static let methodURLAndPayload = methodAndURL.and(.payload)

    /// The rule that matches the method and the URL, regardless of the order of query items and of the payload.
    ///
    /// A hidden part in the path or the query of the recorded request matches any nonempty text.
    public static let methodAndURL = RequestMatching(isOfMethodAndURL: true)

    /// Returns a rule that matches the header fields of these names, in the order of each name.
    ///
    /// Hidden values are equal to each other. Pass names of other fields than the standard ones to
    /// `CassetteRedaction(showing:)`, too, when recording and when replaying.
    public static func headers(_ names: String...) -> RequestMatching {
        RequestMatching { asked, recorded in
            names.allSatisfy { asked.headers.values(of: $0) == recorded.headers.values(of: $0) }
        }
    }

    /// The rule that matches the payload.
    ///
    /// JSON is compared by its values, a form by its items in any order, and any other payload by its bytes. A hidden
    /// part in the payload of the recorded request matches any nonempty text, and a payload that is not in the cassette
    /// matches any nonempty payload: a multipart form, or a `PayloadStream`, for example.
    public static let payload = RequestMatching(isOfPayload: true)

    /// Returns a rule that combines both rules.
    public func and(_ other: RequestMatching) -> RequestMatching {
        RequestMatching(
            isOfMethodAndURL: isOfMethodAndURL || other.isOfMethodAndURL,
            isOfPayload: isOfPayload || other.isOfPayload,
            others: others + other.others
        )
    }
}

/// A request, prepared once for comparison with many others.
struct ComparedRequest {
    var input: Input
    var parts: RequestParts
    fileprivate let isOmitted: Bool
    fileprivate let hasPayload: Bool

    init(_ input: Input, for matching: RequestMatching, isOmitted: Bool = false, hasPayload: Bool? = nil) {
        (self.input, self.isOmitted) = (input, isOmitted)
        self.hasPayload = hasPayload ?? (input.methodAndPayload.body?.isEmpty == false)
        parts = RequestParts(of: input, for: matching)
    }
}

/// The parts of a request that ``RequestMatching/methodURLAndPayload`` compares.
struct RequestParts: Hashable {
    var method: String
    var url: URLParts
    var payload: ComparedPayload

    init(of input: Input, for matching: RequestMatching) {
        (method, url) = (input.methodAndPayload.method, input.url.parts)
        payload = matching.isOfPayload ? ComparedPayload(of: input) : .bytes([])
    }

    /// Returns whether method and URL of another request are equal, with any values in place of the hidden ones.
    func fits(_ other: RequestParts) -> Bool { method.fits(other.method) && url.fits(other.url) }
}

/// A payload in the form that ``RequestMatching/payload`` compares.
enum ComparedPayload: Hashable {
    /// JSON, compared by its values.
    case json(JSONValue)

    /// The items of a form, in a uniform encoding, sorted.
    case form([String])

    /// Any other bytes.
    case bytes([UInt8])

    /// Bytes that are produced while they are sent.
    case stream(Payload.Content)

    init(of input: Input) {
        if let content = input.methodAndPayload.payload?.content, content.hasStream {
            self = .stream(content)
            return
        }
        let bytes = input.methodAndPayload.body ?? Data()
        let mediaType = input.headers.contentType ?? input.methodAndPayload.payload?.mediaType
        if mediaType?.isJSON == true, let value = try? JSONDecoder().decode(JSONValue.self, from: bytes) {
            self = .json(value)
        } else if mediaType?.beginning == MediaType.form.rawValue {
            let items = bytes.split(separator: UInt8(ascii: "&")).map { item in
                item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    .map {
                        URIEncoding.encoded(String(decoding: URIEncoding.decodedForm(Array($0)[...]), as: UTF8.self))
                    }
                    .joined(separator: "=")
            }
            self = .form(items.map(\.withPlaceholders).sorted())
        } else {
            self = .bytes(Array(bytes))
        }
    }

    /// Returns whether another payload is equal, with any values in place of the hidden ones of this payload.
    func fits(_ other: ComparedPayload) -> Bool {
        switch (self, other) {
        case (.json(let value), .json(let other)): value.fits(other)
        case (.form(let items), .form(let others)): items.fit(others)
        case (.bytes(let bytes), .bytes(let others)): bytes.fits(others)
        default: self == other
        }
    }
}

extension [UInt8] {
    /// Returns whether bytes are equal, with one byte or more of the others in place of each placeholder.
    ///
    /// The search passes each byte once per piece: the first match of a piece is as good as any other.
    fileprivate func fits(_ other: [UInt8]) -> Bool {
        let pieces = split(separator: Array(CassetteRedaction.placeholder.utf8), omittingEmptySubsequences: false)
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return self == other }
        let open = other.dropFirst(first.count)
        guard other.starts(with: first), open.count > last.count, open.suffix(last.count).elementsEqual(last) else {
            return false
        }
        var inner = Data(open.dropLast(last.count))
        for piece in pieces.dropFirst().dropLast() {
            inner = inner.dropFirst()
            if piece.isEmpty { continue }
            guard let range = inner.range(of: Data(piece)) else { return false }
            inner = inner[range.upperBound...]
        }
        return !inner.isEmpty
    }
}

extension String {
    /// Returns whether a text is equal, with any text in place of each placeholder.
    fileprivate func fits(_ other: String) -> Bool { isSame(as: other) || Array(utf8).fits(Array(other.utf8)) }

    /// The encoded text of a URL or form with readable placeholders.
    var withPlaceholders: String {
        replacingOccurrences(of: CassetteRedaction.encodedPlaceholder, with: CassetteRedaction.placeholder)
    }
}

extension [String] {
    /// Returns whether each item matches another one of the other items.
    ///
    /// Items without placeholders choose first, then those with the longest shown parts.
    fileprivate func fit(_ others: [String]) -> Bool {
        guard count == others.count else { return false }
        var open = others
        let isHidden = { (item: String) in item.contains(CassetteRedaction.placeholder) }
        for item in filter({ !isHidden($0) }) + filter(isHidden).sorted(by: { $0.utf8.count > $1.utf8.count }) {
            guard let index = open.firstIndex(where: { item.fits($0) }) else { return false }
            open.remove(at: index)
        }
        return true
    }
}

extension JSONValue {
    /// Returns whether another value is equal, with any texts in place of the hidden ones of this value.
    fileprivate func fits(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let members), .object(let others)):
            members.count == others.count && members.allSatisfy { name, value in others[name].map(value.fits) == true }
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.fits($1) }
        case (.string(let text), .string(let other)): text.fits(other)
        default: self == other
        }
    }
}

struct URLParts: Hashable {
    /// The scheme, host and port, normalized by RFC 3986 6.2.2.1 and 6.2.3.
    var origin: String
    var path: String

    /// The percent-encoded query items, sorted.
    var queryItems: [String]

    /// Returns whether another URL is equal, with any values in place of the hidden ones of this URL.
    ///
    /// A hidden part of the path is within a segment.
    func fits(_ other: URLParts) -> Bool {
        if self == other { return true }
        let (segments, others) = (
            path.split(separator: "/", omittingEmptySubsequences: false),
            other.path.split(separator: "/", omittingEmptySubsequences: false)
        )
        return origin.fits(other.origin) && segments.count == others.count
            && zip(segments, others).allSatisfy { String($0).fits(String($1)) } && queryItems.fit(other.queryItems)
    }
}

extension URL {
    var parts: URLParts {
        let scheme = scheme?.lowercased() ?? ""
        let port = port.flatMap { $0 == ["http": 80, "https": 443][scheme] ? nil : ":\($0)" } ?? ""
        let userInfo = user(percentEncoded: true).map { "\($0)@" } ?? ""
        let path = path(percentEncoded: true)
        let host = Authority(of: absoluteString)?.host.lowercased() ?? ""
        let items = query(percentEncoded: true)?.split(separator: "&", omittingEmptySubsequences: true) ?? []
        return URLParts(
            origin: "\(scheme)://\(userInfo)\(host)\(port)".withPlaceholders,
            path: path.isEmpty ? "/" : path.withPlaceholders,
            queryItems: items.map { String($0).withPlaceholders }.sorted()
        )
    }
}
