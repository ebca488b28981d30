/// The entity tag by which a server names one version of a resource: `"abc"`, or `W/"abc"` (RFC 9110 8.8.3).
///
/// Two are equal if they are so byte by byte, and both are weak or neither is.
public struct ETag: Sendable {
    /// What stands between the quotes; it means something to the server alone.
    public let opaque: String

    /// Whether versions of one meaning may share the tag, though their bytes differ: `W/"abc"` (RFC 9110 8.8.1).
    public let isWeak: Bool

    /// Creates a tag from what stands between its quotes; nil if a quote, a blank or a control character is there.
    public init?(opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy(Self.isLegal) else { return nil }
        self.init(legal: opaque, isWeak: isWeak)
    }

    private init(legal opaque: String, isWeak: Bool) {
        (self.opaque, self.isWeak) = (opaque, isWeak)
    }

    /// Reads a field's value, blanks around it aside; nil if it is no tag, as one without quotes.
    public init?(_ text: String) {
        var field = HeaderScanner(text)
        field.skipBlanks()
        guard let tag = Self.read(&field) else { return nil }
        field.skipBlanks()
        guard field.isAtEnd else { return nil }
        self = tag
    }

    /// Whether both are of one version byte by byte, as a part of a payload needs it (RFC 9110 8.8.3.2).
    ///
    /// A weak tag is never strongly equal to another, nor to itself.
    public func isStronglyEqual(to other: ETag) -> Bool {
        !isWeak && !other.isWeak && isWeaklyEqual(to: other)
    }

    /// Whether both are of versions that mean the same, as a cache needs it (RFC 9110 8.8.3.2).
    public func isWeaklyEqual(to other: ETag) -> Bool {
        opaque.isSame(as: other.opaque)
    }

    /// The tag in front of the reader; `W` is a capital.
    fileprivate static func read(_ field: inout HeaderScanner) -> ETag? {
        let isWeak = field.take("W")
        guard !isWeak || field.take("/"), field.take("\"") else { return nil }
        let opaque = field.text { !isLegal($0) }
        return field.take("\"") ? ETag(legal: opaque, isWeak: isWeak) : nil
    }

    /// Whether it is an `etagc`: all that is visible but the quote, and what is beyond ASCII.
    ///
    /// A backslash is one like any other.
    private static func isLegal(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != UInt8(ascii: "\"") && byte != 0x7F
    }
}

extension ETag: Hashable {
    /// Whether both are the same, byte by byte; see ``isStronglyEqual(to:)`` for whether they name the same version.
    public static func == (left: ETag, right: ETag) -> Bool {
        left.isWeak == right.isWeak && left.isWeaklyEqual(to: right)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isWeak)
        hasher.combine(ByteEqualString(opaque))
    }
}

extension ETag: CustomStringConvertible {
    /// The tag as it stands in a field.
    public var description: String {
        "\(isWeak ? "W/" : "")\"\(opaque)\""
    }
}

extension ETag: ExpressibleByStringLiteral {
    /// Creates a tag from its text in a field, `#"W/"abc""#`, or from what stands between the quotes, `"abc"`.
    ///
    /// A byte that no tag can have, such as a blank, is percent-encoded: a literal can't fail.
    public init(stringLiteral text: String) {
        self = ETag(text) ?? ETag(legal: URIEncoding.encoded(text, keeping: Self.isLegal), isWeak: false)
    }
}

/// Of which versions an `If-Match` or an `If-None-Match` speaks (RFC 9110 13.1.1 and 13.1.2).
public enum ETagCondition: Hashable, Sendable {
    /// `*`: of any that is there.
    case any

    /// Of those with one of these tags.
    case oneOf([ETag])

    /// Reads a field's value; nil if it is neither `*` nor a list of tags, or if the list is empty.
    public init?(_ text: String) {
        var field = HeaderScanner(text)
        field.skipBlanks()
        if field.take("*") {
            field.skipBlanks()
            guard field.isAtEnd else { return nil }
            self = .any
            return
        }
        var tags: [ETag] = []
        while !field.isAtEnd {
            // A list may have empty members (RFC 9110 5.6.1.2).
            if !field.take(",") {
                guard let tag = ETag.read(&field) else { return nil }
                tags.append(tag)
                field.skipBlanks()
                guard field.isAtEnd || field.take(",") else { return nil }
            }
            field.skipBlanks()
        }
        guard !tags.isEmpty else { return nil }
        self = .oneOf(tags)
    }
}

extension ETagCondition: CustomStringConvertible {
    /// The condition as it stands in a field.
    public var description: String {
        switch self {
        case .any: "*"
        case .oneOf(let tags): tags.map(\.description).joined(separator: ", ")
        }
    }
}

/// Encoded as the text of its field, to be kept with what it is the version of.
extension ETag: Codable {
    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads the text; one that is no tag is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let tag = ETag(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "No entity tag (RFC 9110 8.8.3).")
        }
        self = tag
    }
}
