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
        let date = headers.date("Date", now: receivedAt)
        self.date = date
        lastModified = headers.date("Last-Modified", now: receivedAt)
        (age, isCoded) = (headers.age.map(CacheSeconds.of) ?? 0, Self.isCoded(headers))
        // The lifetime until `Expires` (RFC 9111 4.2.1); an invalid date, such as 0, is a time in the past (5.3).
        let expiry = headers.date("Expires", now: receivedAt).map { CacheSeconds.between(date ?? receivedAt, $0) } ?? 0
        let expires = headers.contains("Expires") ? max(0, expiry) : nil
        // A `max-age` beside malformed text may shorten a lifetime, and never lengthens it.
        let isLongest = directives.isMalformed ? expires : nil
        explicitLifetime = directives.maxAge.map { min($0, isLongest ?? $0) } ?? expires
    }

    /// Whether a response has a content coding (RFC 9110 8.4).
    private static func isCoded(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "Content-Encoding").flatMap(StoredFields.list).contains {
            !$0.utf8.elementsEqual("identity".utf8) { $0 | 0x20 == $1 }
        }
    }
}

extension HTTPHeaders {
    /// Returns the date of a field, whose year may have two digits; nil if it is missing or malformed.
    func date(_ name: String, now: Date) -> Date? { self[name].flatMap { HTTPDate.date($0, now: now) } }
}
