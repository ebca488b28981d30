import Foundation
public import StartSmall

/// Whether a request is the one that was recorded.
///
/// Both are compared as they stand in a ``Cassette``, without credentials: a test needs no real token.
public struct RequestMatching: Sendable {
    private let matches: @Sendable (_ asked: Input, _ recorded: Input) -> Bool

    /// Creates a rule of one's own.
    public init(_ matches: @escaping @Sendable (_ asked: Input, _ recorded: Input) -> Bool) {
        self.matches = matches
    }

    /// Whether a request is the one that was recorded.
    public func callAsFunction(_ asked: Input, _ recorded: Input) -> Bool {
        matches(asked, recorded)
    }

    /// The same method and URL, where the order of query items does not count.
    ///
    /// What is hidden in the path or the query of the recorded one may be anything but nothing in its place.
    public static let methodAndURL = RequestMatching { asked, recorded in
        asked.methodAndPayload.method == recorded.methodAndPayload.method && recorded.url.parts.fits(asked.url.parts)
    }

    /// The same header fields of these names, in the order of each name.
    public static func headers(_ names: String...) -> RequestMatching {
        RequestMatching { asked, recorded in
            names.allSatisfy { asked.headers.values(of: $0) == recorded.headers.values(of: $0) }
        }
    }

    /// The same bytes of payload.
    public static let payload = RequestMatching { asked, recorded in
        asked.methodAndPayload.body ?? Data() == recorded.methodAndPayload.body ?? Data()
    }

    /// Both rules.
    public func and(_ other: RequestMatching) -> RequestMatching {
        RequestMatching { self($0, $1) && other($0, $1) }
    }
}

/// What of a URL counts when two are compared.
struct URLParts: Hashable {
    /// Scheme, host and port, in the form of RFC 3986 6.2.2.1 and 6.2.3.
    var origin: String
    var path: String

    /// As they are written, in an order of their own.
    var queryItems: [String]
}

extension URL {
    var parts: URLParts {
        let scheme = scheme?.lowercased() ?? ""
        let port = port.flatMap { $0 == ["http": 80, "https": 443][scheme] ? nil : ":\($0)" } ?? ""
        let userInfo = user(percentEncoded: true).map { "\($0)@" } ?? ""
        let path = path(percentEncoded: true)
        let items = query(percentEncoded: true)?.split(separator: "&", omittingEmptySubsequences: true) ?? []
        return URLParts(
            origin: "\(scheme)://\(userInfo)\(host(percentEncoded: true)?.lowercased() ?? "")\(port)",
            path: path.isEmpty ? "/" : path,
            queryItems: items.map(String.init).sorted()
        )
    }
}
