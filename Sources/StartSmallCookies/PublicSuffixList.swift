/// The domains under which anybody can register a name, such as `com` and `co.uk` (https://publicsuffix.org).
///
/// A cookie for such a domain would be sent to the hosts of strangers, so that a jar takes none.
///
/// ```swift
/// let own = PublicSuffixList { domain in ["com", "co.uk"].contains(domain) }
/// let jar = CookieJar(policy: CookiePolicy(publicSuffixes: own))
/// ```
public struct PublicSuffixList: Sendable {
    private let contains: @Sendable (_ domain: String) -> Bool

    /// Creates a list from a function, which several threads may call at the same time.
    ///
    /// - Parameter contains: returns whether a domain is a public suffix; the domain is in lower case, in its A-label
    ///   form, without a dot at its end, and never an IP address.
    public init(_ contains: @escaping @Sendable (_ domain: String) -> Bool) {
        self.contains = contains
    }

    /// No list: every domain may be a public suffix.
    ///
    /// Each cookie is then sent to the very host that set it: one with the `Domain` of a parent is rejected
    /// (``CookieRejection/publicSuffix``), and one with the `Domain` of the host itself loses it.
    public static let unknown = PublicSuffixList { _ in true }

    /// The list of the system: `libpsl.so.5` on Linux, if it is installed; ``unknown`` otherwise.
    ///
    /// libpsl (Debian: `libpsl5`, which curl depends on) has the newer one of its own list and the one of the package
    /// `publicsuffix`. Both parts of the list count, ICANN and private; an unlisted top-level domain is a suffix.
    public static let system = LibPSL.shared.map { library in PublicSuffixList(library.contains) } ?? .unknown

    /// Whether ``system`` has a list on this machine.
    public static var hasSystemList: Bool { LibPSL.shared != nil }

    /// Returns whether a domain is a public suffix, or may be one.
    ///
    /// - Parameter domain: a domain in any case, in its A-label form.
    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let domain = CookieHost.canonical(domain) else { return true }
        return !CookieHost.isAddress(domain) && isSuffix(domain)
    }

    /// Returns the domain of a host that one owner has registered, such as `example.co.uk` for `www.example.co.uk`.
    ///
    /// - Parameter host: a host in any case, in its A-label form.
    /// - Returns: the domain; nil if the host is a public suffix itself, or may be one, or is an IP address.
    public func registrableDomain(of host: String) -> String? {
        guard let host = CookieHost.canonical(host), !CookieHost.isAddress(host) else { return nil }
        return domains(of: host).last
    }

    /// Returns the domains whose cookies a host may set and gets: the host, up to its registrable domain.
    ///
    /// The first public suffix on the way up ends them, so that `a.s3.amazonaws.com`, under the suffix
    /// `s3.amazonaws.com`, gets no cookies of `amazonaws.com`. An address has its own cookies only, and a host that is
    /// too long for the DNS has those that are for the host alone.
    ///
    /// - Parameter host: a canonical host.
    func domains(of host: String) -> [String] {
        if CookieHost.isAddress(host) { return [host] }
        guard host.utf8.count <= CookieHost.maximumLength else { return [] }
        return Array(CookieHost.chain(host).prefix { !isSuffix($0) })
    }

    private func isSuffix(_ domain: String) -> Bool {
        contains(domain.hasSuffix(".") ? String(domain.dropLast()) : domain)
    }
}
