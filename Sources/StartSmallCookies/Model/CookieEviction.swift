extension CookieStorage {
    /// Removes cookies over the limits (RFC 6265bis 5.7, "removes excess cookies"); expired ones are gone already.
    ///
    /// First those of a domain with too many, then those of the whole jar; each time, cookies without `Secure` before
    /// others where the draft says so, and those that were not used for the longest time first.
    ///
    /// - Parameters:
    ///   - policy: the limits.
    ///   - domain: the domain to which cookies were added.
    mutating func removeExcess(_ policy: CookiePolicy, in domain: String) {
        while let own = entries[domain], own.count > max(0, policy.maximumPerDomain) {
            let isInsecure = own.contains { !$0.cookie.isSecure }
            removeLeastUsed(in: [domain]) { !isInsecure || !$0.isSecure }
        }
        while count > max(0, policy.maximumTotal) {
            let large = entries.filter { $0.value.count > policy.share }
            if large.values.contains(where: { $0.contains { !$0.cookie.isSecure } }) {
                removeLeastUsed(in: Array(large.keys)) { !$0.isSecure }
            } else {
                removeLeastUsed(in: Array(large.isEmpty ? entries.keys : large.keys)) { _ in true }
            }
        }
    }

    /// Removes the cookie of some domains that was not used for the longest time.
    ///
    /// - Parameters:
    ///   - domains: the domains.
    ///   - isCandidate: returns whether a cookie may be removed; it must do so for one of them.
    private mutating func removeLeastUsed(in domains: [String], _ isCandidate: (Cookie) -> Bool) {
        var oldest: (domain: String, index: Int, used: UInt64)?
        for domain in domains {
            for (index, entry) in (entries[domain] ?? []).enumerated() where isCandidate(entry.cookie) {
                if let oldest, oldest.used < entry.used { continue }
                oldest = (domain, index, entry.used)
            }
        }
        if let oldest { remove(at: oldest.index, in: oldest.domain) }
    }
}

extension CookiePolicy {
    /// The number of cookies of one domain from which on its cookies are evicted before those of others.
    ///
    /// RFC 6265bis 5.7 leaves the number to the user agent. Half of a domain's maximum spares sites with a few
    /// cookies, while one with many makes room.
    var share: Int { maximumPerDomain / 2 }
}
