import Foundation
public import StartSmall

/// Whether a request is the one that was recorded.
///
/// Both are compared as they stand in a ``Cassette``, without credentials: a test needs no real token.
public struct RequestMatching: Sendable {
    /// Whether only a request of the same method and URL fits, so that no other has to be looked at.
    let isOfMethodAndURL: Bool

    /// Whether only a request of the same payload fits.
    let isOfPayload: Bool

    /// What is asked beside that.
    let others: @Sendable (_ asked: Input, _ recorded: Input) -> Bool

    /// Creates a rule of one's own.
    public init(_ matches: @escaping @Sendable (_ asked: Input, _ recorded: Input) -> Bool) {
        self.init(others: matches)
    }

    private init(
        isOfMethodAndURL: Bool = false,
        isOfPayload: Bool = false,
        others: @escaping @Sendable (Input, Input) -> Bool = { _, _ in true }
    ) {
        (self.isOfMethodAndURL, self.isOfPayload, self.others) = (isOfMethodAndURL, isOfPayload, others)
    }

    /// Whether a request is the one that was recorded.
    public func callAsFunction(_ asked: Input, _ recorded: Input) -> Bool {
        fits(asked, RequestParts(of: asked, for: self), recorded, RequestParts(of: recorded, for: self))
    }

    func fits(_ asked: Input, _ askedParts: RequestParts, _ recorded: Input, _ recordedParts: RequestParts) -> Bool {
        if isOfMethodAndURL, !recordedParts.fits(askedParts) { return false }
        if isOfPayload, !recordedParts.payload.fits(askedParts.payload) { return false }
        return others(asked, recorded)
    }

    /// Matches the method, the URL and the payload: ``methodAndURL`` and ``payload``.
    public static let methodURLAndPayload = methodAndURL.and(.payload)

    /// Matches the method and the URL alone, where the order of query items does not count; whatever the payload is.
    ///
    /// What is hidden in the path or the query of the recorded one may be anything but nothing in its place.
    public static let methodAndURL = RequestMatching(isOfMethodAndURL: true)

    /// The same header fields of these names, in the order of each name.
    public static func headers(_ names: String...) -> RequestMatching {
        RequestMatching { asked, recorded in
            names.allSatisfy { asked.headers.values(of: $0) == recorded.headers.values(of: $0) }
        }
    }

    /// Matches the payload: JSON by its values, a form by its items in any order, a form of several parts by its parts,
    /// whatever its boundary is, and anything else by its bytes.
    ///
    /// What is hidden in the payload of the recorded one may be anything but nothing in its place.
    public static let payload = RequestMatching(isOfPayload: true)

    /// Both rules.
    public func and(_ other: RequestMatching) -> RequestMatching {
        RequestMatching(
            isOfMethodAndURL: isOfMethodAndURL || other.isOfMethodAndURL,
            isOfPayload: isOfPayload || other.isOfPayload,
            others: { asked, recorded in others(asked, recorded) && other.others(asked, recorded) }
        )
    }
}

/// The parts of a request that ``RequestMatching/methodURLAndPayload`` compares.
struct RequestParts: Hashable {
    var method: String
    var url: URLParts
    var payload: ComparedPayload

    init(of input: Input, for matching: RequestMatching) {
        (method, url) = (input.methodAndPayload.method, input.url.parts)
        payload = matching.isOfPayload ? ComparedPayload(of: input) : .bytes([])
    }

    /// Whether method and URL of another are the same, or have anything in place of what is hidden here.
    func fits(_ other: RequestParts) -> Bool {
        let isSameMethod = method == other.method || ComparedPayload.fits(Array(method.utf8), Array(other.method.utf8))
        return isSameMethod && url.fits(other.url)
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
