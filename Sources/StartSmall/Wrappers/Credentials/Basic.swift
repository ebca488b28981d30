extension Wrapper {
    /// Adds `Authorization: Basic …` with a user and a password in UTF-8 to each request (RFC 7617).
    ///
    /// - Parameters:
    ///   - user: the name of the user.
    ///   - password: the password.
    ///   - scope: the requests that get the credentials.
    /// - Passes through: requests that already have an `Authorization`, or are not in the scope.
    /// - Order: outside of `.redirect`, which then drops the credentials at another origin. With a scope, inside of
    ///   `.baseURL`, since a relative URL has no origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the user's name contains a colon, if either text
    ///   contains a control character, or if the URL of the scope has no origin.
    public static func basic(user: String, password: String, to scope: CredentialScope = .anyOrigin) -> Wrapper {
        Either<ConnectionError, Authorization>.basic(user: user, password: password).wrapper("basic", to: scope)
    }
}
