public import Foundation

/// Whose a resource is: scheme, host and port (RFC 6454 4).
public struct Origin: Hashable, Sendable {
    /// The scheme in small letters, `http` or `https`.
    public let scheme: String

    /// The host in small letters.
    public let host: String

    /// The port, that of the scheme if the URL names none.
    public let port: Int

    /// The origin of an absolute `http` or `https` URL; nil for any other.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.standardPorts[scheme],
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = url.port ?? standardPort
    }

    /// The ports of RFC 9110 4.2.1 and 4.2.2.
    private static let standardPorts = ["http": 80, "https": 443]
}

extension URL {
    /// The same with the credentials of a URL of the same origin, unless it has some: they are those of the origin, as
    /// those in a header are.
    func keepingUserInfo(of url: URL) -> URL {
        guard user(percentEncoded: true) == nil, let user = url.user(percentEncoded: true),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        else { return self }
        components.percentEncodedUser = user
        components.percentEncodedPassword = url.password(percentEncoded: true)
        return components.url ?? self
    }
}

extension Request {
    /// Whether it goes to the origin of `home`, and may take along what is meant for that one alone; nil is anywhere.
    ///
    /// Left if `home` has no origin: then nothing would ever be taken along, without a word.
    func mayTake(origin home: URL?) -> Either<ConnectionError, Bool> {
        guard let home else { return .right(true) }
        guard let origin = Origin(home) else {
            let shown = Redaction.standard.shown(url: home.absoluteString)
            return .left(.missingCredentials(debugInfo: "`only` is no absolute http or https URL: \(shown)"))
        }
        return .right(origin == Origin(url))
    }
}
