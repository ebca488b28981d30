import Foundation

extension SetCookie {
    /// Returns the cookie that a response of this origin sets (RFC 6265bis 5.7, steps 5 to 14 and 17 to 22).
    ///
    /// - Throws: the reason why the cookie is ignored.
    func cookie(
        from origin: CookieOrigin,
        _ policy: CookiePolicy,
        now: Date
    ) throws(CookieRejection) -> Cookie {
        let domain = try coveredDomain(origin, policy.publicSuffixes)
        var cookie = Cookie(
            name: name,
            value: value,
            domain: domain ?? origin.host,
            isHostOnly: domain == nil,
            path: path.flatMap { $0.isEmpty ? nil : $0 } ?? CookiePath.defaultPath(of: origin.path),
            expiresAt: expiryTime(now),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite
        )
        (cookie.createdAt, cookie.lastAccessedAt) = (now, now)
        if isSecure && !origin.isSecure { throw .secureFromInsecureOrigin }
        try cookie.checkPromises(hasPathAttribute: path != nil)
        return cookie.limited(to: policy.maximumLifetime, now: now)
    }

    /// Returns the domain that gets the cookie; nil for the host alone (steps 7 to 10).
    private func coveredDomain(
        _ origin: CookieOrigin,
        _ suffixes: PublicSuffixList
    ) throws(CookieRejection) -> String? {
        guard let domain, !domain.isEmpty else { return nil }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { throw .domainNotASCII }
        // Before the look-up in the list, so that the list gets parts of a canonical host only.
        guard CookieHost.matches(origin.host, domain: domain) else { throw .foreignDomain }
        if suffixes.domains(of: origin.host).contains(domain) { return domain }
        if domain == origin.host { return nil }
        throw .publicSuffix
    }

    /// Returns the expiry time of the attributes, `Max-Age` before `Expires`; nil for a session cookie (step 6).
    private func expiryTime(_ now: Date) -> Date? {
        guard let maxAge else { return expires }
        return maxAge <= 0 ? .distantPast : now.addingTimeInterval(Double(maxAge))
    }
}

extension Cookie {
    /// Throws unless the cookie has what its `SameSite` and its prefix promise (RFC 6265bis 5.7, steps 19 to 22).
    ///
    /// - Parameter hasPathAttribute: whether the path was chosen, and is not the default path.
    func checkPromises(hasPathAttribute: Bool) throws(CookieRejection) {
        if sameSite == .none && !isSecure { throw .sameSiteNoneWithoutSecure }
        // A server may read `Cookie: __Host-a=b` of a nameless cookie as a name.
        let prefixed = Array((name.isEmpty ? value : name).utf8)[...]
        let isForSecure = CookieBytes.hasPrefix("__secure-", prefixed)
        let isForHost = CookieBytes.hasPrefix("__host-", prefixed)
        if isForSecure && (name.isEmpty || !isSecure) { throw .brokenPrefix }
        let isOfHost = isSecure && isHostOnly && hasPathAttribute && path.hasSameBytes(as: "/")
        if isForHost && (name.isEmpty || !isOfHost) { throw .brokenPrefix }
    }

    /// Returns the cookie with an expiry time within a lifetime from now (RFC 6265bis 5.5).
    func limited(to lifetime: Duration, now: Date) -> Cookie {
        var limited = self
        limited.expiresAt = expiresAt.map { min($0, now.addingTimeInterval(Double(lifetime.components.seconds))) }
        return limited
    }

    /// Throws unless the cookie, made by an app or read from a file, could have been received and can be sent.
    func check(_ policy: CookiePolicy) throws(CookieRejection) {
        let (name, value, path) = (Array(name.utf8), Array(value.utf8), Array(path.utf8))
        if (name + value + path + domain.utf8).contains(where: CookieBytes.isControl) { throw .controlCharacter }
        if name.isEmpty && value.isEmpty { throw .empty }
        if name.count + value.count > CookiePolicy.maximumNameAndValue { throw .tooLong }
        let isUnchanged = [name, value].allSatisfy { CookieBytes.trimmed($0[...]).count == $0.count }
        guard isUnchanged, !(name + value + path).contains(CookieBytes.semicolon), !name.contains(CookieBytes.equals),
            path.first == CookieBytes.slash, CookieHost.canonical(domain)?.hasSameBytes(as: domain) == true,
            expiresAt?.timeIntervalSince1970.isFinite != false
        else { throw .malformed }
        if !isHostOnly && !policy.publicSuffixes.domains(of: domain).contains(domain) { throw .publicSuffix }
        try checkPromises(hasPathAttribute: true)
    }
}
