extension URITemplate {
    /// Watches a URL as it is put together, for what values may not do to its structure.
    ///
    /// Where a template says `{login}`, no value can bring a separator. But one that is empty, `.` or `..` names another
    /// resource than the template does: servers, proxies and engines resolve dot segments, encoded ones too (RFC 3986
    /// 6.2.2.2 and 6.2.2.3), and `/items/` is not an item. So a segment in which an expression has a hand is none of
    /// these.
    ///
    /// Where a template says `{+path}`, its author wants separators from outside. Then too no segment is `.` or `..`; the
    /// value is not empty, and does not begin with `/` after a `/`; and it can't go on with an authority that was begun
    /// before it, as `@evil.example` would after `https://api.example.com`.
    ///
    /// An expression that may vanish, such as `{/id}` or `{.format}`, is not there if it has no value.
    struct Structure {
        private var segment: [UInt8] = []

        /// The expression that has a hand in the segment.
        private var author: Expression?

        /// How many segments are over, as far as that matters to tell an authority: `https:`, nothing, authority.
        private var count = 0
        private var mayHaveAuthority = true
        private var isOver = false

        /// Takes what the template itself says.
        mutating func take(literal text: String) throws(ExpansionError) {
            for byte in text.utf8 where !isOver { try take(byte) }
        }

        /// Takes what an expression has become.
        mutating func take(_ text: String, of expression: Expression) throws(ExpansionError) {
            if isOver { return }
            switch expression.operator {
            case .simple:
                author = expression
            case .reserved:
                if isInAuthority, let first = text.utf8.first, !"/?#".utf8.contains(first) {
                    throw ExpansionError(reason: "may not change the host", expression: expression.source)
                }
                if text.isEmpty || !isAtStart { author = expression }
            case .fragment, .label, .path, .parameter, .query, .continuation:
                break
            }
            // Told once a segment: a value may be long.
            var isTold = false
            for byte in text.utf8 where !isOver {
                if !isTold, byte != UInt8(ascii: "/"), byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#") {
                    (author, isTold) = (expression, true)
                }
                try take(byte)
                guard byte == UInt8(ascii: "/") else { continue }
                isTold = expression.operator == .path
                if isTold { author = expression }
            }
        }

        /// Takes the end of the URL.
        mutating func end() throws(ExpansionError) {
            if !isOver { try endSegment() }
        }

        private var isAtStart: Bool { count == 0 && segment.isEmpty }

        private var isInAuthority: Bool { count == 2 && mayHaveAuthority }

        private mutating func take(_ byte: UInt8) throws(ExpansionError) {
            switch byte {
            case UInt8(ascii: "/"):
                try endSegment()
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                try endSegment()
                isOver = true
            default:
                segment.append(byte)
            }
        }

        private mutating func endSegment() throws(ExpansionError) {
            if let author, segment.count <= Self.longestVanishing,
                Self.vanishing.contains(RFC3986.decoded(segment[...]))
            {
                throw ExpansionError(reason: "may not become empty, . or ..", expression: author.source)
            }
            if count == 0 { mayHaveAuthority = segment.isEmpty || segment.last == UInt8(ascii: ":") }
            if count == 1 { mayHaveAuthority = mayHaveAuthority && segment.isEmpty }
            count += 1
            segment = []
            author = nil
        }

        private static let vanishing = ["", ".", ".."].map { Array($0.utf8)[...] }

        /// The bytes of `%2e%2e`: a longer segment need not be decoded.
        private static let longestVanishing = 6
    }
}
