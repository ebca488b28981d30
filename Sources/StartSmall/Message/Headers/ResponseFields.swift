public import StartSmallFoundation

/// Header fields as values; nil if a field is missing or can't be read.
extension HTTPHeaders {
    /// The media type of the payload (RFC 9110 8.3), as it is written.
    public var contentType: MediaType? { self["Content-Type"].map(MediaType.init(rawValue:)) }

    /// The entity tag (RFC 9110 8.8.3); without quotes, as it was sent.
    public var etag: ETag? { self["ETag"].flatMap { ETag(sent: $0) } }

    /// The directives of all `Cache-Control` fields, in order (RFC 9111 5.2); none if there is no such field.
    public var cacheControl: CacheControl {
        CacheControl(values(of: "Cache-Control").flatMap { CacheControl($0).directives })
    }
}

extension Response {
    /// The media type of the payload (RFC 9110 8.3), as it is written, without parameters that can't be read.
    ///
    /// For `text/html; charset=`, it is `text/html`, and for `text/html; charset="gbk`, it is `text/html; charset=gbk`.
    public var contentType: MediaType? { headers.contentType?.readable }

    /// The entity tag of the returned version (RFC 9110 8.8.3); without quotes, as it was sent.
    public var etag: ETag? { headers.etag }

    /// The date of the last change of the returned resource (RFC 9110 8.8.2).
    public var lastModified: Date? { headers["Last-Modified"].flatMap { HTTPDate.date($0) } }

    /// The intended use of the payload (RFC 6266).
    public var contentDisposition: ContentDisposition? {
        headers["Content-Disposition"].flatMap(ContentDisposition.init)
    }

    /// The directives of all `Cache-Control` fields, in order (RFC 9111 5.2); none if there is no such field.
    public var cacheControl: CacheControl { headers.cacheControl }

    /// The links of all `Link` fields, in order (RFC 8288, appendix B).
    ///
    /// Malformed text is skipped, and all other links are kept. No input traps, and the time that reading takes is
    /// proportional to the length.
    public var links: [WebLink] {
        headers.values(of: "Link").flatMap { text in
            var reader = LinkReader(text)
            return reader.links()
        }
    }
}
