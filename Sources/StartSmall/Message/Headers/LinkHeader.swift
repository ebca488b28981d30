/// The links of a `WebLink` header (RFC 8288 3), as of a message that did not come as a ``Response``.
///
/// ```swift
/// let next = LinkHeader("</issues?page=2>; rel=next").links.first { $0.isOf("next") }
/// ```
public struct LinkHeader: Hashable, Sendable {
    /// The links in their order.
    public var links: [WebLink]

    /// Reads the value of one field (RFC 8288, appendix B).
    ///
    /// What is no link ends the field; those before it are there. It traps on nothing, and takes time that grows with the
    /// length alone.
    public init(_ text: String) {
        var reader = LinkReader(text)
        links = reader.links()
    }
}
