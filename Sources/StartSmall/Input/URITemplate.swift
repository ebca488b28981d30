/// A URL with variables in braces (RFC 6570): `https://api.github.com/users/{login}`.
///
/// Level 1, simple string expansion (RFC 6570 3.2.2): a value is percent-encoded but for its unreserved characters,
/// so that it can't add a path segment, a query or a fragment.
public struct URITemplate: Hashable, Sendable {
    enum Part: Hashable {
        case literal(String)
        case variable(String)
    }

    /// Why a text is not a template.
    public struct ParseError: Error, Hashable, CustomStringConvertible {
        /// What is wrong; nothing of the text, which may hold a credential.
        public let reason: String

        /// Where, in bytes from the start of the text.
        public let offset: Int

        /// What is wrong, and where.
        public var description: String {
            "\(reason) at byte \(offset)"
        }
    }

    let parts: [Part]

    /// Reads a template once, to be expanded many times.
    ///
    /// - Throws: ``ParseError`` if a brace has no partner, or if what stands between them is not a variable's name.
    public init(_ text: String) throws(ParseError) {
        var parts: [Part] = []
        var rest = text.utf8[...]
        func fail(_ reason: String, at index: String.Index) -> ParseError {
            ParseError(reason: reason, offset: text.utf8.distance(from: text.startIndex, to: index))
        }
        while let brace = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            guard rest[brace] == UInt8(ascii: "{") else { throw fail("unexpected }", at: brace) }
            let inside = rest[rest.index(after: brace)...]
            guard let end = inside.firstIndex(of: UInt8(ascii: "}")) else { throw fail("{ without }", at: brace) }
            let name = Substring(inside[..<end])
            guard Self.isVariableName(name) else { throw fail("not a variable name", at: inside.startIndex) }
            parts.append(.literal(Self.encodedLiteral(Substring(rest[..<brace]))))
            parts.append(.variable(String(name)))
            rest = inside[inside.index(after: end)...]
        }
        parts.append(.literal(Self.encodedLiteral(Substring(rest))))
        self.parts = parts
    }

    /// The text with each variable replaced by its encoded value; a variable without a value vanishes (RFC 6570 3.2.1).
    public func expand(_ variables: [String: String]) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .variable(let name): RFC3986.encoded(variables[name] ?? "")
            }
        }.joined()
    }

    /// The first path segment that these values would turn into none, `.` or `..`.
    ///
    /// Such a segment names another resource than the template does: servers, proxies and engines resolve dot segments,
    /// encoded ones too (RFC 3986 6.2.2.2 and 6.2.2.3), and `/items/` is not an item.
    func vanishingSegment(_ variables: [String: String]) -> String? {
        segments.first { segment in
            let text = RFC3986.decoded(URITemplate(parts: segment).expand(variables))
            return segment.contains(where: \.isVariable) && Self.vanishing.contains(text)
        }.map { segment in
            segment.map(\.source).joined()
        }
    }

    private static let vanishing = ["", ".", ".."].map { Array($0.utf8) }

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// The parts of each path segment: what stands between slashes, up to the query.
    private var segments: [[Part]] {
        var segments: [[Part]] = [[]]
        for part in parts {
            guard case .literal(let text) = part else {
                segments[segments.count - 1].append(part)
                continue
            }
            let path = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let pieces = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                if index > 0 { segments.append([]) }
                if !piece.isEmpty { segments[segments.count - 1].append(.literal(String(Substring(piece)))) }
            }
            if path.endIndex != text.endIndex { break }
        }
        return segments
    }

    /// Whether a text is letters, digits, `_` and percent-encoded triplets, with single dots between (RFC 6570 2.3).
    private static func isVariableName(_ name: Substring) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            let kept = RFC3986.encoded(part, triplets: true) { RFC3986.isUnreserved($0) && !"-.~".utf8.contains($0) }
            return !part.isEmpty && part == kept
        }
    }

    /// A literal with all that no URI may contain percent-encoded, and so each `%` that begins no triplet: otherwise
    /// a value after it could become one (RFC 6570 3.1).
    private static func encodedLiteral(_ text: Substring) -> String {
        RFC3986.encoded(text, triplets: true) { RFC3986.isUnreserved($0) || "!#$&'()*+,/:;=?@[]".utf8.contains($0) }
    }
}

extension URITemplate: CustomStringConvertible, CustomReflectable {
    /// The template's text on one line, credentials redacted.
    public var description: String {
        Redaction.standard.shown(url: parts.map(\.source).joined())
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["template": description])
    }
}

extension URITemplate.Part {
    fileprivate var isVariable: Bool {
        if case .variable = self { true } else { false }
    }

    fileprivate var source: String {
        switch self {
        case .literal(let text): text
        case .variable(let name): "{\(name)}"
        }
    }
}
