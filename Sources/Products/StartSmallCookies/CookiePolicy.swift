/// The limits of a jar, and its rules where RFC 6265bis leaves a choice.
public struct CookiePolicy: Sendable {
    /// The domains that no cookie may cover.
    public var publicSuffixes: PublicSuffixList

    /// The maximum number of cookies of one domain; a value below 0 means 0.
    public var maximumPerDomain: Int

    /// The maximum number of cookies in the jar; a value below 0 means 0.
    public var maximumTotal: Int

    /// Whether `http` to this machine counts as secure: `localhost`, `*.localhost`, `127.0.0.0/8` and `[::1]`.
    public var trustsLoopback: Bool

    /// The default maximum for one domain: 50, which RFC 6265bis 6.1 recommends at least.
    @usableFromInline static let defaultMaximumPerDomain = 50

    /// The default maximum for a jar: 3000, which RFC 6265bis 6.1 recommends at least.
    @usableFromInline static let defaultMaximumTotal = 3000

    /// The default is false, since other users of a machine may listen at its ports.
    ///
    /// RFC 6265bis 5.8.3 leaves it to the user agent; browsers and curl trust the loopback address.
    @usableFromInline static let defaultTrustsLoopback = false

    /// The maximum time until a cookie expires in seconds: 400 days, the limit that RFC 6265bis 5.5 recommends.
    static let maximumLifetime = 400 * 86_400.0

    /// The maximum length of a name and its value together, in octets (RFC 6265bis 5.6 step 5, 5.7 step 4).
    static let maximumNameAndValue = 4096

    /// The maximum length of an attribute's value, in octets (RFC 6265bis 5.6, attributes, step 6).
    static let maximumAttributeValue = 1024

    /// The maximum number of `Set-Cookie` fields of one response that are read: 100.
    ///
    /// That many fields can remove all 50 cookies of a domain and set as many. RFC 6265bis 6.1 leaves the number to the
    /// user agent; curl takes 50 (`MAX_SET_COOKIE_AMOUNT` in `lib/cookie.h`).
    static let maximumFieldsPerResponse = 100

    /// Creates a policy.
    public init(
        publicSuffixes: PublicSuffixList = .system,
        maximumPerDomain: Int = defaultMaximumPerDomain,
        maximumTotal: Int = defaultMaximumTotal,
        trustsLoopback: Bool = defaultTrustsLoopback
    ) {
        self.publicSuffixes = publicSuffixes
        (self.maximumPerDomain, self.maximumTotal) = (maximumPerDomain, maximumTotal)
        self.trustsLoopback = trustsLoopback
    }
}
