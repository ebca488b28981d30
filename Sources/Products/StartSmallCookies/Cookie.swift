import StartSmallCore
public import StartSmallFoundation
import StartSmallHeaders

/// A cookie with its attributes, as a jar stores it (RFC 6265bis 5.7).
///
/// Two cookies are equal if all of their parts are the same byte by byte. Descriptions and mirrors never contain the
/// value.
public struct Cookie: Sendable, Codable {
    /// The name; empty for a cookie without a name, which is sent as its value alone.
    public var name: String

    /// The value, with its quotation marks if it has some.
    public var value: String

    /// The host or domain that gets the cookie, in lower case, such as `example.com`.
    ///
    /// An IDN is in its A-label form, such as `xn--mnchen-3ya.de`; an IPv6 address is in brackets.
    public var domain: String

    /// Whether the cookie is sent to ``domain`` only, and not to its subdomains.
    public var isHostOnly: Bool

    /// The path that gets the cookie, with all paths below it; begins with a slash.
    public var path: String

    /// The time from which on the cookie does not exist any more; nil for a session cookie.
    public var expiresAt: Date?

    /// Whether the cookie is sent over secure connections only.
    public var isSecure: Bool

    /// Whether the server asked to hide the cookie from scripts; no effect on HTTP requests.
    public var isHTTPOnly: Bool

    /// The requests between sites with which the server wants the cookie to be sent; see ``SameSite-swift.enum``.
    public var sameSite: SameSite

    /// The time at which the jar got the first cookie of this name, domain and path; set by the jar.
    public internal(set) var createdAt: Date

    /// The time at which the cookie was set or sent last; set by the jar.
    public internal(set) var lastAccessedAt: Date

    /// Creates a cookie, for ``CookieJar/set(_:)``.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expiresAt: Date? = nil,
        isSecure: Bool = true,
        isHTTPOnly: Bool = false,
        sameSite: SameSite = .default
    ) {
        (self.name, self.value, self.domain, self.path) = (name, value, domain, path)
        (self.isHostOnly, self.isSecure, self.isHTTPOnly) = (isHostOnly, isSecure, isHTTPOnly)
        (self.expiresAt, self.sameSite) = (expiresAt, sameSite)
        (createdAt, lastAccessedAt) = (.distantPast, .distantPast)
    }
}

extension Cookie {
    /// The requests between sites with which a server wants a cookie to be sent (RFC 6265bis 5.6.7).
    ///
    /// A jar stores it, and does not enforce it: a request that no page of a browser began is always same-site
    /// (RFC 6265bis 5.2, "if the request has no client").
    public enum SameSite: String, Hashable, Sendable, Codable, CaseIterable {
        /// No attribute, or one with an unknown value.
        case `default`

        /// With all requests; such a cookie must be `Secure`.
        case none

        /// With requests of the same site, and with navigation from others.
        case lax

        /// With requests of the same site.
        case strict
    }

    /// Whether the cookie outlives the session (RFC 6265bis 5.7, "persistent-flag").
    public var isPersistent: Bool { expiresAt != nil }

    /// Returns whether the cookie does not exist any more at a time (RFC 6265bis 5.7).
    public func isExpired(at date: Date) -> Bool {
        expiresAt.map { $0 <= date } ?? false
    }
}

extension Cookie: Hashable {
    /// Whether all parts of two cookies are the same, with texts compared byte by byte.
    ///
    /// - Parameters:
    ///   - left: a cookie.
    ///   - right: another cookie.
    public static func == (left: Cookie, right: Cookie) -> Bool {
        left.hasSameContent(as: right) && left.createdAt == right.createdAt
            && left.lastAccessedAt == right.lastAccessedAt
    }

    /// Hashes parts that equal cookies have in common.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Whether the parts that a server or the app chose are the same; the times that the jar added may differ.
    func hasSameContent(as other: Cookie) -> Bool {
        key == other.key && value.hasSameBytes(as: other.value) && expiresAt == other.expiresAt
            && (isSecure, isHTTPOnly, sameSite) == (other.isSecure, other.isHTTPOnly, other.sameSite)
    }

    var key: CookieKey { CookieKey(parts: [name, domain, path].map { Array($0.utf8) }, isHostOnly: isHostOnly) }
}

/// The parts of a cookie of which a jar has only one, as bytes (RFC 6265bis 5.7, step 23).
struct CookieKey: Hashable, Sendable {
    fileprivate let parts: [[UInt8]]
    fileprivate let isHostOnly: Bool
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// The cookie on one line as `sid=<redacted>; Domain=example.com; Path=/; Secure`, never with its value.
    public var description: String {
        var parts = [
            "\(name.onOneLine)=\(Redaction.placeholder)",
            isHostOnly ? "Host=\(domain.onOneLine)" : "Domain=\(domain.onOneLine)", "Path=\(path.onOneLine)",
        ]
        if let expiresAt { parts.append("Expires=\(HTTPDate.text(expiresAt))") }
        if isSecure { parts.append("Secure") }
        if isHTTPOnly { parts.append("HttpOnly") }
        if sameSite != .default { parts.append("SameSite=\(sameSite.rawValue)") }
        return parts.joined(separator: "; ")
    }

    /// The mirror for `dump` and failed tests: only the text of `description`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension String {
    /// The text with control characters and line breaks as `\u{FFFD}`, so that a description stays on one line.
    var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator, .format: "\u{FFFD}"
                    default: scalar
                    }
                }
            )
        )
    }
}
