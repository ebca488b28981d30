public import StartSmallCore
public import StartSmallFoundation

extension Wrapper {
    /// Answers requests with stored responses, as the private cache of RFC 9111.
    ///
    /// ```swift
    /// let store = CacheStore.memory()
    /// let app = Connector.standard(over: .engine.wrapped(by: .cache(in: store)))
    /// ```
    ///
    /// A fresh stored response is the answer. A stale one is validated with the server, by `If-None-Match` and
    /// `If-Modified-Since`, unless the server or the caller allow its use (`stale-while-revalidate`, `stale-if-error`,
    /// `max-stale`). Only responses to GET are stored. Methods that are not safe remove what is stored for their URL,
    /// and for `Location` and `Content-Location` of the same origin.
    ///
    /// A caller decides for one request with its `Cache-Control`: `max-age`, `max-stale`, `no-cache`, `no-store`,
    /// `only-if-cached`, `stale-if-error`. Responses never cross identities: the credentials of a request are part of
    /// the key, as a digest. Calls for the same response share one request.
    ///
    /// - Parameters:
    ///   - store: the storage; pass the same one to several connectors that share responses.
    ///   - options: heuristic freshness, use after errors, and the identity of requests.
    ///   - now: returns the current time.
    /// - Passes through: payloads to files and streams; requests with an option that may change the response
    ///   (`RequestOption.changesResponse`); requests with `no-store`, or with a range or a condition of
    ///   their own (`Range`, `If-None-Match`, `If-Match`, …); methods other than GET. Responses with `no-store`,
    ///   `Vary: *` or status 206, and those that a redirect led to, are not stored. They are unchanged, apart from
    ///   `Cache-Status`.
    /// - Order: inside of all that adds credentials (`.bearer`, `.basic`, `.apiKey`, `.refreshToken`, cookies) or other
    ///   fields that select a response, and of `.baseURL`: the cache must see the request as the server sees it. If
    ///   that is impossible, ``CacheOptions/identity`` returns the credentials. Inside of `.redirect`, so that the
    ///   response of each URL is stored under its own. Outside of `.retry`, if a stale response is to replace an error
    ///   only after the last attempt.
    /// - Events: ``CacheStatus`` for each answer, as its field `Cache-Status` (RFC 9211): `StartSmall; hit; ttl=30`.
    ///   Background validations report no events.
    /// - Errors: `ConnectionError.payloadTooLarge` for a stored payload above the limit of the request. A
    ///   store that fails is a miss, and never an error; a call whose store does not answer can be cancelled.
    /// - State: the store, and the requests that are under way, which the copies of the store share.
    public static func cache(
        in store: CacheStore,
        options: CacheOptions = CacheOptions(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper("cache") { connector in
            let cached = CachedConnector(connector, store, CacheRules(options: options), now: now)
            let caching = Wrapper { input, next in
                switch RequestClass(of: input, options) {
                case .gatewayTimeout:
                    next.report(CacheStatus.onlyIfCached)
                    return Output.hasResponse(Response(statusCode: .gatewayTimeout)).adding(.onlyIfCached)
                case .passThrough(let forward, let detail, let isUnsafe):
                    let output: Output
                    if isUnsafe, !next.context.isDryRun {
                        let sent: SentRequests
                        (output, sent) = await next.notingRequests(of: input)
                        let isUnanswered = sent.mayBeUnanswered
                        await store.invalidate(Invalidation.urls(after: output, to: input, isUnanswered: isUnanswered))
                    } else {
                        output = await next(input)
                    }
                    let status = CacheStatus(forward: forward, detail: detail)
                    next.report(status)
                    return input.staysInMemory ? output.adding(status) : output
                case .cacheable(var request):
                    request.decodesPayload = connector.decodesPayload(of: input)
                    let isDryRun = next.context.isDryRun
                    let call = CachedCall(connector: cached, request: request, isDryRun: isDryRun) {
                        await next($0)
                    }
                    let (output, status) = await call.output()
                    if status != CacheStatus() { next.report(status) }
                    return output.adding(status)
                }
            }
            return connector.wrapped(by: caching)
        }
    }
}

extension CacheStore {
    /// Removes the stored responses that an unsafe request makes invalid, even if its call is cancelled (RFC 9111 4.4).
    fileprivate func invalidate(_ urls: [String]) async {
        if urls.isEmpty { return }
        // At once, before the store answers.
        for url in urls { coordinator.invalidateRequests(to: url) }
        await remove(urls)
    }
}

extension Output {
    /// Returns the output with a status in its response, also in one that is too large for the request.
    fileprivate func adding(_ status: CacheStatus) -> Output {
        switch self {
        case .hasResponse(let response): .hasResponse(response.adding(status))
        case .noResponse(.payloadTooLarge(let response, let limit)):
            .noResponse(.payloadTooLarge(response.adding(status), limit: limit))
        case .noResponse: self
        }
    }
}
