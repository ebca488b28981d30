import Foundation
import StartSmall

/// The values of header fields by which the rules decide on a stored response.
///
/// They are read once, when the response is stored or loaded, and not at each use. A class, so that a copy of a stored
/// response costs one reference.
final class ResponseFacts: Sendable {
    /// The directives of `Cache-Control`.
    let directives: ResponseDirectives

    /// The request fields on which the response depends.
    let vary: Vary

    /// The value of `Date`; nil if it is missing or not a date.
    let date: Date?

    /// The value of `Last-Modified`; nil if it is missing or not a date.
    let lastModified: Date?

    /// The lifetime that the server states; nil if it states none.
    let explicitLifetime: ExplicitLifetime?

    /// The value of `Age` in seconds; 0 if it is missing or not a number of seconds (RFC 9111 5.1).
    let age: Double

    /// The value of `ETag`; nil if it is missing or malformed.
    let etag: ETag?

    /// Whether the payload had a content coding on its way: an engine may have decoded it, and leaves the field.
    let isCoded: Bool

    /// Reads the header fields of a response.
    ///
    /// - Parameters:
    ///   - headers: the fields.
    ///   - receivedAt: the time at which the response arrived, for years of two digits and a missing `Date`.
    init(_ headers: HTTPHeaders, receivedAt: Date) {
        (directives, vary, etag) = (ResponseDirectives(headers), Vary(headers), headers.etag)
        date = CacheDate.date(headers["Date"], now: receivedAt)
        lastModified = CacheDate.date(headers["Last-Modified"], now: receivedAt)
        (age, isCoded) = (Self.age(headers), PayloadCoding.isCoded(headers))
        explicitLifetime = ExplicitLifetime(directives, expires: headers["Expires"], date: date, receivedAt: receivedAt)
    }

    /// Returns the value of `Age`: the first member of a list; 0 if it is not a number of seconds (RFC 9111 5.1).
    private static func age(_ headers: HTTPHeaders) -> Double {
        guard let age = headers["Age"].flatMap({ StoredFields.list($0).first }), !age.isEmpty,
            age.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return 0 }
        return min(Double(age) ?? CacheSeconds.maximum, CacheSeconds.maximum)
    }
}
