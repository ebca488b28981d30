public import StartSmallCore
import StartSmallFoundation

extension Wrapper {
    /// Sends the cookies of a jar, and stores those of the responses (RFC 6265bis).
    ///
    /// ```swift
    /// let connector = Connector.standard(over: .engine.wrapped(by: .cookies(in: jar)))
    /// ```
    ///
    /// Cookies are added to each request by its own URL, whose host a `Host` field of the request replaces (RFC 9110
    /// 7.1), and received from each response but 1xx, also from one that
    /// an error keeps (`ConnectionError.response`). The responses keep their `Set-Cookie` fields. Those of a response
    /// that a cache of the kit got for another request, maybe of another jar, are not received: the parameters `hit`,
    /// `collapsed` and `detail=stale-if-error` of its `Cache-Status` tell.
    ///
    /// - Parameter jar: the jar; connectors may share it.
    /// - Passes through: requests with a `Cookie` field, which is sent as it is, without cookies of the jar; the
    ///   cookies of their responses are stored. Requests whose URL has no host for cookies: a relative one, or one with
    ///   a percent-encoded host or an IPv6 zone.
    /// - Order: inside of `.redirect`, so that each hop sends and stores its own cookies: outside of it, the response
    ///   of the last hop is stored for the URL of that hop, and the others are not seen. Inside of `.retry`, so that
    ///   each attempt sends the newest cookies, and of `.baseURL`; outside of a cache, which tells identities apart by
    ///   the `Cookie` field.
    /// - Events: ``CookieRejection`` for each cookie that is not stored, by the name `cookieRejected`, and
    ///   once for all fields after the first 100 of a response. No event has a part of a cookie.
    /// - Errors: none.
    /// - State: the cookies of the jar. Those of a stream are stored when its head arrives, even if its body is
    ///   discarded; those of another response when it is complete, unless its call is cancelled before. The
    ///   response of a request that began before ``CookieJar/removeAll()`` is not stored.
    public static func cookies(in jar: CookieJar) -> Wrapper {
        Wrapper("cookies") { input, next in
            let hasOwn = input.headers.contains("Cookie")
            let origin = CookieOrigin(of: input, jar.policy)
            let generation: UInt64
            let output: Output
            if let origin, !hasOwn {
                let begun = jar.begin(origin)
                generation = begun.generation
                output = await next(begun.header.map { input.adding(cookies: $0) } ?? input)
            } else {
                generation = jar.generation
                output = await next(input)
            }
            if let response = output.response ?? output.connectionError?.response {
                jar.receive(response, to: input, origin, in: generation) { next.report($0) }
            }
            return output
        }
    }
}

extension CookieJar {
    /// Stores the cookies of a response (RFC 6265bis 5.3: of any status but 1xx).
    fileprivate func receive(
        _ response: Response,
        to request: Input,
        _ origin: CookieOrigin?,
        in generation: UInt64,
        report: (CookieRejection) -> Void
    ) {
        let fields = response.headers.values(of: "Set-Cookie")
        if fields.isEmpty || response.statusCode.code < 200 || response.isOfAnotherRequest { return }
        let isRedirected = !response.redirections.isEmpty
        let origin = isRedirected ? CookieOrigin(of: response.lastRequest(after: request), policy) : origin
        for field in fields.prefix(CookiePolicy.maximumFieldsPerResponse) {
            do throws(CookieRejection) {
                guard let origin else { throw .noHost }
                _ = try receive(field, from: origin, in: generation)
            } catch {
                report(error)
            }
        }
        if fields.count > CookiePolicy.maximumFieldsPerResponse { report(.tooLong) }
    }
}

extension Response {
    /// Returns the request that a redirect inside of the wrapper sent last, as far as its origin is concerned.
    ///
    /// A redirect to another origin drops the field `Host`.
    fileprivate func lastRequest(after request: Input) -> Input {
        let first = Origin(request.url)
        let keepsHost = redirections.allSatisfy { Origin($0.to) == first }
        return request.with { last in
            last.url = redirections.last?.to ?? last.url
            if !keepsHost { last.headers["Host"] = nil }
        }
    }

    /// Whether a cache of the kit, inside of the wrapper, got the response for another request (RFC 9211 2): from its
    /// store, or from a call at the same time.
    ///
    /// Its cookies were received when it arrived. They may have been removed since, as by a logout, and they may be of
    /// another jar.
    fileprivate var isOfAnotherRequest: Bool {
        // A server may send any text, and bytes take no time to compare.
        guard let status = headers.values(of: "Cache-Status").last?.utf8, status.starts(with: "StartSmall;".utf8) else {
            return false
        }
        return status.split(separator: UInt8(ascii: ";")).contains { part in
            [" hit", " collapsed", " detail=stale-if-error"].contains { part.elementsEqual($0.utf8) }
        }
    }
}

extension Input {
    fileprivate func adding(cookies: String) -> Input {
        with { $0.headers.append("Cookie", cookies) }
    }
}
