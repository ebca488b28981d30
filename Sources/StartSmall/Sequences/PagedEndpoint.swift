extension Endpoint {
    /// The pages that begin with this endpoint, each fetched when it is asked for.
    ///
    /// A page that was there before, one of another origin, or one too many is a failure. The origin counts because the
    /// request's credentials would go there too.
    ///
    /// - Parameters:
    ///   - paging: how one page leads to the next.
    ///   - limit: the most pages.
    ///   - origins: where pages may be, beside the origin of this endpoint's own URL, and the one at which
    ///     ``Wrapper/baseURL(_:others:)`` completes it. Where a wrapper of your own does, absolute links need to be allowed
    ///     here.
    ///   - connector: what the pages are called over.
    public func pages(
        by paging: PaginationStrategy<Value>,
        limit: Int = DefaultLimits.pages,
        alsoAt origins: Set<Origin> = [],
        via connector: Connector
    ) -> Pages<Failure, Value> {
        Pages(self, paging, PaginationLoopDetector(limit: limit, origins: origins), via: connector)
    }
}
