import StartSmallFoundation

/// The cookies of a jar, as a plain value (RFC 6265bis 5.7 and 5.8).
///
/// The order of creation and of use is counted, not read from a clock: a clock that jumps back would otherwise evict
/// the newest cookies first.
struct CookieStorage: Sendable {
    /// A cookie and its positions in the orders of creation and of use.
    struct Entry: Sendable {
        var cookie: Cookie
        let key: CookieKey
        var created: UInt64
        var used: UInt64
    }

    /// The cookies by their domain: a request looks at those of its host and the domains above it.
    private(set) var entries: [String: [Entry]] = [:]
    private(set) var count = 0
    private var last: UInt64 = 0

    /// A time before which no cookie expires.
    private var nextExpiry = Date.distantFuture

    var cookies: [Cookie] {
        entries.values.joined().sorted { $0.created < $1.created }.map(\.cookie)
    }

    /// Stores a cookie in place of the one with the same key, whose time of creation it keeps (5.7, steps 23 and 24).
    ///
    /// An expired cookie removes the other one.
    ///
    /// - Throws: ``CookieRejection/insecure`` for a cookie that would hide a `Secure` one.
    mutating func insert(
        _ cookie: Cookie,
        isFromInsecureOrigin: Bool,
        _ policy: CookiePolicy,
        now: Date
    ) throws(CookieRejection) {
        removeExpired(now)
        if isFromInsecureOrigin && hasSecureCookie(hiddenBy: cookie) { throw .insecure }
        if cookie.isExpired(at: now) {
            // Without looking at all cookies: a response may have many of these.
            return remove(cookie.key, in: cookie.domain)
        }
        put(cookie)
        removeExcess(policy, in: [cookie.domain])
    }

    /// Stores cookies in their order of creation, in place of those with the same keys.
    mutating func restore(_ cookies: [Cookie], _ policy: CookiePolicy, now: Date) {
        for cookie in cookies { put(cookie) }
        for cookie in cookies.byLastUse { use(cookie.key, in: cookie.domain, cookie.lastAccessedAt) }
        removeExpired(now)
        removeExcess(policy, in: Array(entries.keys))
    }

    /// Returns the cookies for a request, in the order of the `Cookie` field (5.8.3).
    ///
    /// - Parameter domains: the domains whose cookies the host gets, the host among them unless it is a public suffix.
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
        for entry in sent { use(entry.key, in: entry.cookie.domain, now) }
    }

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

    private mutating func remove(_ key: CookieKey, in domain: String) {
        guard let index = index(of: key, in: domain) else { return }
        entries[domain]?.remove(at: index)
        if entries[domain]?.isEmpty == true { entries[domain] = nil }
        count -= 1
    }

    private mutating func put(_ cookie: Cookie) {
        nextExpiry = min(nextExpiry, cookie.expiresAt ?? .distantFuture)
        last += 1
        var entry = Entry(cookie: cookie, key: cookie.key, created: last, used: last)
        if let index = index(of: entry.key, in: cookie.domain), let old = entries[cookie.domain]?[index] {
            (entry.created, entry.cookie.createdAt) = (old.created, old.cookie.createdAt)
            entries[cookie.domain]?[index] = entry
        } else {
            entries[cookie.domain, default: []].append(entry)
            count += 1
        }
    }

    private mutating func use(_ key: CookieKey, in domain: String, _ date: Date) {
        guard let index = index(of: key, in: domain) else { return }
        last += 1
        entries[domain]?[index].used = last
        entries[domain]?[index].cookie.lastAccessedAt = date
    }

    private func index(of key: CookieKey, in domain: String) -> Int? {
        entries[domain]?.firstIndex { $0.key == key }
    }

    /// Removes cookies over the limits (RFC 6265bis 5.7, "removes excess cookies"); expired ones are gone already.
    ///
    /// First those of a domain with too many, cookies without `Secure` before others; then those of the whole jar. Of
    /// these, the cookie that was not used for the longest time is removed first.
    private mutating func removeExcess(_ policy: CookiePolicy, in domains: [String]) {
        for domain in domains {
            let own = entries[domain] ?? []
            evict(own.count - max(0, policy.maximumPerDomain), of: own) { left, right in
                left.cookie.isSecure == right.cookie.isSecure ? left.used < right.used : right.cookie.isSecure
            }
        }
        evict(count - max(0, policy.maximumTotal), of: entries.values.joined()) { $0.used < $1.used }
    }

    private mutating func evict(_ excess: Int, of entries: some Sequence<Entry>, by isFirst: (Entry, Entry) -> Bool) {
        guard excess > 0 else { return }
        // A cookie that is added to a full jar removes one other.
        let removed = excess == 1 ? entries.min(by: isFirst).map { [$0] } ?? [] : entries.sorted(by: isFirst)
        for entry in removed.prefix(excess) { remove(entry.key, in: entry.cookie.domain) }
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

extension [Cookie] {
    var byLastUse: [Cookie] {
        enumerated().sorted { ($0.element.lastAccessedAt, $0.offset) < ($1.element.lastAccessedAt, $1.offset) }
            .map(\.element)
    }
}
