import StartSmallFoundation

/// The parts of a `Set-Cookie` field (RFC 6265bis 5.6), before they are compared with the URL that sent them.
struct SetCookie: Hashable, Sendable {
    /// The name; empty if there is no `=` (step 3).
    var name = ""
    var value = ""

    /// The last valid `Max-Age` in seconds, at most what `Int` has; 0 or less deletes the cookie (5.6.2).
    var maxAge: Int?

    /// The last valid `Expires` (5.6.1).
    var expires: Date?

    /// The last `Domain` in lower case without its first dot, maybe empty; nil if there is none (5.6.3).
    var domain: String?

    /// The last `Path`, empty if it does not begin with a slash; nil if there is none (5.6.4).
    var path: String?

    var isSecure = false
    var isHTTPOnly = false

    /// The last `SameSite` (5.6.7).
    var sameSite = Cookie.SameSite.default

    /// Reads the value of a field.
    ///
    /// - Throws: ``CookieRejection/malformed`` or ``CookieRejection/tooLong``.
    init(parsing text: String) throws(CookieRejection) {
        let bytes = Array(text.utf8)
        if bytes.contains(where: CookieBytes.isControl) { throw .malformed }
        let nameAndValue = bytes.prefix { $0 != CookieBytes.semicolon }
        let pair = CookieBytes.pair(nameAndValue) ?? (name: [], value: nameAndValue)
        let (name, value) = (CookieBytes.trimmed(pair.name), CookieBytes.trimmed(pair.value))
        if name.count + value.count > CookiePolicy.maximumNameAndValue { throw .tooLong }
        if name.isEmpty && value.isEmpty { throw .malformed }
        (self.name, self.value) = (CookieBytes.text(name), CookieBytes.text(value))
        for attribute in bytes[nameAndValue.endIndex...].split(separator: CookieBytes.semicolon) { take(attribute) }
    }

    /// The length in bytes of the longest words that are compared: `HttpOnly` and `SameSite`.
    private static let longestWord = 8

    /// Applies an attribute; unknown ones are ignored, such as `Partitioned`, and so are those with a long value.
    private mutating func take(_ attribute: ArraySlice<UInt8>) {
        let pair = CookieBytes.pair(attribute) ?? (name: attribute, value: [])
        let (name, value) = (CookieBytes.trimmed(pair.name), CookieBytes.trimmed(pair.value))
        if value.count > CookiePolicy.maximumAttributeValue { return }
        // Swift compares texts by their normal form, in quadratic time for marks: nothing longer is compared.
        if name.count > Self.longestWord { return }
        switch CookieBytes.text(name.map(CookieBytes.lowercased)) {
        case "expires": expires = CookieDate.date(value) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain":
            let withoutDot = value.first == CookieBytes.dot ? value.dropFirst() : value
            domain = CookieBytes.text(withoutDot.map(CookieBytes.lowercased))
        case "path": path = value.first == CookieBytes.slash ? CookieBytes.text(value) : ""
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite":
            let word = CookieBytes.text(value.prefix(Self.longestWord + 1).map(CookieBytes.lowercased))
            sameSite = Cookie.SameSite(rawValue: word) ?? .default
        default: break
        }
    }

    /// Reads `["-"] 1*DIGIT` (5.6.2); a number that is too large becomes the largest one.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(CookieBytes.isDigit) else { return nil }
        if isNegative { return 0 }
        return digits.reduce(0) { sum, digit in
            let (tens, isTooLarge) = sum.multipliedReportingOverflow(by: 10)
            let (next, isLarger) = tens.addingReportingOverflow(Int(digit & 0x0F))
            return isTooLarge || isLarger ? .max : next
        }
    }
}

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
        if isSecure && !origin.isSecure { throw .insecure }
        try cookie.checkPromises(hasPathAttribute: path != nil)
        return cookie.limited(now)
    }

    /// Returns the domain that gets the cookie; nil for the host alone (steps 7 to 10).
    private func coveredDomain(
        _ origin: CookieOrigin,
        _ suffixes: PublicSuffixList
    ) throws(CookieRejection) -> String? {
        guard let domain, !domain.isEmpty else { return nil }
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
    func checkPromises(hasPathAttribute: Bool) throws(CookieRejection) {
        if sameSite == .none && !isSecure { throw .insecure }
        // A server may read `Cookie: __Host-a=b` of a nameless cookie as a name.
        let prefixed = (name.isEmpty ? value : name).utf8.lazy.map(CookieBytes.lowercased)
        let isForSecure = prefixed.starts(with: "__secure-".utf8)
        let isForHost = prefixed.starts(with: "__host-".utf8)
        if isForSecure && (name.isEmpty || !isSecure) { throw .brokenPrefix }
        let isOfHost = isSecure && isHostOnly && hasPathAttribute && path.hasSameBytes(as: "/")
        if isForHost && (name.isEmpty || !isOfHost) { throw .brokenPrefix }
    }

    /// Returns the cookie with an expiry time within the longest lifetime from now (RFC 6265bis 5.5).
    func limited(_ now: Date) -> Cookie {
        var limited = self
        limited.expiresAt = expiresAt.map { min($0, now + CookiePolicy.maximumLifetime) }
        return limited
    }

    /// Throws unless the cookie, made by an app or read from a file, could have been received and can be sent.
    func check(_ policy: CookiePolicy) throws(CookieRejection) {
        let (name, value, path) = (Array(name.utf8), Array(value.utf8), Array(path.utf8))
        if name.count + value.count > CookiePolicy.maximumNameAndValue { throw .tooLong }
        let isUnchanged = [name, value].allSatisfy { CookieBytes.trimmed($0[...]).count == $0.count }
        guard isUnchanged, !(name + value + path + domain.utf8).contains(where: CookieBytes.isControl),
            !name.isEmpty || !value.isEmpty, !name.contains(CookieBytes.equals),
            !(name + value + path).contains(CookieBytes.semicolon),
            path.first == CookieBytes.slash, CookieHost.canonical(domain)?.hasSameBytes(as: domain) == true,
            expiresAt?.timeIntervalSince1970.isFinite != false
        else { throw .malformed }
        if !isHostOnly && !policy.publicSuffixes.domains(of: domain).contains(domain) { throw .publicSuffix }
        try checkPromises(hasPathAttribute: true)
    }
}
