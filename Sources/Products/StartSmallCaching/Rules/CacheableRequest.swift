import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders

/// A request that a stored response may answer.
struct CacheableRequest: Sendable {
    var input: Input
    let key: CacheKey

    /// The credentials of the request, as the options name them.
    let identity: RequestIdentity
    var directives: RequestDirectives

    /// The condition of the caller on the answer; nil if it has none.
    var condition: CallerCondition?

    /// Whether the engine decodes the payload of a response in a content coding; nil if it does not say.
    var decodesPayload: Bool?

    /// Whether the method is HEAD, which the head of a stored response to GET answers (RFC 9111 4.3.5).
    var isHead: Bool { input.methodAndPayload == .head }

    var hasQuery: Bool { key.url.utf8.contains(UInt8(ascii: "?")) }

    /// Whether the caller demands that the server is asked, whatever is stored.
    var isForced: Bool { directives.isNoCache || directives.maxAge == 0 }
}

/// The way in which a cache handles a request, which depends on the request alone.
enum RequestClass: Sendable {
    case cacheable(CacheableRequest)

    /// The caller wants a stored response only, and none answers such a request: 504 (RFC 9111 5.2.1.7).
    case gatewayTimeout

    /// The request is sent, and its response returned; if the method is unsafe, stored responses are invalidated.
    case passThrough(forward: String, detail: String?, isUnsafe: Bool)

    /// Classifies a request.
    ///
    /// | request | |
    /// | --- | --- |
    /// | another method than GET and HEAD | passes through, and invalidates unless it is safe (RFC 9111 4, 4.4) |
    /// | to a file or a stream | passes through |
    /// | with a payload, or to a URL that is not `http` or `https` | passes through |
    /// | with `Cache-Control: no-store` | passes through (RFC 9111 5.2.1.5) |
    /// | with `Range` or `If-Range` | passes through: parts are not cached (RFC 9111 3.3, 3.4) |
    /// | with `If-Match` or `If-Unmodified-Since` | passes through: only the server evaluates them (RFC 9111 4.3.2) |
    /// | with an unreadable `If-None-Match` or `If-Modified-Since` | passes through |
    /// | a GET or HEAD of these with `only-if-cached` | is answered with 504 (RFC 9111 5.2.1.7) |
    init(of input: Input, _ options: CacheOptions) {
        let method = input.methodAndPayload.method
        guard method == "GET" || method == "HEAD" else {
            self = .passThrough(forward: "method", detail: nil, isUnsafe: !input.methodAndPayload.isSafe)
            return
        }
        let directives = RequestDirectives(input.headers)
        func bypass(_ detail: String, _ forward: String = "bypass") -> RequestClass {
            directives.isOnlyIfCached
                ? .gatewayTimeout : .passThrough(forward: forward, detail: detail, isUnsafe: false)
        }
        if !input.staysInMemory {
            self = bypass("delivery")
        } else if input.methodAndPayload.payload != nil {
            self = bypass("payload")
        } else if directives.isNoStore {
            self = bypass("no-store", "request")
        } else if let field = Self.fieldsForServers.first(where: input.headers.contains) {
            self = bypass(field)
        } else {
            let identity = options.identity(input)
            guard let key = CacheKey(for: input, identity: identity) else {
                self = bypass("url")
                return
            }
            var request = CacheableRequest(input: input, key: key, identity: identity, directives: directives)
            switch CallerCondition.read(input.headers) {
            case .left(let field): self = bypass(field)
            case .right(let condition):
                request.condition = condition
                self = .cacheable(request)
            }
        }
    }

    /// The fields whose meaning only a server knows, or that ask for a part.
    private static let fieldsForServers = ["Range", "If-Range", "If-Match", "If-Unmodified-Since"]
}

/// The condition of a caller that has a version of its own: `If-None-Match` or `If-Modified-Since` (RFC 9110 13.1).
enum CallerCondition: Equatable, Sendable {
    case noneMatch(ETagCondition)

    /// The caller has the version of this date, which is the text of the field.
    case modifiedSince(String)

    /// Reads the condition of a request, which is nil without one; or returns the name of a field that can't be read.
    ///
    /// `If-None-Match` precedes `If-Modified-Since`, which is ignored if it is not a date (RFC 9110 13.1.3).
    static func read(_ headers: HTTPHeaders) -> Either<String, CallerCondition?> {
        if headers.contains("If-None-Match") {
            let tags = headers.values(of: "If-None-Match").joined(separator: ",")
            return ETagCondition(tags).map { .right(.noneMatch($0)) } ?? .left("If-None-Match")
        }
        guard let text = headers["If-Modified-Since"] else { return .right(nil) }
        let isDate = CacheDate.date(text, now: .distantPast) != nil
        return isDate ? .right(.modifiedSince(text)) : .left("If-Modified-Since")
    }

    /// Whether the caller's version is that of a stored response, so that 304 is the answer (RFC 9111 4.3.2).
    ///
    /// Conditions count only for a response that is a success (RFC 9110 13.2.1). Without `Last-Modified`, the date of
    /// the stored response counts.
    func isMet(by stored: StoredResponse) -> Bool {
        guard stored.response.statusCode.isSuccess else { return false }
        switch self {
        case .noneMatch(.any): return true
        case .noneMatch(.oneOf(let tags)):
            return stored.facts.etag.map { own in tags.contains { $0.isWeaklyEqual(to: own) } } ?? false
        case .modifiedSince(let text):
            // The current time is needed for a year of two digits only (RFC 9110 5.6.7).
            guard let date = CacheDate.date(text, now: stored.receivedAt) else { return false }
            return (stored.facts.lastModified ?? stored.date) <= date
        }
    }
}

extension Response {
    /// The 304 that stands for this response, with the fields that it needs (RFC 9110 15.4.5).
    var notModified: Response {
        let kept: Set = [
            "age", "cache-control", "cache-status", "content-location", "date", "etag", "expires", "last-modified",
            "vary",
        ]
        return Response(
            statusCode: .notModified,
            headers: HTTPHeaders(headers.fields.filter { $0.isNamed(in: kept) })
        )
    }
}
