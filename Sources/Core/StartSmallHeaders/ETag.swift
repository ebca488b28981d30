public import StartSmallCore
public import StartSmallSupport

/// The entity tag by which a server names one version of a resource: `"abc"`, or `W/"abc"` (RFC 9110 8.8.3).
///
/// Two tags are equal if they are the same byte by byte, and if both or neither are weak; see ``isStronglyEqual(to:)``
/// for whether they name the same version.
public struct ETag: Sendable {
    /// The text between the quotes; only the server knows its meaning.
    public let opaque: String

    /// Whether equivalent versions may share the tag, though their bytes differ: `W/"abc"` (RFC 9110 8.8.1).
    public let isWeak: Bool

    /// Creates a tag; nil if the text contains a quote, a blank or a control character.
    ///
    /// - Parameters:
    ///   - opaque: the text between the quotes.
    ///   - isWeak: whether equivalent versions may share the tag.
    public init?(opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy(Self.isLegal) else { return nil }
        self.init(legal: opaque, isWeak: isWeak)
    }

    private init(legal opaque: String, isWeak: Bool) {
        (self.opaque, self.isWeak) = (opaque, isWeak)
    }

    /// Reads the value of a field, ignoring surrounding blanks; nil if it is not a tag, such as one without quotes.
    public init?(_ text: String) {
        var field = HeaderScanner(text)
        field.skipBlanks()
        // `W` is case-sensitive.
        let isWeak = field.take("W")
        guard !isWeak || field.take("/"), field.take("\"") else { return nil }
        let opaque = field.text { !Self.isLegal($0) }
        guard field.take("\"") else { return nil }
        field.skipBlanks()
        guard field.isAtEnd else { return nil }
        self.init(legal: opaque, isWeak: isWeak)
    }

    /// Whether both name versions that are identical byte by byte, as parts of a payload require (RFC 9110 8.8.3.2).
    ///
    /// A weak tag is not strongly equal to any tag, not even to itself.
    public func isStronglyEqual(to other: ETag) -> Bool {
        !isWeak && !other.isWeak && isWeaklyEqual(to: other)
    }

    /// Whether both name equivalent versions, as a cache requires (RFC 9110 8.8.3.2).
    public func isWeaklyEqual(to other: ETag) -> Bool { opaque.isSame(as: other.opaque) }

    /// Whether a byte is an `etagc`: any visible character except the quote, and any non-ASCII byte.
    ///
    /// A backslash has no special meaning.
    private static func isLegal(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != UInt8(ascii: "\"") && byte != 0x7F
    }
}

extension HTTPHeaders {
    /// The entity tag (RFC 9110 8.8.3); nil if the field is missing, or is not a tag, such as one without quotes.
    public var etag: ETag? { self["ETag"].flatMap { ETag($0) } }
}

extension Response {
    /// The entity tag of the returned version (RFC 9110 8.8.3); nil if there is none.
    public var etag: ETag? { headers.etag }
}

extension ETag: Hashable, ComparedByKey {
    package var comparedKey: HashablePair<Bool, ByteEqualString> { HashablePair(isWeak, ByteEqualString(description)) }
}

extension ETag: CustomStringConvertible {
    /// The tag as in a field.
    public var description: String {
        "\(isWeak ? "W/" : "")\"\(opaque)\""
    }
}

extension ETag: ExpressibleByStringLiteral {
    /// Creates a tag from its text in a field, `#"W/"abc""#`, or from the text between the quotes, `"abc"`.
    ///
    /// A byte that is illegal in a tag, such as a blank, is percent-encoded, since a literal can't fail.
    public init(stringLiteral text: String) {
        self = ETag(text) ?? ETag(legal: URIEncoding.encoded(text, keeping: Self.isLegal), isWeak: false)
    }
}

/// The versions that an `If-Match` or `If-None-Match` names (RFC 9110 13.1.1 and 13.1.2).
public enum ETagCondition: Equatable, Sendable {
    /// Any existing version: `*`.
    case any

    /// Any version with one of these tags.
    case oneOf([ETag])
}

extension ETagCondition: CustomStringConvertible {
    /// The condition as in a field.
    public var description: String {
        switch self {
        case .any: "*"
        case .oneOf(let tags): tags.map(\.description).joined(separator: ", ")
        }
    }
}

/// Encodes a tag as the text of its field, to be stored together with the version that it names.
extension ETag: Codable {
    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes the text; throws an error if it is not a tag.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let tag = ETag(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Not an entity tag (RFC 9110 8.8.3)."
            )
        }
        self = tag
    }
}
