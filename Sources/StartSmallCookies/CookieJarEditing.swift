extension CookieJar {
    /// Removes a cookie: the one of the same name, domain and path, with any value.
    ///
    /// - Parameter cookie: the cookie.
    public func remove(_ cookie: Cookie) {
        remove { $0.hasSameKey(as: cookie) }
    }

    /// Removes the cookies for which a function returns true, such as those of one domain.
    ///
    /// A request that is running may set them again; only ``removeAll()`` prevents that. A cookie that is replaced
    /// while the function runs is removed, too.
    ///
    /// - Parameter isRemoved: returns whether a cookie is to be removed; it runs without a lock.
    public func remove(where isRemoved: (Cookie) -> Bool) {
        let removed = Set(cookies.filter(isRemoved).map(\.key))
        if !removed.isEmpty { withState { $0.storage.remove { removed.contains($0.key) } } }
    }

    /// Removes all cookies, as at a logout.
    ///
    /// A request that began before this and ends after it stores nothing, so that no cookie of the old session comes
    /// back. Its `Cookie` field is already on its way. A redirect that is followed later is a new request.
    public func removeAll() {
        withState { state in
            state.storage.remove { _ in true }
            state.generation += 1
        }
    }

    /// Removes the session cookies, at the end of what the app calls a session (RFC 6265bis 5.7).
    ///
    /// A request that is running may set them again.
    public func endSession() {
        withState { $0.storage.remove { !$0.isPersistent } }
    }

    /// Returns the cookies to save.
    ///
    /// - Parameter includingSession: whether session cookies are included, which RFC 6265bis 5.7 ends with the
    ///   session; false by default.
    public func snapshot(includingSession: Bool = false) -> CookieSnapshot {
        CookieSnapshot(cookies.filter { includingSession || $0.isPersistent })
    }

    /// Adds the cookies of a snapshot, in place of those of the same names, domains and paths.
    ///
    /// Cookies that are expired, over a limit, or that the jar would take from no server, are left out.
    ///
    /// - Parameter snapshot: the cookies.
    public func merge(_ snapshot: CookieSnapshot) {
        let now = now()
        let valid = snapshot.cookies.filter { cookie in
            do throws(CookieRejection) {
                try cookie.check(policy)
                return !cookie.isExpired(at: now)
            } catch {
                return false
            }
        }.map { $0.limited(to: policy.maximumLifetime, now: now) }
        // More would be evicted again, after a time that grows with the square of their number.
        let newest = valid.mostRecentlyUsed(policy.maximumTotal)
        withState { $0.storage.restore(newest, policy, now: now) }
    }
}

extension [Cookie] {
    /// Returns the cookies that were used last, in the order of this array.
    func mostRecentlyUsed(_ count: Int) -> [Cookie] {
        if self.count <= count { return self }
        let kept = enumerated().sorted {
            ($0.element.lastAccessedAt, $0.offset) > ($1.element.lastAccessedAt, $1.offset)
        }.prefix(Swift.max(0, count))
        return kept.sorted { $0.offset < $1.offset }.map(\.element)
    }
}
