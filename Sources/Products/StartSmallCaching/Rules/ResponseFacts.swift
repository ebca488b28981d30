import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders

/// The values of header fields by which the rules decide on a stored response.
///
/// They are read once, when the response is stored or loaded, and not at each use. A class, so that a copy of a stored
/// response costs one reference.
final class ResponseFacts: Sendable {
    let directives: ResponseDirectives
    let vary: Vary

    /// The values of the fields; nil if they are missing or malformed.
    let date: Date?
    let lastModified: Date?
    let etag: ETag?

    /// The lifetime in seconds that the server states: 0 for one that is invalid or over, nil if it states none.
    let explicitLifetime: Double?

    /// The value of `Age` in seconds; 0 if it is missing or not a number of seconds.
    let age: Double

    /// Whether the payload had a content coding on its way: an engine may have decoded it, and leaves the field.
    let isCoded: Bool

    /// Reads the header fields of a response; its time of arrival is for years of two digits and a missing `Date`.
    init(_ headers: HTTPHeaders, receivedAt: Date) {
        (directives, vary, etag) = (ResponseDirectives(headers), Vary(headers), headers.etag)
        date = CacheDate.date(headers["Date"], now: receivedAt)
        lastModified = CacheDate.date(headers["Last-Modified"], now: receivedAt)
        (age, isCoded) = (headers.age.map(CacheSeconds.of) ?? 0, Self.isCoded(headers))
        let expires = Self.lifetime(headers["Expires"], since: date ?? receivedAt, receivedAt)
        // A `max-age` beside malformed text may shorten a lifetime, and never lengthens it.
        let isLongest = directives.isMalformed ? expires : nil
        explicitLifetime = directives.maxAge.map { min($0, isLongest ?? $0) } ?? expires
    }

    /// Returns the lifetime until `Expires` (RFC 9111 4.2.1, 5.3); nil for a response without the field.
    private static func lifetime(_ expires: String?, since date: Date, _ receivedAt: Date) -> Double? {
        guard let expires else { return nil }
        // An invalid date, such as 0, is a time in the past (5.3).
        return CacheDate.date(expires, now: receivedAt).map { max(0, CacheSeconds.between(date, $0)) } ?? 0
    }

    /// Whether a response has a content coding (RFC 9110 8.4).
    private static func isCoded(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "Content-Encoding").flatMap(StoredFields.list).contains {
            !$0.utf8.elementsEqual("identity".utf8) { $0 | 0x20 == $1 }
        }
    }
}
