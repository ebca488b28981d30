import StartSmallCore
import StartSmallFoundation

/// The decision on a request, given the stored responses of its key (RFC 9111 4).
enum CacheDecision: Hashable, Sendable {
    /// The stored response is fresh, and is the answer.
    case fresh(StoredResponse, Freshness)

    /// The stored response is stale, and is the answer by permission.
    case stale(StoredResponse, StalePermission, Freshness)

    /// The request is sent, with conditions if there are any.
    case forward(Forwarding)

    /// The caller wants a stored response only, and none can be used: 504 (5.2.1.7).
    case gatewayTimeout(MissReason)
}

/// The permission to use a stale response (RFC 9111 4.2.4): of the caller (5.2.1.2), of the server while the response
/// is validated in the background (RFC 5861 3), or since the server or the network failed (RFC 5861 4).
enum StalePermission: String, Hashable, Sendable {
    case maxStale = "max-stale"
    case whileRevalidate = "stale-while-revalidate"
    case ifError = "stale-if-error"
}

/// The reason why no stored response is used without asking the server.
enum MissReason: Hashable, Sendable {
    /// No response is stored for the URL and the identity, or no variant matches the request (4.1).
    case nothingStored, noVariant

    /// The selected response is stale, or has `no-cache` (5.2.2.4).
    case stale, noCache

    /// The selected response is fresh, but a directive of the request excludes it (5.2.1).
    case request(String)
}

/// A request on its way to the server, and the stored response that would have been the answer.
struct Forwarding: Hashable, Sendable {
    var reason: MissReason
    var selected: StoredResponse?
}

struct CacheRules: Sendable {
    /// The decisions that HTTP leaves to the app.
    var options: CacheOptions

    func decision(on request: CacheableRequest, _ stored: [StoredResponse], at now: Date) -> CacheDecision {
        let selected = selected(by: request, stored, at: now)
        var reason = stored.isEmpty ? MissReason.nothingStored : .noVariant
        if let selected {
            let freshness = freshness(of: selected, for: request, at: now)
            switch use(of: selected, for: request, freshness) {
            case .right(nil): return .fresh(selected, freshness)
            case .right(let permission?): return .stale(selected, permission, freshness)
            case .left(let own): reason = own
            }
        }
        return request.directives.isOnlyIfCached
            ? .gatewayTimeout(reason) : .forward(Forwarding(reason: reason, selected: selected))
    }

    /// Returns whether a stale response may replace an error (RFC 5861 4).
    ///
    /// The value of the request precedes that of the response, which precedes that of the options.
    func isUsable(afterError stored: StoredResponse, for request: CacheableRequest, at now: Date) -> Bool {
        let (asked, directives) = (request.directives, stored.facts.directives)
        guard !directives.isNoCache, !directives.isMustRevalidate, !asked.isNoCache else { return false }
        let wantsFresh = asked.maxAge != nil && asked.maxStale == nil
        let allowed = directives.staleIfError ?? CacheSeconds.of(options.staleIfError)
        let limit = asked.staleIfError ?? (wantsFresh ? 0 : allowed)
        return limit > 0 && freshness(of: stored, for: request, at: now).staleness <= limit
    }

    func freshness(of stored: StoredResponse, for request: CacheableRequest, at now: Date) -> Freshness {
        Freshness(of: stored, at: now, hasQuery: request.hasQuery, options)
    }

    /// Returns the stored response to use: the most recent one whose variant matches (4, 4.1).
    ///
    /// Since servers forget `Vary` in their default response, a fresh response with `Vary` precedes those without it.
    private func selected(by request: CacheableRequest, _ stored: [StoredResponse], at now: Date) -> StoredResponse? {
        let matching = stored.filter { $0.isSelected(by: request) }
        if matching.count < 2 { return matching.first }
        let preferred = matching.filter {
            $0.response.headers.contains("Vary") && freshness(of: $0, for: request, at: now).isFresh
        }
        return (preferred.isEmpty ? matching : preferred).max { $1.isMoreRecent(than: $0) }
    }

    /// Decides on the use of the selected response without asking the server.
    ///
    /// - Returns: the permission to use it, which is nil for a fresh one; or the reason not to use it.
    private func use(
        of stored: StoredResponse,
        for request: CacheableRequest,
        _ freshness: Freshness
    ) -> Either<MissReason, StalePermission?> {
        let (asked, directives) = (request.directives, stored.facts.directives)
        if directives.isNoCache { return .left(.noCache) }
        if asked.isNoCache { return .left(.request("no-cache")) }
        let isTooOld = asked.maxAge.map { freshness.age > $0 || $0 == 0 } ?? false
        if freshness.isFresh {
            // What never changes need not be validated when a page is reloaded (RFC 8246 2).
            if isTooOld, !directives.isImmutable { return .left(.request("max-age")) }
            return .right(nil)
        }
        if directives.isMustRevalidate || isTooOld { return .left(.stale) }
        let background = asked.maxAge == nil ? directives.staleWhileRevalidate ?? 0 : 0
        if background > 0, freshness.staleness <= background { return .right(.whileRevalidate) }
        if let most = asked.maxStale, freshness.staleness <= most { return .right(.maxStale) }
        return .left(.stale)
    }
}
