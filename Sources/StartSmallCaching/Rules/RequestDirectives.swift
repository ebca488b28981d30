import StartSmall

/// The cache directives of a request (RFC 9111 5.2.1), as a private cache honors them.
struct RequestDirectives: Hashable, Sendable {
    /// `no-cache`: no stored response without validation (5.2.1.4); also `Pragma: no-cache` without `Cache-Control`
    /// (5.4).
    let isNoCache: Bool

    /// `no-store`: nothing of the exchange may be stored (5.2.1.5).
    let isNoStore: Bool

    /// `only-if-cached`: a stored response, or a 504 (5.2.1.7).
    let isOnlyIfCached: Bool

    /// `max-age`: the greatest age in seconds (5.2.1.1); 0 if the number is malformed.
    let maxAge: Double?

    /// `max-stale`: the greatest time past the freshness lifetime in seconds (5.2.1.2); 0 if the number is malformed.
    let maxStale: Double?

    /// `min-fresh`: the least remaining time of freshness in seconds (5.2.1.3); nil also if the number is malformed.
    let minFresh: Double?

    /// `stale-if-error`: the time past the freshness lifetime in which an error may be replaced (RFC 5861 4).
    let staleIfError: Double?

    /// The directives of a request without any, as most requests are.
    static let none = RequestDirectives(CacheControl(), isPragmaNoCache: false)

    /// Reads the directives of header fields.
    init(_ headers: HTTPHeaders) {
        if headers.contains("Cache-Control") {
            self.init(headers.cacheControl, isPragmaNoCache: false)
        } else if headers.contains("Pragma") {
            let isNoCache = headers.values(of: "Pragma").contains { CacheControl($0).contains("no-cache") }
            self.init(CacheControl(), isPragmaNoCache: isNoCache)
        } else {
            self = .none
        }
    }

    private init(_ cacheControl: CacheControl, isPragmaNoCache: Bool) {
        isNoCache = isPragmaNoCache || cacheControl.contains("no-cache")
        isNoStore = cacheControl.contains("no-store")
        isOnlyIfCached = cacheControl.contains("only-if-cached")
        maxAge = cacheControl.maxAge.map(CacheSeconds.of)
        maxStale = cacheControl.maxStale.map(CacheSeconds.of)
        minFresh = cacheControl.seconds(of: "min-fresh").map(CacheSeconds.of)
        staleIfError = cacheControl.seconds(of: "stale-if-error").map(CacheSeconds.of)
    }
}
