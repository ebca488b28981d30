import Foundation
public import StartSmall

extension Wrapper {
    /// Sends the cookies of a jar, and stores those of the responses (RFC 6265bis).
    ///
    /// ```swift
    /// let connector = Connector.standard(over: .engine.wrapped(by: .cookies(in: jar)))
    /// ```
    ///
    /// Cookies are added to each request by its own URL, and received from each response but 1xx, also from one that
    /// an error keeps (`ConnectionError.response`). The responses keep their `Set-Cookie` fields. Those of a stored
    /// response, with which a cache of the kit answers (`Cache-Status: StartSmall; hit`), are not received again.
    ///
    /// - Parameter jar: the jar; connectors may share it.
    /// - Passes through: requests with a `Cookie` field, which is sent as it is, without cookies of the jar; the
    ///   cookies of their responses are stored. Requests whose URL has no host for cookies: a relative one, or one with
    ///   a percent-encoded host or an IPv6 zone.
    /// - Order: inside of `.redirect`, so that each hop sends and stores its own cookies: outside of it, the response
    ///   of the last hop is stored for the URL of that hop, and the others are not seen. Inside of `.retry`, so that
    ///   each attempt sends the newest cookies, and of `.baseURL`; outside of a cache, which tells identities apart by
    ///   the `Cookie` field.
    /// - Events: `Event.custom` with the name `cookieRejected` and the reason, for each cookie that is not stored. No
    ///   event has a part of a cookie.
    /// - Errors: none.
    /// - State: the cookies of the jar. A response in parts is stored when the call ends; one whose call is cancelled
    ///   before is not. The response of a request that began before ``CookieJar/removeAll()`` is not stored either.
    public static func cookies(in jar: CookieJar) -> Wrapper {
        Wrapper { input, next in
            let hasOwn = input.headers.contains("Cookie")
            let origin = CookieOrigin(input.url, jar.policy)
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
                jar.receive(response, to: input.url, origin, in: generation) { next.report($0) }
            }
            return output
        }
    }
}

extension CookieJar {
    /// Stores the cookies of a response (RFC 6265bis 5.3: of any status but 1xx).
    ///
    /// - Parameters:
    ///   - response: the response, maybe after redirects that a wrapper inside has followed.
    ///   - url: the URL of the request.
    ///   - origin: the origin of that URL.
    ///   - generation: the generation of the jar when the request began.
    ///   - report: reports an event for each cookie that is not stored.
    fileprivate func receive(
        _ response: Response,
        to url: URL,
        _ origin: CookieOrigin?,
        in generation: UInt64,
        report: (Event) -> Void
    ) {
        let fields = response.headers.values(of: "Set-Cookie")
        if fields.isEmpty || response.statusCode.code < 200 || response.isFromStore { return }
        let origin = response.redirections.last.map { CookieOrigin($0.to, policy) } ?? origin
        for field in fields {
            do throws(CookieRejection) {
                guard let origin else { throw .noHost }
                _ = try receive(field, from: origin, in: generation)
            } catch {
                report(.custom(name: "cookieRejected", detail: error.description))
            }
        }
    }
}

extension Response {
    /// Whether a cache of the kit, inside of the wrapper, has answered with a stored response (RFC 9211 2.1).
    ///
    /// Its cookies were received when it arrived. They may have been removed since, as by a logout.
    fileprivate var isFromStore: Bool {
        let parts = headers.values(of: "Cache-Status").last?.split(separator: ";") ?? []
        return parts.first == "StartSmall" && parts.contains(" hit")
    }
}

extension Input {
    /// Returns a copy with a `Cookie` field.
    fileprivate func adding(cookies: String) -> Input {
        with { $0.headers.append("Cookie", cookies) }
    }
}
