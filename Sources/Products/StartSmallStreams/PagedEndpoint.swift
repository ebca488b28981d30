public import StartSmallCore

extension Endpoint {
    /// Returns the pages that begin with this endpoint, each fetched when it is requested.
    ///
    /// A page that was already fetched, a page of another origin, and a page above the limit are failures. The origin
    /// is checked because the request's credentials would be sent there too.
    ///
    /// - Parameters:
    ///   - strategy: the strategy that leads from one page to the next.
    ///   - limit: the maximum number of pages; 1,000 by default.
    ///   - origins: further allowed origins of pages, in addition to the origin of this endpoint's own URL, and the one
    ///     with which ``Wrapper/baseURL(_:others:)`` completes it. If a custom wrapper completes the URL, the origins
    ///     of absolute links must be allowed here.
    ///   - connector: the connector that makes the calls.
    public func pages(
        by strategy: PaginationStrategy<Value>,
        limit: Int = DefaultLimits.pages,
        alsoAt origins: Set<Origin> = [],
        via connector: Connector
    ) -> Pages<Failure, Value> {
        Pages(self, strategy, PaginationLoopDetector(limit: limit, origins: origins), via: connector)
    }
}
