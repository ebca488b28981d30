extension Endpoint {
    /// The same endpoint with these credentials, in place of those that its request had.
    ///
    /// ```swift
    /// let repositories = GitHubRepository.list().authorized(by: .bearer(token))
    /// ```
    public func authorized(by authorization: Either<ConnectionError, Authorization>) -> Endpoint {
        var endpoint = self
        endpoint.input = input.authorized(by: authorization)
        return endpoint
    }
}
