public import Foundation

/// What header fields say, as values; nil where a field is missing or can't be read.
extension HTTPHeaders {
    /// The media type of the payload (RFC 9110 8.3), as it is written.
    public var contentType: MediaType? { self["Content-Type"].map(MediaType.init(rawValue:)) }

    /// The entity tag (RFC 9110 8.8.3).
    public var etag: ETag? { self["ETag"].flatMap(ETag.init) }

    /// When what the message gives was changed for the last time (RFC 9110 8.8.2).
    public var lastModified: Date? { self["Last-Modified"].flatMap { HTTPDate.date($0) } }

    /// What is to become of the payload (RFC 6266).
    public var contentDisposition: ContentDisposition? { self["Content-Disposition"].flatMap(ContentDisposition.init) }

    /// The directives of all `Cache-Control` fields, in order (RFC 9111 5.2); none if there is no such field.
    public var cacheControl: CacheControl {
        CacheControl(values(of: "Cache-Control").flatMap { CacheControl($0).directives })
    }

    /// The challenges of all `WWW-Authenticate` fields, in order (RFC 9110 11.6.1).
    public var challenges: [AuthenticationChallenge] {
        values(of: "WWW-Authenticate").flatMap(AuthenticationChallenge.list)
    }

    /// The links of all `WebLink` fields, in order (RFC 8288, appendix B).
    ///
    /// What is no link ends its field; those before it, and those of other fields, are there.
    public var links: [WebLink] {
        values(of: "Link").flatMap { LinkHeader($0).links }
    }
}

/// What the header fields of a response say, as values.
extension Response {
    /// The media type of the payload (RFC 9110 8.3), as it is written, but without parameters that can't be read: of
    /// `text/html; charset=`, it is `text/html`.
    public var contentType: MediaType? { headers.contentType?.readable }

    /// The entity tag of what the response gives (RFC 9110 8.8.3).
    public var etag: ETag? { headers.etag }

    /// When what the response gives was changed for the last time (RFC 9110 8.8.2).
    public var lastModified: Date? { headers.lastModified }

    /// What is to become of the payload (RFC 6266).
    public var contentDisposition: ContentDisposition? { headers.contentDisposition }

    /// The directives of all `Cache-Control` fields, in order (RFC 9111 5.2); none if there is no such field.
    public var cacheControl: CacheControl { headers.cacheControl }

    /// The challenges of all `WWW-Authenticate` fields, in order (RFC 9110 11.6.1).
    public var challenges: [AuthenticationChallenge] { headers.challenges }

    /// The links of all `WebLink` fields, in order (RFC 8288, appendix B).
    public var links: [WebLink] { headers.links }
}
