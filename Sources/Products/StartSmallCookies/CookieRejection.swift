public import StartSmallCore

/// The reason why a jar does not take a cookie.
///
/// No reason contains a part of the cookie.
public enum CookieRejection: Error, ReportedEvent, Hashable, CaseIterable {
    /// The URL is not `http` or `https`, or its host can't be canonicalized (RFC 6265bis 5.1.2).
    case noHost

    /// A control character, or neither a name nor a value (RFC 6265bis 5.6, 5.7); of a cookie of the app also another
    /// part that can't be sent as it is.
    case malformed

    /// Name and value together exceed 4096 octets (RFC 6265bis 5.6 step 5), or 100 fields of the response came before.
    case tooLong

    /// A `Domain` that is a public suffix, or contains one, or may be one without a list (RFC 6265bis 5.7 step 9).
    case publicSuffix

    /// A `Domain` that the host does not domain-match (RFC 6265bis 5.7 steps 8 and 10).
    case foreignDomain

    /// A cookie that is `Secure`, or would hide one that is, from an insecure connection; or `SameSite=None` without
    /// `Secure` (RFC 6265bis 5.7 steps 13, 16 and 19).
    case insecure

    /// A name or a nameless value with the prefix `__Secure-` or `__Host-`, without what the prefix promises
    /// (RFC 6265bis 5.7 steps 20 to 22).
    case brokenPrefix

    /// The cookies were removed after the request had begun; see ``CookieJar/removeAll()``.
    case removedMeanwhile
}

extension CookieRejection: CustomStringConvertible {
    /// The name of the event by which `.cookies` reports a cookie that is not stored.
    public var name: String { "cookieRejected" }

    /// The reason, with its section of RFC 6265bis.
    public var description: String {
        switch self {
        case .noHost: "the URL has no host for cookies (RFC 6265bis 5.1.2)"
        case .malformed: "a part that can't be sent (RFC 6265bis 4.1.1)"
        case .tooLong: "too many octets, or too many fields of a response (RFC 6265bis 6.1)"
        case .publicSuffix: "a public suffix, or a domain that may be one (RFC 6265bis 5.7, step 9)"
        case .foreignDomain: "a domain of another host (RFC 6265bis 5.7, step 10)"
        case .insecure: "not allowed without a secure connection and Secure (RFC 6265bis 5.7, steps 13 to 19)"
        case .brokenPrefix: "a prefix whose promise is not kept (RFC 6265bis 5.7, steps 20 to 22)"
        case .removedMeanwhile: "of a request that began before all cookies were removed"
        }
    }
}
