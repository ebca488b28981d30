extension Endpoint {
    /// Sets the credentials of the request, and replaces existing ones.
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
