extension URITemplate {
    /// Watches a URL as it is put together, for what values may not do to its structure.
    ///
    /// Where a template says `{login}`, no value can bring a separator. But one that is empty, `.` or `..` names another
    /// resource than the template does: servers, proxies and engines resolve dot segments, encoded ones too (RFC 3986
    /// 6.2.2.2 and 6.2.2.3), and `/items/` is not an item. So a segment in which an expression has a hand is none of
    /// these, not even in front of a `;`.
    ///
    /// Where a template says `{+path}`, its author wants separators from outside. Then too no segment is `.` or `..`, nor
    /// would be to a server that takes `%2F` or `\` for a slash; the value is not empty, and does not begin with `/` after
    /// a `/`; and it can't go on with an authority that was begun before it, as `@evil.example` would after
    /// `https://api.example.com`.
    ///
    /// An expression that may vanish, such as `{/id}` or `{.format}`, is not there if it has no value.
    struct Structure {
        private var segment: [UInt8] = []

        /// The expression that has a hand in the segment.
        private var author: Expression?

        /// Whether one that lets separators in has.
        private var isOpen = false

        /// Whether one has that stands for all of it, or for what is in front of a `;`.
        private var isNamed = false

        /// Whether it has a `;`.
        private var hasParameters = false

        /// How many segments are over, as far as that matters to tell an authority: `https:`, nothing, authority.
        private var count = 0
        private var mayHaveAuthority = true
        private var isOver = false

        /// Takes what the template itself says.
        mutating func take(literal text: String) throws(ExpansionError) {
            try takeSegments(of: text, by: nil)
        }

        /// Takes what an expression has become.
        mutating func take(_ text: String, of expression: Expression) throws(ExpansionError) {
            if isOver { return }
            switch expression.operator {
            case .simple:
                author = expression
                isNamed = isNamed || !hasParameters
            case .reserved:
                if isInAuthority, let first = text.utf8.first, !"/?#".utf8.contains(first) {
                    throw ExpansionError(reason: "may not change the host", expression: expression.source)
                }
                if text.isEmpty || !isAtStart { author = expression }
                if text.isEmpty { isNamed = isNamed || !hasParameters }
            case .fragment, .label, .path, .parameter, .query, .continuation:
                break
            }
            try takeSegments(of: text, by: expression)
        }

        /// Takes the end of the URL.
        mutating func end() throws(ExpansionError) {
            if !isOver { try endSegment() }
        }

        private var isAtStart: Bool { count == 0 && segment.isEmpty }

        private var isInAuthority: Bool { count == 2 && mayHaveAuthority }

        /// Takes a text segment by segment; an expression that makes a path has a hand in empty ones, too.
        private mutating func takeSegments(of text: String, by expression: Expression?) throws(ExpansionError) {
            var rest = Array(text.utf8)[...]
            while !isOver, !rest.isEmpty {
                let part = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
                segment += part
                hasParameters = hasParameters || part.contains(UInt8(ascii: ";"))
                if !part.isEmpty, let expression {
                    author = expression
                    isOpen = isOpen || expression.operator == .reserved
                }
                rest = rest[part.endIndex...]
                guard let mark = rest.popFirst() else { return }
                try endSegment()
                isOver = mark != UInt8(ascii: "/")
                if expression?.operator == .path { author = expression }
            }
        }

        private mutating func endSegment() throws(ExpansionError) {
            if let author, segment.isEmpty || isVanishing {
                throw ExpansionError(reason: "may not become empty, . or ..", expression: author.source)
            }
            if count == 0 { mayHaveAuthority = segment.isEmpty || segment.last == UInt8(ascii: ":") }
            if count == 1 { mayHaveAuthority = mayHaveAuthority && segment.isEmpty }
            count += 1
            segment.removeAll(keepingCapacity: true)
            (author, isOpen, isNamed, hasParameters) = (nil, false, false, false)
        }

        /// Whether it leads elsewhere: one without separators from outside as a whole, for what is encoded in it stays so.
        private var isVanishing: Bool {
            if isOpen { return URIEncoding.hasDotSegments(segment) }
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            if name.isEmpty { return isNamed }
            return name.count <= Self.longestVanishing && URIEncoding.areDots(URIEncoding.decoded(name))
        }

        /// The bytes of `%2e%2e`: a longer name need not be decoded.
        private static let longestVanishing = 6
    }
}
