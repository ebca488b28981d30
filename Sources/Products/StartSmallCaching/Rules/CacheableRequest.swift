import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation

struct CacheableRequest: Sendable {
    var input: Input
    let key: CacheKey

    /// The credentials of the request, as the options name them.
    let identity: RequestIdentity
    var directives: RequestDirectives

    /// Whether the engine decodes the payload of a response in a content coding; nil if it does not say.
    var decodesPayload: Bool?

    var hasQuery: Bool { key.url.utf8.contains(UInt8(ascii: "?")) }

    /// Whether the caller demands that the server is asked, whatever is stored.
    var isForced: Bool { directives.isNoCache || directives.maxAge == 0 }

    /// Returns the URL of a response from elsewhere, without what may be a credential; nil for that of the request.
    func moved(to url: URL) -> URL? {
        let resource = NormalURL(url)?.text.prefix { $0 != "?" }
        return key.url.prefix { $0 != "?" } == resource ? nil : resource.flatMap { URL(string: String($0)) }
    }
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
    /// | a method that is not safe | passes through, and invalidates (RFC 9111 4.4) |
    /// | another method than GET | passes through |
    /// | to a file or a stream | passes through |
    /// | with an option that may change the response, or that differs from itself | passes through |
    /// | with a payload, or to a URL that is not `http` or `https` | passes through |
    /// | with `Cache-Control: no-store` | passes through (RFC 9111 5.2.1.5) |
    /// | with `Range` or `If-Range` | passes through: parts are not cached (RFC 9111 3.3, 3.4) |
    /// | with a condition of its own (RFC 9110 13.1) | passes through: the server evaluates it |
    /// | a safe one of these with `only-if-cached` | is answered with 504 (RFC 9111 5.2.1.7) |
    init(of input: Input, _ options: CacheOptions) {
        let directives = RequestDirectives(input.headers)
        func bypass(_ detail: String?, _ forward: String = "bypass") -> RequestClass {
            directives.isOnlyIfCached
                ? .gatewayTimeout : .passThrough(forward: forward, detail: detail, isUnsafe: false)
        }
        if !input.methodAndPayload.isSafe {
            self = .passThrough(forward: "method", detail: nil, isUnsafe: true)
        } else if input.methodAndPayload.method != "GET" {
            self = bypass(nil, "method")
        } else if !input.staysInMemory {
            self = bypass("delivery")
        } else if input.options.mayChangeResponse || input.options != input.options {
            self = bypass("options")
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
            self = .cacheable(
                CacheableRequest(input: input, key: key, identity: identity, directives: directives)
            )
        }
    }

    /// The fields that a server evaluates: conditions of the caller, and what asks for a part.
    private static let fieldsForServers = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]
}
