import Foundation

/// The cookies of a jar, as a plain value (RFC 6265bis 5.7 and 5.8).
///
/// The order of creation and of use is counted, not read from a clock: a clock that jumps back would otherwise evict
/// the newest cookies first.
struct CookieStorage: Sendable {
    /// A cookie and its positions in the orders of creation and of use.
    struct Entry: Sendable {
        var cookie: Cookie
        var created: UInt64
        var used: UInt64
    }

    /// The cookies by their domain: a request looks at those of its host and the domains above it.
    private(set) var entries: [String: [Entry]] = [:]
    private(set) var count = 0
    private var last: UInt64 = 0

    /// A time before which no cookie expires.
    private var nextExpiry = Date.distantFuture

    /// All cookies in the order of their creation.
    var cookies: [Cookie] {
        entries.values.joined().sorted { $0.created < $1.created }.map(\.cookie)
    }

    /// Stores a cookie in place of the one with the same key, whose time of creation it keeps (5.7, steps 23 and 24).
    ///
    /// An expired cookie removes the other one.
    ///
    /// - Parameters:
    ///   - cookie: the cookie, with the time of its creation.
    ///   - isFromInsecureOrigin: whether a response over an insecure connection has set the cookie.
    ///   - policy: the limits.
    ///   - now: the current time.
    /// - Throws: ``CookieRejection/hidesSecureCookie``.
    mutating func insert(
        _ cookie: Cookie,
        isFromInsecureOrigin: Bool,
        _ policy: CookiePolicy,
        now: Date
    ) throws(CookieRejection) {
        removeExpired(now)
        if isFromInsecureOrigin && hasSecureCookie(hiddenBy: cookie) { throw .hidesSecureCookie }
        if cookie.isExpired(at: now) {
            // Without looking at all cookies: a response may have many of these.
            if let index = index(of: cookie) { remove(at: index, in: cookie.domain) }
            return
        }
        put(cookie)
        removeExcess(policy, in: cookie.domain)
    }

    /// Stores cookies in their order of creation, in place of those with the same keys.
    mutating func restore(_ cookies: [Cookie], _ policy: CookiePolicy, now: Date) {
        for cookie in cookies { put(cookie) }
        let byUse = cookies.enumerated().sorted {
            ($0.element.lastAccessedAt, $0.offset) < ($1.element.lastAccessedAt, $1.offset)
        }
        for (_, cookie) in byUse { use(cookie) }
        removeExpired(now)
        for domain in Array(entries.keys) { removeExcess(policy, in: domain) }
    }

    /// Returns the cookies for a request, in the order of the `Cookie` field (5.8.3).
    ///
    /// - Parameters:
    ///   - origin: the origin of the request.
    ///   - domains: the domains whose cookies the host gets, the host among them unless it is a public suffix.
    ///   - now: the current time.
    mutating func cookies(for origin: CookieOrigin, domains: [String], now: Date) -> [Entry] {
        removeExpired(now)
        var found = (entries[origin.host] ?? []).filter { $0.cookie.isHostOnly }
        for domain in domains { found += (entries[domain] ?? []).filter { !$0.cookie.isHostOnly } }
        return found.filter { entry in
            CookiePath.matches(origin.path, cookiePath: entry.cookie.path)
                && (origin.isSecure || !entry.cookie.isSecure)
        }.sorted { left, right in
            let (leftPath, rightPath) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return leftPath == rightPath ? left.created < right.created : leftPath > rightPath
        }
    }

    /// Updates the time of the last use of cookies that are sent (5.8.3, step 5).
    mutating func use(_ sent: [Entry], now: Date) {
        for entry in sent { use(entry.cookie, now: now) }
    }

    /// Removes the cookies for which a function returns true.
    mutating func remove(where isRemoved: (Cookie) -> Bool) {
        entries = entries.compactMapValues { entries in
            let rest = entries.filter { !isRemoved($0.cookie) }
            return rest.isEmpty ? nil : rest
        }
        count = entries.values.reduce(0) { $0 + $1.count }
    }

    /// Removes the cookies that are expired, if there can be one.
    mutating func removeExpired(_ now: Date) {
        if now < nextExpiry { return }
        remove { $0.isExpired(at: now) }
        nextExpiry = entries.values.joined().compactMap(\.cookie.expiresAt).min() ?? .distantFuture
    }

    /// Removes the entry at an index of a domain.
    mutating func remove(at index: Int, in domain: String) {
        entries[domain]?.remove(at: index)
        if entries[domain]?.isEmpty == true { entries[domain] = nil }
        count -= 1
    }

    private mutating func put(_ cookie: Cookie) {
        nextExpiry = min(nextExpiry, cookie.expiresAt ?? .distantFuture)
        var entry = Entry(cookie: cookie, created: next(), used: last)
        guard let index = index(of: cookie) else {
            entries[cookie.domain, default: []].append(entry)
            count += 1
            return
        }
        if let old = entries[cookie.domain]?[index] {
            (entry.created, entry.cookie.createdAt) = (old.created, old.cookie.createdAt)
        }
        entries[cookie.domain]?[index] = entry
    }

    private mutating func use(_ cookie: Cookie, now: Date? = nil) {
        guard let index = index(of: cookie) else { return }
        let used = next()
        entries[cookie.domain]?[index].used = used
        if let now { entries[cookie.domain]?[index].cookie.lastAccessedAt = now }
    }

    private func index(of cookie: Cookie) -> Int? {
        entries[cookie.domain]?.firstIndex { $0.cookie.hasSameKey(as: cookie) }
    }

    private mutating func next() -> UInt64 {
        last += 1
        return last
    }

    /// Returns whether a cookie would be sent beside, or instead of, a `Secure` one of the same name (5.7, step 16).
    private func hasSecureCookie(hiddenBy cookie: Cookie) -> Bool {
        entries.contains { domain, entries in
            let isRelated =
                CookieHost.matches(domain, domain: cookie.domain) || CookieHost.matches(cookie.domain, domain: domain)
            return isRelated
                && entries.contains { entry in
                    entry.cookie.isSecure && entry.cookie.name.hasSameBytes(as: cookie.name)
                        && CookiePath.matches(cookie.path, cookiePath: entry.cookie.path)
                }
        }
    }
}
