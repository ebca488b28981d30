import StartSmallFoundation

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

    /// Returns the domains whose cookies a host may set and gets: the host, up to its registrable domain.
    ///
    /// The first public suffix on the way up ends them, so that `a.s3.amazonaws.com`, under the suffix
    /// `s3.amazonaws.com`, gets no cookies of `amazonaws.com`. An address has its own cookies only, and a host that is
    /// too long for the DNS has those that are for the host alone.
    func domains(of host: String) -> [String] {
        if CookieHost.isAddress(host) { return [host] }
        guard host.utf8.count <= CookieHost.maximumLength else { return [] }
        return Array(CookieHost.chain(host).prefix { !isSuffix($0) })
    }

    private func isSuffix(_ domain: String) -> Bool {
        contains(domain.hasSuffix(".") ? String(domain.dropLast()) : domain)
    }
}

/// The public suffix list of the system's libpsl, loaded when it is needed first, and never unloaded.
///
/// A list is read only, and may be read by several threads at the same time (libpsl, "thread-safe").
struct LibPSL: Sendable {
    /// The library; nil where there is none, or none with the functions and the list that are needed.
    static let shared = load("libpsl.so.5")

    // The addresses of a `psl_ctx_t` and of `psl_is_public_suffix2`: pointers are not `Sendable`.
    private let list: UInt
    private let function: UInt

    func contains(_ domain: String) -> Bool {
        let isPublicSuffix = unsafeBitCast(function, to: IsPublicSuffix2.self)
        return isPublicSuffix(OpaquePointer(bitPattern: list), domain, Self.anyType) != 0
    }

    private typealias IsPublicSuffix2 = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Latest = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias BuiltIn = @convention(c) () -> OpaquePointer?

    /// `PSL_TYPE_ANY` (libpsl.h): `PSL_TYPE_ICANN`, 1, and `PSL_TYPE_PRIVATE`, 2.
    private static let anyType: CInt = 3

    #if LIBPSL
        /// Loads a library.
        ///
        /// - Returns: the library; nil if it is missing, lacks a function, or has no list.
        static func load(_ name: String) -> LibPSL? {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            guard let function = dlsym(handle, "psl_is_public_suffix2"), let list = list(in: handle) else {
                dlclose(handle)
                return nil
            }
            return LibPSL(list: UInt(bitPattern: list), function: UInt(bitPattern: function))
        }

        /// Returns the newest list that the library finds (`psl_latest`), or else its own (`psl_builtin`).
        private static func list(in handle: UnsafeMutableRawPointer) -> OpaquePointer? {
            if let latest = dlsym(handle, "psl_latest"), let list = unsafeBitCast(latest, to: Latest.self)(nil) {
                return list
            }
            return dlsym(handle, "psl_builtin").flatMap { unsafeBitCast($0, to: BuiltIn.self)() }
        }
    #else
        static func load(_ name: String) -> LibPSL? { nil }
    #endif
}
