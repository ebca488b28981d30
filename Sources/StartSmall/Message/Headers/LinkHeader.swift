/// The links of a `Link` header field (RFC 8288 3), for a message that is not a ``Response``.
///
/// ```swift
/// let next = LinkHeader("</issues?page=2>; rel=next").links.first { $0.isOf("next") }
/// ```
public struct LinkHeader: Hashable, Sendable {
    /// The links in order.
    public var links: [WebLink]

    /// Reads the value of one field (RFC 8288, appendix B).
    ///
    /// Malformed text ends the field; the links before it are kept. No input traps, and the time that reading takes is
    /// proportional to the length.
    ///
    /// - Parameter text: the value of the field.
    public init(_ text: String) {
        var reader = LinkReader(text)
        links = reader.links()
    }
}
