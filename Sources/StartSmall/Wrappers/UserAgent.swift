public import StartSmallCore

extension Wrapper {
    /// Adds a `User-Agent` that names the client (RFC 9110 10.1.5): `Acme/1.2 (Linux)`.
    ///
    /// - Parameters:
    ///   - name: the name of the app.
    ///   - version: the version of the app.
    ///   - comment: a comment in parentheses, such as the operating system.
    /// - Passes through: requests that already have a `User-Agent`.
    /// - Order: any; of two, the outer one wins.
    /// - Errors: ``ConnectionError/malformedHeader(debugInfo:)`` if the name or the version is not a token.
    public static func userAgent(_ name: String, version: String? = nil, comment: String? = nil) -> Wrapper {
        userAgent([UserAgentProduct(name, version: version, comment: comment)])
    }

    /// Adds a `User-Agent` that names the client and its libraries; by default only the app.
    ///
    /// - Passes through: requests that already have a `User-Agent`.
    /// - Order: any; of two, the outer one wins.
    /// - Errors: ``ConnectionError/malformedHeader(debugInfo:)`` if a name or a version is not a token, or if there is
    ///   no product.
    public static func userAgent(_ products: [UserAgentProduct] = [.thisApp()]) -> Wrapper {
        let userAgent = UserAgentProduct.userAgent(products)
        return Wrapper("userAgent") { input, next in
            if input.headers.contains("User-Agent") { return await next(input) }
            return await next(userAgent.map { value in input.with { $0.headers.append("User-Agent", value) } })
        }
    }
}
