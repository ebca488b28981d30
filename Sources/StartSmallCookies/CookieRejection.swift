/// The reason why a jar does not take a cookie.
///
/// No reason contains a part of the cookie.
public enum CookieRejection: Error, Hashable, Sendable, CaseIterable {
    /// The URL is not `http` or `https`, or its host can't be canonicalized (RFC 6265bis 5.1.2).
    case noHost

    /// A control character other than a tab (RFC 6265bis 5.6 step 1, 5.7 step 3).
    case controlCharacter

    /// Neither a name nor a value (RFC 6265bis 5.7 step 2).
    case empty

    /// Name and value together exceed 4096 octets (RFC 6265bis 5.6 step 5, 5.7 step 4).
    case tooLong

    /// A cookie of the app that can't be sent as it is: white space around its name or value, `;` in them, `=` in its
    /// name, a path without a slash at its beginning, or a domain that is no canonical host (RFC 6265bis 5.1.2).
    case malformed

    /// A `Domain` with a character outside of ASCII (RFC 6265bis 5.7 step 8).
    case domainNotASCII

    /// A `Domain` that is a public suffix, or contains one, or may be one without a list (RFC 6265bis 5.7 step 9).
    case publicSuffix

    /// A `Domain` that the host does not domain-match (RFC 6265bis 5.7 step 10).
    case foreignDomain

    /// A `Secure` cookie from an insecure connection (RFC 6265bis 5.7 step 13).
    case secureFromInsecureOrigin

    /// A cookie from an insecure connection that would hide a `Secure` one (RFC 6265bis 5.7 step 16).
    case hidesSecureCookie

    /// `SameSite=None` without `Secure` (RFC 6265bis 5.7 step 19).
    case sameSiteNoneWithoutSecure

    /// A name or a nameless value with the prefix `__Secure-` or `__Host-`, without what the prefix promises
    /// (RFC 6265bis 5.7 steps 20 to 22).
    case brokenPrefix

    /// The cookies of all fields after the first 100 of one response.
    case tooManyFields

    /// The cookies were removed after the request had begun; see ``CookieJar/removeAll()``.
    case removedMeanwhile
}

extension CookieRejection: CustomStringConvertible {
    /// The reason, with its section of RFC 6265bis.
    public var description: String {
        switch self {
        case .noHost: "the URL has no host for cookies (RFC 6265bis 5.1.2)"
        case .controlCharacter: "a control character (RFC 6265bis 5.6)"
        case .empty: "neither a name nor a value (RFC 6265bis 5.7, step 2)"
        case .tooLong: "more than \(CookiePolicy.maximumNameAndValue) octets of name and value (RFC 6265bis 5.6)"
        case .malformed: "a part that can't be sent as it is (RFC 6265bis 4.1.1)"
        case .domainNotASCII: "a domain outside of ASCII (RFC 6265bis 5.7, step 8)"
        case .publicSuffix: "a public suffix, or a domain that may be one (RFC 6265bis 5.7, step 9)"
        case .foreignDomain: "a domain of another host (RFC 6265bis 5.7, step 10)"
        case .secureFromInsecureOrigin: "Secure, but from an insecure connection (RFC 6265bis 5.7, step 13)"
        case .hidesSecureCookie: "from an insecure connection, over a Secure cookie (RFC 6265bis 5.7, step 16)"
        case .sameSiteNoneWithoutSecure: "SameSite=None without Secure (RFC 6265bis 5.7, step 19)"
        case .brokenPrefix: "a prefix whose promise is not kept (RFC 6265bis 5.7, steps 20 to 22)"
        case .tooManyFields: "more than \(CookiePolicy.maximumFieldsPerResponse) fields of a response (RFC 6265bis 6.1)"
        case .removedMeanwhile: "of a request that began before all cookies were removed"
        }
    }
}
