/// A media type as it stands in a `Content-Type` header (RFC 9110 8.3.1).
///
/// Two values are equal if their texts are.
public struct MediaType: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the header.
    public var rawValue: String

    /// Creates a media type from the text of the header, which is kept as it is.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a media type from the text of the header, which is kept as it is.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The text of the header.
    public var description: String {
        rawValue
    }

    /// `application/json` (RFC 8259 11): always UTF-8, no parameter.
    public static let json: MediaType = "application/json"

    /// `application/problem+json` (RFC 9457 6.1).
    public static let problemJSON: MediaType = "application/problem+json"

    /// `application/x-www-form-urlencoded` (WHATWG URL 5): always UTF-8, no parameter.
    public static let form: MediaType = "application/x-www-form-urlencoded"

    /// `application/octet-stream` (RFC 2046 4.5.1): bytes of which nothing is known.
    public static let octetStream: MediaType = "application/octet-stream"

    /// `text/plain; charset=utf-8` (RFC 2046 4.1).
    public static let text: MediaType = "text/plain; charset=utf-8"
}
