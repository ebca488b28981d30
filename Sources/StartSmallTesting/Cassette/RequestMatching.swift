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
    private let others: [@Sendable (_ asked: Input, _ recorded: Input) -> Bool]

    /// Creates a rule of one's own.
    ///
    /// Secrets are placeholders in both requests: of the one that is asked for, with the recorded number where it may be the
    /// recorded secret, and `<redacted>` where it is another. A recorded payload that is too long for a cassette is empty.
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

    /// Whether a request is the one that was recorded.
    public func callAsFunction(_ asked: Input, _ recorded: Input) -> Bool {
        fits(ComparedRequest(asked, for: self), ComparedRequest(recorded, for: self), NumberedSecrets()) != nil
    }

    /// What the secrets of a request have to be for it to be the one that was recorded; nil if it is another one.
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

    /// Matches the method, the URL and the payload: ``methodAndURL`` and ``payload``.
    public static let methodURLAndPayload = methodAndURL.and(.payload)

    /// Matches the method and the URL alone, where the order of query items does not count; whatever the payload is.
    ///
    /// What is hidden in the path or the query of the recorded one may be anything but nothing in its place.
    public static let methodAndURL = RequestMatching(isOfMethodAndURL: true)

    /// Matches the header fields of these names, in the order of each name.
    ///
    /// Of a secret in one, it is compared which it is: a token that a replayed response told is known by its placeholder, and
    /// the first other secret in a place is taken for the one that was recorded there, from then on.
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
            others: others + other.others
        )
    }
}

/// A request, taken apart once to be compared with many.
struct ComparedRequest {
    var input: Input
    var parts: RequestParts
    var secrets: RequestSecrets

    /// What is known of the payload of a recorded one that is too long.
    private let digest: PayloadDigest?

    /// The hash of the payload that is asked for, if one that was recorded has as many bytes.
    private let hash: String

    /// - Parameters:
    ///   - matching: what is compared.
    ///   - digest: that of the payload, if it is not in the cassette.
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
