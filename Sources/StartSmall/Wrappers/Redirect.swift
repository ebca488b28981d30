import Foundation

extension Wrapper {
    /// Wrapper that follows redirects, as RFC 9110 15.4 and the WHATWG Fetch standard (4.4) have them.
    ///
    /// | status | method and payload of the next request |
    /// | --- | --- |
    /// | 301, 302 | POST becomes GET without payload, any other method stays |
    /// | 303 | HEAD stays, any other method becomes GET without payload |
    /// | 307, 308 | the same |
    ///
    /// Header fields that describe a payload go with it. As soon as scheme, host or port changes, credentials are dropped
    /// for good: they do not come back even if the server leads back to where they belong. Credentials are what the policy
    /// names, and every field whose name tells that it holds a secret, as ``Redaction/standard`` knows them (`X-API-Key`).
    ///
    /// A payload is sent to the same origin only, unless ``RedirectPolicy/sendsPayloadToOtherOrigins`` says otherwise.
    ///
    /// - Unchanged when: the response has another status, has no `Location` that is an `http` or `https` URL, leads
    ///   from `https` to `http`, or would take a payload to another origin: it is then returned as it is.
    /// - Order: outside of what must see each request (a log of the wire), inside of what must see the call once (retry).
    /// - Reports: ``Event/redirecting(_:)`` before each next request.
    /// - Fails with: ``ConnectionError/tooManyRedirects(_:limit:)``, which keeps the last response.
    public static func redirect(_ policy: RedirectPolicy = RedirectPolicy()) -> Wrapper {
        Wrapper { input, next in
            var input = input
            var trail: [Redirection] = []
            while true {
                let output = await next(input).following(trail)
                guard case .hasResponse(let response) = output else { return output }
                guard let (following, redirection) = policy.next(after: response, to: input) else {
                    return .hasResponse(response)
                }
                guard trail.count < policy.limit else {
                    return .noResponse(.tooManyRedirects(response, limit: policy.limit))
                }
                if next.report.isCancelled { return .noResponse(.cancelled) }
                next.report(.redirecting(redirection))
                trail.append(redirection)
                input = following
            }
        }
    }
}

/// How far redirects are followed, and what is left behind on the way.
public struct RedirectPolicy: Hashable, Sendable {
    /// The most redirects to follow in one call.
    public var limit: Int

    /// Names of header fields that never leave the origin they were meant for, beside those that ``Redaction/standard`` hides.
    public var credentials: Set<String>

    /// Whether a redirect that keeps the method, such as 307 and 308, takes the payload to another scheme, host or port.
    public var sendsPayloadToOtherOrigins: Bool

    /// No: a payload may hold a password or a token as well as a header field may, and nobody can tell from its bytes.
    ///
    /// RFC 9700 4.12 forbids authorization servers to answer credentials by a 307 for this reason; who calls can't rely on
    /// that. Browsers (WHATWG Fetch 4.4), curl and OkHttp do send the payload; they know no more than its URL of who is to
    /// read it, while an API client is made for one API.
    public static let defaultSendsPayloadToOtherOrigins = false

    /// As many as the WHATWG Fetch standard (4.4) and the browsers allow.
    public static let defaultLimit = 20

    /// What RFC 9110 15.4 names as bound to an origin; a name of an app's own belongs here too if it tells nothing.
    public static let defaultCredentials: Set<String> = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// Creates a policy; `credentials` come on top of ``defaultCredentials``.
    public init(
        limit: Int = defaultLimit,
        alsoDropping credentials: Set<String> = [],
        sendsPayloadToOtherOrigins: Bool = defaultSendsPayloadToOtherOrigins
    ) {
        self.limit = limit
        self.credentials = Self.defaultCredentials.union(credentials)
        self.sendsPayloadToOtherOrigins = sendsPayloadToOtherOrigins
    }

    /// What to send next, if the response to `input` asks for it.
    func next(after response: Response, to input: Input) -> (Input, Redirection)? {
        guard let keepsMethod = Self.keepsMethod(response.statusCode, input.methodAndPayload),
            let location = response.headers["Location"], !location.isEmpty
        else { return nil }
        let called = input.calledURL
        guard let target = called.resolving(location)?.keepingFragment(of: called) else { return nil }
        let from = Origin(called)
        guard let to = Origin(target), !(from?.scheme == "https" && to.scheme == "http") else { return nil }
        var following = input
        following.url = from == to ? target.keepingUserInfo(of: called) : target
        following.queries = []
        if !keepsMethod {
            following.methodAndPayload = .get
            for name in Self.describingPayload { following.headers.remove(name) }
        }
        if from != to {
            if following.methodAndPayload.payload != nil, !sendsPayloadToOtherOrigins { return nil }
            let secrets = following.headers.fields.map(\.name).filter(Redaction.standard.hides)
            for name in credentials.union(["Host"]).union(secrets) { following.headers.remove(name) }
        }
        return (following, Redirection(from: called, statusCode: response.statusCode, to: target))
    }

    /// Whether the next request has the same method and payload; nil if the status is no redirect to follow.
    private static func keepsMethod(_ status: HTTPStatus, _ methodAndPayload: HTTPMethodAndPayload) -> Bool? {
        switch status {
        case .movedPermanently, .found: methodAndPayload.method != "POST"
        case .seeOther: methodAndPayload.method == "HEAD" || methodAndPayload == .get
        case .temporaryRedirect, .permanentRedirect: true
        default: nil
        }
    }

    /// Fields that speak of a payload, and are dropped with it (RFC 9110 15.4).
    private static let describingPayload = [
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type", "Digest",
        "Content-Digest", "Repr-Digest", "Last-Modified", "Transfer-Encoding",
    ]
}

extension URL {
    /// The same with the fragment of the URL that led here, if it has none (RFC 9110 10.2.2).
    fileprivate func keepingFragment(of url: URL) -> URL {
        guard fragment(percentEncoded: true) == nil, let old = url.fragment(percentEncoded: true) else { return self }
        return URL(string: "\(absoluteString)#\(old)") ?? self
    }
}

extension Output {
    /// The same, its response, or what had arrived of it, knowing of these redirections.
    fileprivate func following(_ trail: [Redirection]) -> Output {
        if trail.isEmpty { return self }
        func following(_ response: Response) -> Response {
            var response = response
            response.redirections = trail + response.redirections
            return response
        }
        return switch self {
        case .hasResponse(let response): .hasResponse(following(response))
        case .noResponse(let error): .noResponse(error.changingResponse(following))
        }
    }
}
