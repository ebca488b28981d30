public import Foundation

extension Wrapper {
    /// Adds `Authorization: Basic …` with a user and a password in UTF-8 to each request (RFC 7617).
    ///
    /// - Parameters:
    ///   - user: the name of the user.
    ///   - password: the password.
    /// - Passes through: requests that already have an `Authorization`.
    /// - Order: outside of `.redirect`, which then drops the credentials at another origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the user's name contains a colon, or if either
    ///   text contains a control character.
    public static func basic(user: String, password: String) -> Wrapper {
        Authorization.basic(user: user, password: password).wrapper(onlyFor: nil)
    }

    /// Adds `Authorization: Basic …` with a user and a password in UTF-8 to each request to one origin (RFC 7617).
    ///
    /// - Parameters:
    ///   - user: the name of the user.
    ///   - password: the password.
    ///   - home: a URL of the only origin that gets the credentials.
    /// - Passes through: requests that already have an `Authorization`, or go to another origin than that of `only`.
    /// - Order: inside of `.baseURL`, since a relative URL has no origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` as without `only`; and for every call if `only` is
    ///   not an absolute `http` or `https` URL.
    public static func basic(user: String, password: String, only home: URL) -> Wrapper {
        Authorization.basic(user: user, password: password).wrapper(onlyFor: home)
    }
}
