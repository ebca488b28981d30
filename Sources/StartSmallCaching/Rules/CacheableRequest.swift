import Foundation
import StartSmall

/// A request that a stored response may answer.
struct CacheableRequest: Sendable {
    /// The request.
    var input: Input

    /// The key of its stored responses.
    let key: CacheKey

    /// The credentials of the request, as the options name them.
    let identity: RequestIdentity

    /// The directives of its `Cache-Control`.
    var directives: RequestDirectives

    /// The condition of the caller on the answer; nil if it has none.
    var condition: CallerCondition?

    /// Whether the engine decodes the payload of a response in a content coding; nil if it does not say.
    var decodesPayload: Bool?

    /// Whether the method is HEAD, which the head of a stored response to GET answers (RFC 9111 4.3.5).
    var isHead: Bool { input.methodAndPayload == .head }

    /// Whether the URL has a query.
    var hasQuery: Bool { key.url.utf8.contains(UInt8(ascii: "?")) }

    /// Whether the caller demands that the server is asked, whatever is stored.
    var isForced: Bool { directives.isNoCache || directives.maxAge == 0 }
}

/// The way in which a cache handles a request, which depends on the request alone.
enum RequestClass: Sendable {
    /// A stored response may answer the request.
    case cacheable(CacheableRequest)

    /// The caller wants a stored response only, and none answers such a request: 504 (RFC 9111 5.2.1.7).
    case gatewayTimeout

    /// The request is sent, and its response returned; if the method is unsafe, stored responses are invalidated.
    case passThrough(CacheStatus.Forward, detail: String?, isUnsafe: Bool)

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
            self = .passThrough(.method, detail: nil, isUnsafe: !input.methodAndPayload.isSafe)
            return
        }
        let directives = RequestDirectives(input.headers)
        let bypass: (String) -> RequestClass = { detail in
            directives.isOnlyIfCached ? .gatewayTimeout : .passThrough(.bypass, detail: detail, isUnsafe: false)
        }
        if !input.staysInMemory {
            self = bypass("delivery")
        } else if input.methodAndPayload.payload != nil {
            self = bypass("payload")
        } else if directives.isNoStore {
            self =
                directives.isOnlyIfCached
                ? .gatewayTimeout : .passThrough(.request, detail: "no-store", isUnsafe: false)
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
            case .none: self = .cacheable(request)
            case .some(.right(let condition)):
                request.condition = condition
                self = .cacheable(request)
            case .some(.left(let field)): self = bypass(field.name)
            }
        }
    }

    /// The fields whose meaning only a server knows, or that ask for a part.
    private static let fieldsForServers = ["Range", "If-Range", "If-Match", "If-Unmodified-Since"]
}
