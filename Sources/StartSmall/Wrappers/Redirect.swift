public import StartSmallCore
import StartSmallEngines
import StartSmallHeaders
import StartSmallSupport
import StartSmallFoundation

extension Wrapper {
    /// Follows redirects as RFC 9110 15.4 and the WHATWG Fetch standard (4.4) define them.
    ///
    /// ```swift
    /// let app = Connector.engine.wrapped(by: .redirect(RedirectPolicy(limit: 5, allowedHosts: ["*.example.com"])))
    /// ```
    ///
    /// | status | method and payload of the next request |
    /// | --- | --- |
    /// | 301, 302 | POST becomes GET without payload, any other method stays |
    /// | 303 | HEAD stays, any other method becomes GET without payload |
    /// | 307, 308 | both stay |
    ///
    /// Header fields that describe a payload are dropped with the payload. As soon as scheme, host or port changes,
    /// credentials are dropped for good, even if the server redirects back to their origin: the fields that the policy
    /// names, and every field whose name indicates a secret, as ``Redaction/standard`` knows them (`X-API-Key`).
    ///
    /// A payload is sent to the same origin only, unless ``RedirectPolicy/sendsPayloadToOtherOrigins`` is true. The
    /// payload of a token request of OAuth 2.0 never leaves its origin (RFC 9700 4.12), whatever the policy: a form or
    /// JSON with `grant_type` (RFC 6749 4), and each request of a refresh by
    /// ``refreshToken(in:to:_:clock:now:first:by:)``.
    ///
    /// - Parameter policy: the limit of redirects, and what is dropped at another origin.
    /// - Passes through: responses that have another status, have no `Location` that is an `http` or `https` URL to
    ///   which a request can be sent (``ValidatedRequest``: a host in ASCII, or in its form `xn--…`, and a port up to
    ///   65535, for example), are rejected by an inner ``validate(_:)``, redirect from `https` to
    ///   `http`, lead to a host that is not allowed, would send a payload to another origin, or would send a payload
    ///   again that can be produced only once (``Payload/isAvailable``); each is returned unchanged. The payload of a
    ///   redirect does not matter, even if it is broken (``Output/response``): engines return the bytes that arrive
    ///   within 100 ms after the head, 64 KiB at most, and give up the rest with its connection. Exception:
    ///   `.urlSession()` on Linux waits for the rest.
    /// - Order: outside of wrappers that must see each request (a log of the wire), inside of wrappers that must see
    ///   the call once (`.retry`).
    /// - Events: ``Redirection`` before each next request, by the name `redirecting`.
    /// - Errors: ``ConnectionError/tooManyRedirects(_:limit:)``, which keeps the last response.
    public static func redirect(_ policy: RedirectPolicy = RedirectPolicy()) -> Wrapper {
        Wrapper("redirect") { input, next in
            let next = next.with { $0.followsRedirects = true }
            let start = policy.allowedHosts == nil ? nil : Origin(input.calledURL)?.host
            var input = input
            var redirections: [Redirection] = []
            while true {
                let output = await next(input).adding(redirections: redirections)
                if let end = policy.follow(output, &input, &redirections, from: start, next) { return end }
            }
        }
    }
}

extension Redirection: ReportedEvent {
    /// The name of the event by which `.redirect` reports a redirection.
    public var name: String { "redirecting" }
}

/// The limit of redirects, the hosts that they may lead to, and the parts of a request that are dropped at another
/// origin.
public struct RedirectPolicy: Equatable, Sendable {
    /// The maximum number of redirects in one call.
    public var limit: Int

    /// Names of header fields that never leave their origin, in addition to those that ``Redaction/standard`` hides.
    public var credentials: Set<String>

    /// The hosts to which redirects may lead, such as `cdn.example.com` or `*.example.com`; nil for any.
    ///
    /// The host of the call and the host that redirects are always allowed. `*.example.com` stands for all hosts whose
    /// names end with `.example.com`. A host is compared as the URL has it, without regard to case; a name in Unicode is
    /// given as `xn--…`. A redirect to another host is returned as it is. To restrict the addresses that hosts have,
    /// see ``ConnectionOptions/addressPolicy``.
    public var allowedHosts: Set<String>?

    /// Whether a redirect that keeps the method, such as 307 or 308, sends the payload to another scheme, host or port.
    public var sendsPayloadToOtherOrigins: Bool

    /// The default is false, since a payload may contain a password or a token as a header field may.
    ///
    /// The bytes of a payload do not show whether they contain a secret. For this reason, RFC 9700 4.12 forbids
    /// authorization servers to answer credentials with a 307; callers can't rely on that rule. Browsers (WHATWG Fetch
    /// 4.4), curl and OkHttp do send the payload; they know nothing of its intended reader but the URL, while an API
    /// client is made for one API.
    @usableFromInline static let defaultSendsPayloadToOtherOrigins = false

    /// The default maximum number of redirects: 20, the limit of the WHATWG Fetch standard (4.4) and the browsers.
    @usableFromInline static let defaultLimit = 20

    /// The header fields that RFC 9110 15.4 names as bound to an origin.
    static let defaultCredentials: Set<String> = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// Creates a policy.
    public init(
        limit: Int = defaultLimit,
        alsoDropping credentials: Set<String> = [],
        allowedHosts: Set<String>? = nil,
        sendsPayloadToOtherOrigins: Bool = defaultSendsPayloadToOtherOrigins
    ) {
        self.limit = limit
        self.credentials = Self.defaultCredentials.union(credentials)
        self.allowedHosts = allowedHosts
        self.sendsPayloadToOtherOrigins = sendsPayloadToOtherOrigins
    }

    /// Returns whether a redirect may lead to a host in lower case.
    private func allows(_ host: String) -> Bool {
        guard let allowedHosts else { return true }
        return allowedHosts.contains { allowed in
            let allowed = allowed.lowercased()
            guard allowed.hasPrefix("*.") else { return allowed == host }
            return host.utf8.count >= allowed.utf8.count && host.hasSuffix(allowed.dropFirst())
        }
    }

    /// Changes the input to the next one after a redirect.
    ///
    /// - Returns: nil to go on with the changed input; the output with which the call ends, if there is none to follow.
    @inline(never)
    fileprivate func follow(
        _ output: Output,
        _ input: inout Input,
        _ redirections: inout [Redirection],
        from start: String?,
        _ next: Next
    ) -> Output? {
        guard let response = output.response, !output.isRejected,
            let (nextInput, redirection) = self.next(
                after: response,
                to: input,
                from: start,
                isRefresh: next.isolation.isRefresh
            )
        else { return output }
        guard redirections.count < limit else { return .noResponse(.tooManyRedirects(response, limit: limit)) }
        if next.context.isCancelled { return .noResponse(.cancelled) }
        next.report(redirection)
        redirections.append(redirection)
        input = nextInput
        return nil
    }

    /// Returns the next input and its redirection; nil if the response is not a redirect to follow.
    func next(
        after response: Response,
        to input: Input,
        from start: String? = nil,
        isRefresh: @autoclosure () -> Bool = false
    ) -> (Input, Redirection)? {
        guard let keepsMethod = Self.keepsMethod(response.statusCode, input.methodAndPayload),
            let location = response.headers["Location"], !location.isEmpty
        else { return nil }
        let called = input.calledURL
        guard let target = called.resolving(location)?.keepingFragment(of: called) else { return nil }
        let from = Origin(called)
        guard let to = Origin(target), !(from?.scheme == "https" && to.scheme == "http") else { return nil }
        if ValidatedRequest.from(Input(url: target)).right == nil { return nil }
        guard [from?.host, start].contains(to.host) || allows(to.host) else { return nil }
        var nextInput = input
        nextInput.url = from == to ? target.keepingUserInfo(of: called) : target
        nextInput.queries = []
        if !keepsMethod {
            nextInput.methodAndPayload = .get
            for name in Self.describingPayload { nextInput.headers[name] = nil }
        }
        if nextInput.methodAndPayload.payload?.isAvailable == false { return nil }
        if from != to {
            if let payload = nextInput.methodAndPayload.payload {
                guard sendsPayloadToOtherOrigins, !isRefresh(), !input.asksForToken(with: payload) else { return nil }
            }
            let secrets = nextInput.headers.fields.map(\.name).filter(Redaction.standard.hides)
            for name in credentials.union(["Host"]).union(secrets) { nextInput.headers[name] = nil }
        }
        return (nextInput, Redirection(from: called, statusCode: response.statusCode, to: target))
    }

    /// Returns whether the next request keeps method and payload; nil if the status is no redirect to follow.
    private static func keepsMethod(_ status: HTTPStatus, _ methodAndPayload: HTTPMethodAndPayload) -> Bool? {
        switch status {
        case .movedPermanently, .found: methodAndPayload.method != "POST"
        case .seeOther: methodAndPayload.method == "HEAD" || methodAndPayload == .get
        case .temporaryRedirect, .permanentRedirect: true
        default: nil
        }
    }

    /// The fields that describe a payload, and are dropped with it (RFC 9110 15.4).
    private static let describingPayload = [
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type", "Digest",
        "Content-MD5", "Content-Digest", "Repr-Digest", "Last-Modified", "Transfer-Encoding",
    ]
}

extension URL {
    /// Returns this URL with the fragment of the URL that redirected here, if it has no fragment (RFC 9110 10.2.2).
    fileprivate func keepingFragment(of url: URL) -> URL {
        guard fragment(percentEncoded: true) == nil, let old = url.fragment(percentEncoded: true) else { return self }
        return URL(string: "\(absoluteString)#\(old)") ?? self
    }
}

extension Output {
    /// Whether a rule of the app rejects the response, and so the redirect.
    fileprivate var isRejected: Bool {
        if case .noResponse(.rejected) = self { true } else { false }
    }

    /// Returns this output with these redirections and their URL in its response, or in the partial one of its error.
    fileprivate func adding(redirections: [Redirection]) -> Output {
        guard let url = redirections.last?.to else { return self }
        return mapResponse { response in
            var response = response
            response.url = response.url ?? url
            response.redirections = redirections + response.redirections
            return response
        }
    }
}

/// The refusal of a redirect because there were too many; the response of the error is that redirect.
public struct TooManyRedirects: Refusal {
    /// The maximum number of redirects.
    public let limit: Int

    /// Creates a refusal.
    public init(limit: Int) { self.limit = limit }

    /// The name of the refusal.
    public var name: String { "tooManyRedirects" }

    /// The reason, for developers.
    public var reason: String { "more than \(limit) redirects" }

    /// The part whose change lets a later call pass: the limit.
    public var fault: ConnectionError.Fault { .limit }
}

extension ConnectionError {
    /// Returns the error of a call whose server redirected more often than allowed (``TooManyRedirects``).
    ///
    /// - Parameters:
    ///   - response: the redirect that was not followed.
    ///   - limit: the maximum number of redirects.
    public static func tooManyRedirects(_ response: Response, limit: Int) -> ConnectionError {
        .refused(TooManyRedirects(limit: limit), after: response)
    }
}
