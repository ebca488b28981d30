import Foundation
public import StartSmall

/// Whether a request is the one that was recorded.
///
/// Both are compared as they stand in a ``Cassette``, without credentials: a test needs no real token.
public struct RequestMatching: Sendable {
    /// Whether only a request of the same method and URL fits, so that no other has to be looked at.
    let isOfMethodAndURL: Bool

    /// What is asked beside that.
    let others: @Sendable (_ asked: Input, _ recorded: Input) -> Bool

    /// Creates a rule of one's own.
    public init(_ matches: @escaping @Sendable (_ asked: Input, _ recorded: Input) -> Bool) {
        self.init(isOfMethodAndURL: false, others: matches)
    }

    private init(isOfMethodAndURL: Bool, others: @escaping @Sendable (Input, Input) -> Bool) {
        (self.isOfMethodAndURL, self.others) = (isOfMethodAndURL, others)
    }

    /// Whether a request is the one that was recorded.
    public func callAsFunction(_ asked: Input, _ recorded: Input) -> Bool {
        if isOfMethodAndURL, !RequestParts(of: recorded).fits(RequestParts(of: asked)) { return false }
        return others(asked, recorded)
    }

    /// The same method and URL, where the order of query items does not count.
    ///
    /// What is hidden in the path or the query of the recorded one may be anything but nothing in its place.
    public static let methodAndURL = RequestMatching(isOfMethodAndURL: true, others: { _, _ in true })

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
        RequestMatching(
            isOfMethodAndURL: isOfMethodAndURL || other.isOfMethodAndURL,
            others: { asked, recorded in others(asked, recorded) && other.others(asked, recorded) }
        )
    }
}

/// What of a request ``RequestMatching/methodAndURL`` compares.
struct RequestParts: Hashable {
    var method: String
    var url: URLParts

    init(of input: Input) {
        (method, url) = (input.methodAndPayload.method, input.url.parts)
    }

    /// Whether another is the same, or has anything in place of what is hidden here.
    func fits(_ other: RequestParts) -> Bool {
        method == other.method && url.fits(other.url)
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
