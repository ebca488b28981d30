import Foundation
import StartSmall

/// The condition of a caller that has a version of its own: `If-None-Match` or `If-Modified-Since` (RFC 9110 13.1).
enum CallerCondition: Hashable, Sendable {
    /// The caller has one of these versions.
    case noneMatch(ETagCondition)

    /// The caller has the version of this date, which is the text of the field.
    case modifiedSince(String)

    /// A field that can't be read.
    struct UnreadableField: Hashable, Sendable {
        let name: String
    }

    /// Reads the condition of a request; nil without one.
    ///
    /// `If-None-Match` precedes `If-Modified-Since`, which is ignored if it is not a date (RFC 9110 13.1.3).
    static func read(_ headers: HTTPHeaders) -> Either<UnreadableField, CallerCondition>? {
        if headers.contains("If-None-Match") {
            let tags = headers.values(of: "If-None-Match").joined(separator: ",")
            return ETagCondition(tags).map { .right(.noneMatch($0)) } ?? .left(UnreadableField(name: "If-None-Match"))
        }
        guard let text = headers["If-Modified-Since"] else { return nil }
        let isDate = CacheDate.date(text, now: .distantPast) != nil
        return isDate ? .right(.modifiedSince(text)) : .left(UnreadableField(name: "If-Modified-Since"))
    }

    /// Whether the caller's version is that of a stored response, so that 304 is the answer (RFC 9111 4.3.2).
    ///
    /// Conditions count only for a response that is a success (RFC 9110 13.2.1). Without `Last-Modified`, the date of
    /// the stored response counts.
    func isMet(by stored: StoredResponse) -> Bool {
        guard stored.response.statusCode.isSuccess else { return false }
        switch self {
        case .noneMatch(.any): return true
        case .noneMatch(.oneOf(let tags)):
            return stored.facts.etag.map { own in tags.contains { $0.isWeaklyEqual(to: own) } } ?? false
        case .modifiedSince(let text):
            // The current time is needed for a year of two digits only (RFC 9110 5.6.7).
            guard let date = CacheDate.date(text, now: stored.receivedAt) else { return false }
            return (stored.facts.lastModified ?? stored.date) <= date
        }
    }
}

extension Response {
    /// The 304 that stands for this response, with the fields that it needs (RFC 9110 15.4.5).
    var notModified: Response {
        let kept: Set = [
            "age", "cache-control", "cache-status", "content-location", "date", "etag", "expires", "last-modified",
            "vary",
        ]
        return Response(
            statusCode: .notModified,
            headers: HTTPHeaders(headers.fields.filter { $0.isNamed(in: kept) })
        )
    }
}
