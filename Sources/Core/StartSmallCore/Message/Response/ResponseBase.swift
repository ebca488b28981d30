public import StartSmallFoundation

extension Response {
    /// Returns the URL that gave this response to an input, with its queries.
    ///
    /// Relative references are resolved against it (RFC 3986 5.1.3). If ``Wrapper/baseURL(_:others:)`` completed the
    /// input's URL, the result is the complete one.
    public func base(of input: Input) -> URL {
        redirections.last?.to ?? input.with { $0.url = called.url ?? $0.url }.calledURL
    }
}
