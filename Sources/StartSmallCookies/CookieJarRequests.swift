import Foundation

extension CookieJar {
    /// Returns the `Cookie` field of a request that begins now, and the generation of the jar for its response.
    func begin(_ origin: CookieOrigin) -> (header: String?, generation: UInt64) {
        let (domains, now) = (policy.publicSuffixes.domains(of: origin.host), now())
        return withState { state in
            let sent = state.storage.cookies(for: origin, domains: domains, now: now)
            state.storage.use(sent, now: now)
            return (sent.isEmpty ? nil : sent.map(\.cookie).cookieString, state.generation)
        }
    }

    /// The generation of the jar, which each removal of all cookies changes.
    var generation: UInt64 { withState(\.generation) }

    /// Stores the cookie of a field.
    ///
    /// - Parameters:
    ///   - setCookie: the value of the field.
    ///   - origin: the origin of the response.
    ///   - generation: the generation of the jar when the request began; nil for any.
    func receive(
        _ setCookie: String,
        from origin: CookieOrigin,
        in generation: UInt64?
    ) throws(CookieRejection) -> Cookie {
        let now = now()
        let cookie = try SetCookie(parsing: setCookie).cookie(from: origin, policy, now: now)
        try insert(cookie, in: generation, isFromInsecureOrigin: !origin.isSecure, now)
        return cookie
    }

    /// Stores a cookie, unless all cookies were removed since `generation`.
    func insert(
        _ cookie: Cookie,
        in generation: UInt64?,
        isFromInsecureOrigin: Bool,
        _ now: Date
    ) throws(CookieRejection) {
        let rejection: CookieRejection? = withState { state in
            if let generation, generation != state.generation { return .removedMeanwhile }
            do throws(CookieRejection) {
                try state.storage.insert(cookie, isFromInsecureOrigin: isFromInsecureOrigin, policy, now: now)
                return nil
            } catch {
                return error
            }
        }
        if let rejection { throw rejection }
    }
}

extension [Cookie] {
    /// The value of a `Cookie` field (RFC 6265bis 5.8.3, step 6).
    var cookieString: String {
        map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
