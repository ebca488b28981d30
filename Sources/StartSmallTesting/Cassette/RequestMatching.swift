import Foundation
public import StartSmall

/// A rule that matches a request with a recorded one.
///
/// Both requests are compared in the form of a ``Cassette``, without credentials: a test needs no real token.
public struct RequestMatching: Sendable {
    /// Whether the rule requires the same method and URL, so that other requests can be skipped.
    let isOfMethodAndURL: Bool

    /// Whether the rule requires the same payload.
    let isOfPayload: Bool

    /// The other conditions of the rule.
    private let others: [@Sendable (_ asked: Input, _ recorded: Input) -> Bool]

    /// Creates a custom rule.
    ///
    /// Secrets are placeholders in both requests: in the new request, with the recorded number if the secret may be the
    /// recorded one, and `<redacted>` if it is another one. A recorded payload that is over the limit of a cassette is
    /// empty.
    ///
    /// - Parameter matches: returns whether a new request matches a recorded one.
    public init(_ matches: @escaping @Sendable (_ asked: Input, _ recorded: Input) -> Bool) {
        self.init(others: [matches])
    }

    private init(
        isOfMethodAndURL: Bool = false,
        isOfPayload: Bool = false,
        others: [@Sendable (Input, Input) -> Bool] = []
    ) {
        (self.isOfMethodAndURL, self.isOfPayload, self.others) = (isOfMethodAndURL, isOfPayload, others)
    }

    /// Returns whether a request matches a recorded one.
    ///
    /// - Parameters:
    ///   - asked: the new request.
    ///   - recorded: the recorded request.
    public func callAsFunction(_ asked: Input, _ recorded: Input) -> Bool {
        fits(ComparedRequest(asked, for: self), ComparedRequest(recorded, for: self), NumberedSecrets()) != nil
    }

    /// Returns the binding of a request's secrets to those of a recorded one; nil if the requests do not match.
    func fits(
        _ asked: ComparedRequest,
        _ recorded: ComparedRequest,
        _ secrets: NumberedSecrets
    ) -> RequestSecrets.Binding? {
        if isOfMethodAndURL, !recorded.parts.fits(asked.parts) { return nil }
        if isOfPayload, !recorded.fitsPayload(of: asked) { return nil }
        let binding = recorded.secrets.binding(of: asked.secrets, secrets)
        if others.isEmpty { return binding }
        let input = asked.secrets.isEmpty ? asked.input : recorded.secrets.aligned(asked.input, binding, secrets)
        return others.allSatisfy { $0(input, recorded.input) } ? binding : nil
    }

    /// The rule that matches the method, the URL and the payload: ``methodAndURL`` and ``payload``.
    public static let methodURLAndPayload = methodAndURL.and(.payload)

    /// The rule that matches the method and the URL, regardless of the order of query items and of the payload.
    ///
    /// A hidden part in the path or the query of the recorded request matches any nonempty text.
    public static let methodAndURL = RequestMatching(isOfMethodAndURL: true)

    /// Returns a rule that matches the header fields of these names, in the order of each name.
    ///
    /// Secrets in the fields are compared by identity: a token from a replayed response is identified by its
    /// placeholder, and the first other secret in a position is then identified with the secret that was recorded
    /// there.
    ///
    /// - Parameter names: the names of the header fields.
    public static func headers(_ names: String...) -> RequestMatching {
        RequestMatching { asked, recorded in
            names.allSatisfy { asked.headers.values(of: $0) == recorded.headers.values(of: $0) }
        }
    }

    /// The rule that matches the payload.
    ///
    /// JSON is compared by its values, a form by its items in any order, a multipart form by its parts, regardless of
    /// its boundary, and any other payload by its bytes. A hidden part in the payload of the recorded request matches
    /// any nonempty text. A `PayloadStream` matches nothing, since its bytes are produced while they are sent, and are
    /// not in a cassette: use ``methodAndURL``.
    public static let payload = RequestMatching(isOfPayload: true)

    /// Returns a rule that combines both rules.
    public func and(_ other: RequestMatching) -> RequestMatching {
        RequestMatching(
            isOfMethodAndURL: isOfMethodAndURL || other.isOfMethodAndURL,
            isOfPayload: isOfPayload || other.isOfPayload,
            others: others + other.others
        )
    }
}

/// A request, prepared once for comparison with many others.
struct ComparedRequest {
    var input: Input
    var parts: RequestParts
    var secrets: RequestSecrets

    /// The digest of a recorded payload that is over the limit.
    private let digest: PayloadDigest?

    /// The hash of the payload, if a recorded payload has the same number of bytes and a hash.
    private let hash: String

    /// Prepares a request.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - matching: the rule, which determines the compared parts.
    ///   - digest: the digest of the payload, if the payload is not in the cassette.
    ///   - hashedSizes: the sizes of payloads that are compared by their hashes.
    init(_ input: Input, for matching: RequestMatching, digest: PayloadDigest? = nil, hashedSizes: Set<Int> = []) {
        (self.input, secrets, self.digest) = (input, RequestSecrets(of: input), digest)
        let payload = matching.isOfPayload ? input.methodAndPayload.body ?? Data() : Data()
        hash = hashedSizes.contains(payload.count) ? SHA256.digest(of: payload) : ""
        let plain = secrets.isEmpty ? input : input.replacingPlaceholders { _ in Placeholder(nil) }
        parts = RequestParts(of: plain, for: matching)
    }

    fileprivate func fitsPayload(of asked: ComparedRequest) -> Bool {
        guard let digest else { return parts.payload.fits(asked.parts.payload) }
        return digest.fits(asked.input.methodAndPayload.body ?? Data()) { asked.hash }
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

    /// Returns whether method and URL of another request are equal, with any values in place of the hidden ones.
    func fits(_ other: RequestParts) -> Bool {
        let isSameMethod = method == other.method || ComparedPayload.fits(Array(method.utf8), Array(other.method.utf8))
        return isSameMethod && url.fits(other.url)
    }
}

/// The compared parts of a URL.
struct URLParts: Hashable {
    /// The scheme, host and port, normalized by RFC 3986 6.2.2.1 and 6.2.3.
    var origin: String
    var path: String

    /// The percent-encoded query items, sorted.
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
