public import StartSmallFoundation
import Synchronization

/// The cookies that connectors with ``StartSmall/Wrapper/cookies(in:)`` receive and send (RFC 6265bis).
///
/// ```swift
/// let jar = CookieJar()
/// let connector = Connector.standard(over: .engine.wrapped(by: .cookies(in: jar)))
/// ```
///
/// An app makes as many jars as it has users or identities. Copies are the same jar, and many connectors may share it.
/// A jar is never saved by itself: ``snapshot(includingSession:)`` returns what to save, and ``CookieFile`` saves it.
///
/// Cookies do not tell the ports of a host apart (RFC 6265bis 8.5). Hosts are compared in their A-label form
/// (`xn--mnchen-3ya.de`), as in the URLs that are called; a `Domain` outside of ASCII is rejected.
public struct CookieJar: Sendable {
    /// The limits and rules of the jar.
    public let policy: CookiePolicy

    let now: @Sendable () -> Date
    private let shared: SharedState

    /// Creates a jar.
    ///
    /// - Parameters:
    ///   - snapshot: cookies to begin with; none by default.
    ///   - policy: the limits and rules.
    ///   - now: returns the current time.
    public init(
        _ snapshot: CookieSnapshot = CookieSnapshot(),
        policy: CookiePolicy = CookiePolicy(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.policy, self.now, shared) = (policy, now, SharedState())
        if !snapshot.cookies.isEmpty { merge(snapshot) }
    }

    /// All cookies that are not expired, in the order of their creation.
    public var cookies: [Cookie] {
        let now = now()
        return withState { state in
            state.storage.removeExpired(now)
            return state.storage.cookies
        }
    }

    /// Returns the cookies that a request to a URL would send, in their order (RFC 6265bis 5.8.3).
    ///
    /// Looking at cookies does not count as using them.
    ///
    /// - Parameter url: the URL of the request; any other than an `http` or `https` URL has no cookies.
    public func cookies(for url: URL) -> [Cookie] {
        guard let origin = CookieOrigin(url, policy) else { return [] }
        let (domains, now) = (policy.publicSuffixes.domains(of: origin.host), now())
        return withState { $0.storage.cookies(for: origin, domains: domains, now: now).map(\.cookie) }
    }

    /// Returns the value of the `Cookie` field that a request to a URL sends; nil if there is no cookie for the URL.
    ///
    /// The cookies count as used. The value is a secret: nothing redacts it outside of a header field.
    public func cookieHeader(for url: URL) -> String? {
        CookieOrigin(url, policy).flatMap { begin($0).header }
    }

    /// Stores the cookie of a `Set-Cookie` field; an expired one removes the stored one (RFC 6265bis 5.6 and 5.7).
    ///
    /// - Parameters:
    ///   - setCookie: the value of one field; never several fields in one value, since values may contain commas.
    ///   - url: the URL of the request, whose response has the field.
    /// - Returns: the cookie, which is not stored if it is expired, or if there are too many.
    /// - Throws: the reason why the cookie is ignored.
    @discardableResult
    public func receive(_ setCookie: String, from url: URL) throws(CookieRejection) -> Cookie {
        guard let origin = CookieOrigin(url, policy) else { throw .noHost }
        return try receive(setCookie, from: origin, in: nil)
    }

    /// Stores a cookie of the app, in place of the one of the same name, domain and path.
    ///
    /// The jar sets the time of creation, and limits the expiry time as for received cookies.
    ///
    /// - Throws: the reason why the cookie can't be sent, or would not be taken from a server.
    public func set(_ cookie: Cookie) throws(CookieRejection) {
        try cookie.check(policy)
        let now = now()
        var cookie = cookie.limited(now)
        (cookie.createdAt, cookie.lastAccessedAt) = (now, now)
        try insert(cookie, in: nil, isFromInsecureOrigin: false, now)
    }

    /// Calls a function with exclusive access to the state; it must not call a function of the app.
    func withState<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try shared.state.withLock { state throws(Failure) in try body(&state) }
    }
}

extension CookieJar {
    /// The cookies, and the number of times that all of them were removed.
    struct State: Sendable {
        var storage = CookieStorage()
        var generation: UInt64 = 0
    }

    private final class SharedState: Sendable {
        let state = Mutex(State())
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies; never a name or a value.
    public var description: String { "CookieJar of \(withState { $0.storage.count }) cookies" }

    /// The mirror for `dump` and failed tests: only the text of `description`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CookieJar {
    /// Removes the cookies for which a function returns true, such as those of one domain, or of a session.
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
    public func merge(_ snapshot: CookieSnapshot) {
        let now = now()
        let valid = snapshot.cookies.filter { (try? $0.check(policy)) != nil && !$0.isExpired(at: now) }
            .map { $0.limited(now) }
        // More would be evicted again, after a time that grows with the square of their number.
        let newest = valid.mostRecentlyUsed(policy.maximumTotal)
        withState { $0.storage.restore(newest, policy, now: now) }
    }
}

extension [Cookie] {
    /// Returns the cookies that were used last, in the order of this array.
    func mostRecentlyUsed(_ count: Int) -> [Cookie] {
        if self.count <= count { return self }
        let kept = Set(byLastUse.suffix(Swift.max(0, count)).map(\.key))
        return filter { kept.contains($0.key) }
    }
}

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
        try withState { state throws(CookieRejection) in
            if let generation, generation != state.generation { throw .removedMeanwhile }
            try state.storage.insert(cookie, isFromInsecureOrigin: isFromInsecureOrigin, policy, now: now)
        }
    }
}

extension [Cookie] {
    /// The value of a `Cookie` field (RFC 6265bis 5.8.3, step 6).
    var cookieString: String {
        map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
