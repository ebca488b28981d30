public import Foundation

extension Wrapper {
    /// Wrapper that says with a user and a password who is asking, in UTF-8 (RFC 7617).
    ///
    /// - Unchanged when: the request has an `Authorization` of its own.
    /// - Order: outside of `.redirect`, which then leaves them behind where a server leads to another origin.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if the user's name holds a colon, or if either
    ///   holds a control character.
    public static func basic(user: String, password: String) -> Wrapper {
        Authorization.basic(user: user, password: password).wrapper(onlyFor: nil)
    }

    /// Wrapper that says with a user and a password who is asking, in UTF-8 (RFC 7617), but to one origin alone.
    ///
    /// - Unchanged when: the request has an `Authorization` of its own, or goes to another origin than that of `only`.
    /// - Order: inside of `.baseURL`, since a relative URL has no origin.
    /// - Fails with: the same as without `only`; and with the same for every call if `only` is no absolute `http` or `https`
    ///   URL.
    public static func basic(user: String, password: String, only home: URL) -> Wrapper {
        Authorization.basic(user: user, password: password).wrapper(onlyFor: home)
    }
}
