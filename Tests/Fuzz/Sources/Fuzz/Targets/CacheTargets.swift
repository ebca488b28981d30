import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallDownloads
@testable import StartSmallStreams
@testable import StartSmallSupport

extension Target {
    /// The fields of caches, ranges and waits.
    static let caches = [date, retryAfter, cacheControl, etag, contentRange]

    private static let date = text(
        "http-date",
        words: [
            "Sun, ", "Sunday, ", "06 Nov 1994", "06-Nov-94", "08:49:37", " GMT", " UTC", " +0000", "Nov  6", " 0000",
            "29 Feb", ":60",
        ],
        starts: ["Sun, ", "Sunday, 06-", "Sun Nov  6 "],
        read: { _ = HTTPDate.date($0, now: .distantPast) },
        check: { text in
            let seconds = text.utf8.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for some in [Double(bitPattern: seconds), Double(seconds >> 20)] where !some.isNaN {
                let written = HTTPDate.text(Date(timeIntervalSince1970: some))
                let read = HTTPDate.date(written, now: .distantPast)
                try promise("a written date is read unchanged", read.map(HTTPDate.text) == written)
            }
            guard let date = HTTPDate.date(text, now: Date(timeIntervalSince1970: 0)) else { return false }
            // The leap second at the end of the year 9999 is in the year 10000.
            let isLast = date.timeIntervalSince1970 == 253_402_300_800
            try promise("a read date is written unchanged", isLast || HTTPDate.date(HTTPDate.text(date)) == date)
            return true
        }
    )

    private static let cacheControl = text(
        "cache-control",
        words: [
            "no-store", "max-age=60", "max-age=\"60\"", "no-cache=\"Set-Cookie, a\"", ", ", "=\"", "max-stale", "\\\"",
        ],
        starts: ["no-cache=\"", "max-age="],
        read: { text in
            let cacheControl = CacheControl(text)
            _ = (cacheControl.fields(of: "no-cache"), cacheControl.maxAge, cacheControl == CacheControl("no-cache=a"))
        },
        check: { text in
            let cacheControl = CacheControl(text)
            let times = [
                cacheControl.maxAge, cacheControl.seconds(of: "s-maxage"), cacheControl.seconds(of: "stale-if-error"),
                cacheControl.maxStale, cacheControl.seconds(of: "min-fresh"),
                cacheControl.seconds(of: "stale-while-revalidate"),
            ]
            try promise("no time is negative", times.allSatisfy { $0 ?? .zero >= .zero })
            for restriction in ["no-store", "no-cache", "private", "must-revalidate", "must-understand"] {
                let more = CacheControl("\(text);\(restriction)")
                let isValue = text.utf8.contains(UInt8(ascii: "\""))
                let isName = text.utf8.last.map { URIEncoding.isAlphanumeric($0) || $0 == UInt8(ascii: "-") } ?? false
                try promise("no text hides a restriction", isValue || isName || more.contains(restriction))
                let hasAge = cacheControl.maxAge != nil && !isValue
                try promise("no text makes an age longer", !hasAge || CacheControl("\(text);max-age=0").maxAge == .zero)
            }
            let named = CacheControl(cacheControl.directives.filter { !$0.name.isEmpty })
            try promise("written directives are read unchanged", CacheControl("\(cacheControl)") == named)
            return !cacheControl.directives.isEmpty
        }
    )

    private static let etag = text(
        "etag",
        words: ["W/", "\"abc\"", "W/\"\"", "\""],
        starts: ["\"", "W/\"", "\"•\""],
        read: { text in
            _ = ETag(text).map { ($0 == ETag("\"a\""), Set([$0])) }
            let headers: HTTPHeaders = ["Content-Range": "bytes 5-9/10", "ETag": text, "Accept-Ranges": text]
            let response = Response(statusCode: .partialContent, headers: headers)
            _ = (response.rangeValidator, response.continues(ReceivedPart(offset: 5, validator: "\"a\"")))
            _ = (headers == ["ETag": "a"], Set([headers]))
        },
        check: { text in
            guard let tag = ETag(text) else { return false }
            try promise("a written tag is read unchanged", ETag("\(tag)") == tag && tag.isWeaklyEqual(to: tag))
            try promise("a weak tag is not strongly equal", tag.isStronglyEqual(to: tag) != tag.isWeak)
            return true
        }
    )

    private static let retryAfter = text(
        "retry-after",
        words: ["120", ".5", "Sun, 06 Nov 1994 08:49:37 GMT", "1000000000", "0", "-1", "99999999999999999999"],
        starts: ["1"],
        read: { text in for response in waits(text) { _ = RetryAfter.delay(of: response, now: .distantPast) } },
        check: { text in
            let delays = waits(text).map { RetryAfter.delay(of: $0, now: Date(timeIntervalSince1970: 0)) }
            try promise("no wait is negative", delays.allSatisfy { $0 ?? .zero >= .zero })
            return delays.contains { $0 != nil }
        }
    )

    private static func waits(_ text: String) -> [Response] {
        [
            ["Retry-After": text], ["RateLimit-Remaining": "0", "RateLimit-Reset": text],
            ["X-RateLimit-Remaining": text, "X-RateLimit-Reset": text],
            ["X-RateLimit-Remaining-Tokens": "0", "X-RateLimit-Reset-Tokens": text],
            ["Anthropic-RateLimit-Output-Tokens-Remaining": text, "Retry-After-Ms": text],
        ].map { Response(statusCode: .tooManyRequests, headers: $0) }
    }

    private static let contentRange = text(
        "content-range",
        words: ["bytes ", "0-0/1", "500-999/1234", "/*", "-", "9223372036854775806", "9223372036854775807"],
        starts: ["bytes ", "bytes 1-", "bytes 1-2/"],
        read: { _ = ContentRange($0) },
        check: { text in
            guard let range = ContentRange(text) else { return false }
            try promise("a range is not empty", 0 <= range.start && range.start < range.end)
            try promise("a range is within its total", range.end <= range.total ?? .max)
            let written = "bytes \(range.start)-\(range.end - 1)/\(range.total.map { "\($0)" } ?? "*")"
            try promise("a written range is read unchanged", ContentRange(written) == range)
            return true
        }
    )
}
