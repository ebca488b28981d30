import StartSmallSupport

extension URITemplate {
    /// A check that values do not change the structure of a URL while it is assembled.
    ///
    /// In a simple expression such as `{login}`, a value can't add a separator, since separators are encoded. A value
    /// that is empty, `.` or `..` would still name another resource than the template does: servers, proxies and
    /// engines resolve dot segments, including encoded ones (RFC 3986 6.2.2.2 and 6.2.2.3), and `/items/` is not an
    /// item. Therefore, a segment that contains text of an expression must be none of these, not even before a `;`.
    ///
    /// In a reserved expression such as `{+path}`, a value may contain separators. Its segments must not be `.` or
    /// `..`, even to a server that treats `%2F` or `\` as a slash. The value must not be empty, and must not begin with
    /// `/` after a `/`. It can't continue an authority that began before it, as `@evil.example` would after
    /// `https://api.example.com`.
    ///
    /// An expression that can be omitted, such as `{/id}` or `{.format}`, is absent if it has no value.
    struct Structure {
        private var segment: [UInt8] = []

        /// The expression that contributes to the segment.
        private var author: Expression?

        /// The expressions of the URL that have no value, as they are written.
        private var withoutValue: Set<String> = []

        /// Whether an expression that allows separators contributes to the segment.
        private var isOpen = false

        /// Whether an expression makes up all of the segment, or all of the segment before a `;`.
        private var isNamed = false

        /// Whether the segment contains a `;`.
        private var hasParameters = false

        /// The number of complete segments, as far as it locates the authority: `https:`, an empty one, the authority.
        private var count = 0
        private var mayHaveAuthority = true
        private var isOver = false

        mutating func take(literal text: String) throws(ExpansionError) {
            try takeSegments(of: text, by: nil)
        }

        mutating func take(_ text: String, of expression: Expression, hasValue: Bool) throws(ExpansionError) {
            if isOver { return }
            if !hasValue { withoutValue.insert(expression.source) }
            switch expression.operator {
            case .simple:
                author = expression
                isNamed = isNamed || !hasParameters
            case .reserved:
                if isInAuthority, let first = text.utf8.first, !"/?#".utf8.contains(first) {
                    throw ExpansionError(reason: "must not change the host", expression: expression.source)
                }
                if text.isEmpty || !isAtStart { author = expression }
                if text.isEmpty { isNamed = isNamed || !hasParameters }
            case .fragment, .label, .path, .parameter, .query, .continuation:
                break
            }
            try takeSegments(of: text, by: expression)
        }

        mutating func end() throws(ExpansionError) {
            if !isOver { try endSegment() }
        }

        private var isAtStart: Bool { count == 0 && segment.isEmpty }

        private var isInAuthority: Bool { count == 2 && mayHaveAuthority }

        /// Adds a text segment by segment; an expression that makes a path contributes to empty segments, too.
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
                let isMissing = withoutValue.contains(author.source)
                let reason = isMissing ? "has no value" : "must not be empty, . or .."
                throw ExpansionError(reason: reason, expression: author.source)
            }
            if count == 0 { mayHaveAuthority = segment.isEmpty || segment.last == UInt8(ascii: ":") }
            if count == 1 { mayHaveAuthority = mayHaveAuthority && segment.isEmpty }
            count += 1
            segment.removeAll(keepingCapacity: true)
            (author, isOpen, isNamed, hasParameters) = (nil, false, false, false)
        }

        /// Whether the segment leads to another resource.
        ///
        /// A segment without separators from outside is examined as a whole, since anything encoded inside of it stays
        /// encoded.
        private var isVanishing: Bool {
            if isOpen { return URIEncoding.hasDotSegments(segment[...]) }
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            if name.isEmpty { return isNamed }
            return name.count <= Self.longestVanishing && URIEncoding.areDots(URIEncoding.decoded(name))
        }

        /// The length of `%2e%2e` in bytes; a longer name need not be decoded.
        private static let longestVanishing = 6
    }
}
