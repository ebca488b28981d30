extension Wrapper {
    /// Wrapper that says in `User-Agent` who is calling (RFC 9110 10.1.5): `Acme/1.2 (Linux)`.
    ///
    /// - Unchanged when: the request has a `User-Agent` of its own.
    /// - Order: does not matter; of two, the outer one speaks.
    /// - Fails with: ``ConnectionError/malformedHeader(debugInfo:)`` if the name or the version is not a token.
    public static func userAgent(_ name: String, version: String? = nil, comment: String? = nil) -> Wrapper {
        userAgent([UserAgentProduct(name, version: version, comment: comment)])
    }

    /// Wrapper that says in `User-Agent` who is calling, and with which libraries, the most important first; the app alone
    /// unless told otherwise.
    ///
    /// - Unchanged when: the request has a `User-Agent` of its own.
    /// - Order: does not matter; of two, the outer one speaks.
    /// - Fails with: ``ConnectionError/malformedHeader(debugInfo:)`` if a name or a version is not a token, or if there is
    ///   no product.
    public static func userAgent(_ products: [UserAgentProduct] = [.thisApp()]) -> Wrapper {
        let userAgent = UserAgentProduct.userAgent(products)
        return Wrapper { input, next in
            if input.headers.contains("User-Agent") { return await next(input) }
            return await next(userAgent.map { value in input.with { $0.headers.append("User-Agent", value) } })
        }
    }
}
