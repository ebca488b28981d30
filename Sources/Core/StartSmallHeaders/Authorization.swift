public import StartSmallCore
public import StartSmallSupport
import StartSmallFoundation

/// Credentials, as the value of `Authorization` (RFC 9110 11.6.2).
///
/// Created by ``Either/basic(user:password:)``, ``Either/bearer(_:)`` or ``Either/custom(scheme:_:)``, each of which
/// refuses credentials that can't be sent.
///
/// ```swift
/// let repositories = Endpoint.text(.get("https://api.github.com/user/repos").authorized(by: .bearer(token)))
/// ```
public struct Authorization: Equatable, Sendable {
    /// The field's value: a secret, which no description shows.
    public let value: String

    /// The name of the header field.
    @usableFromInline package static let headerName = "Authorization"

    /// Creates Basic credentials of the bytes of a user's name and a password (RFC 7617).
    package static func basic(user: [UInt8], password: [UInt8]) -> Either<ConnectionError, Authorization> {
        let colon = UInt8(ascii: ":")
        if user.contains(colon) {
            return .left(.missingCredentials(debugInfo: "a colon in the user's name (RFC 7617 2)"))
        }
        if (user + password).contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            let reason = "a control character in the user's name or the password (RFC 7617 2)"
            return .left(.missingCredentials(debugInfo: reason))
        }
        return .right(Authorization(value: "Basic \(Data(user + [colon] + password).base64EncodedString())"))
    }
}

extension Authorization: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The name of the field and a placeholder; never the credentials.
    public var description: String { "\(Self.headerName): \(Redaction.placeholder)" }
}

/// Authorizations by leading dot: `.basic(user: "me", password: password)`.
extension Either where Left == ConnectionError, Right == Authorization {
    /// Creates Basic credentials: a user and a password, in UTF-8 (RFC 7617).
    ///
    /// - Parameters:
    ///   - user: the user's name.
    ///   - password: the password.
    /// - Returns: the credentials; ``ConnectionError/missingCredentials(debugInfo:)`` on the left if the user's name
    ///   contains a colon, since the server would read the part after the colon as the password, or if either contains
    ///   a control character (RFC 7617 2).
    public static func basic(user: String, password: String) -> Self {
        Authorization.basic(user: Array(user.utf8), password: Array(password.utf8))
    }

    /// Creates Bearer credentials: a token that is sufficient by itself (RFC 6750).
    ///
    /// Accepts more than RFC 6750 2.1 allows, since servers issue other tokens too, such as `12|abc`.
    ///
    /// - Returns: the credentials; ``ConnectionError/missingCredentials(debugInfo:)`` on the left if the token is empty
    ///   or contains anything but visible ASCII, such as the line break at the end of a file.
    public static func bearer(_ token: String) -> Self {
        if token.isEmpty { return .left(.missingCredentials(debugInfo: "the bearer token is empty")) }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return .left(
                .missingCredentials(
                    debugInfo: "a character that is not visible ASCII in the bearer token (RFC 6750 2.1)"
                )
            )
        }
        return .right(Authorization(value: "Bearer \(token)"))
    }

    /// Creates credentials of any other scheme, such as `Digest` or the scheme of one API (RFC 9110 11.4).
    ///
    /// - Parameters:
    ///   - scheme: the authentication scheme, a token.
    ///   - credentials: the text after the scheme; may be empty.
    /// - Returns: the credentials; ``ConnectionError/missingCredentials(debugInfo:)`` on the left if the scheme is not
    ///   a token, or if the credentials contain a control character.
    public static func custom(scheme: String, _ credentials: String) -> Self {
        guard HTTPToken.isToken(scheme) else {
            return .left(.missingCredentials(debugInfo: "the scheme is not a token (RFC 9110 11.1)"))
        }
        guard HTTPToken.isFieldValue(credentials) else {
            return .left(.missingCredentials(debugInfo: "a control character in the credentials (RFC 9110 5.5)"))
        }
        return .right(Authorization(value: credentials.isEmpty ? scheme : "\(scheme) \(credentials)"))
    }
}

extension Either where Left == ConnectionError, Right == Input {
    /// Returns a copy of the request with these credentials, which replace the previous ones.
    ///
    /// - Parameter authorization: the credentials to send; an error on the left becomes that of the result.
    public func authorized(by authorization: Either<ConnectionError, Authorization>) -> Self {
        flatMap { input in
            authorization.map { credentials in input.with { $0.headers[Authorization.headerName] = credentials.value } }
        }
    }
}

extension Endpoint {
    /// Sets the credentials of the request, and replaces existing ones.
    ///
    /// ```swift
    /// let repositories = GitHubRepository.list().authorized(by: .bearer(token))
    /// ```
    public func authorized(by authorization: Either<ConnectionError, Authorization>) -> Endpoint {
        Endpoint(input.authorized(by: authorization), read: read)
    }
}

extension Request {
    /// Returns a copy with these credentials; unchanged if it has its own, or is not in the scope.
    ///
    /// ```swift
    /// let signed = Wrapper("signed") { input, next in
    ///     await next(await input.authorized(in: .origin(api)) { await .custom(scheme: "Key", key.current) })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - scope: the requests that get the credentials.
    ///   - authorization: returns the credentials; not called for a request that gets none.
    /// - Returns: the request; an error on the left if the URL of the scope has no origin, or that of `authorization`.
    public func authorized(
        in scope: CredentialScope,
        by authorization: () async -> Either<ConnectionError, Authorization>
    ) async -> Either<ConnectionError, Request> {
        switch isIn(scope) {
        case .left(let error): .left(error)
        case .right(true) where !headers.contains(Authorization.headerName):
            await authorization().map { credentials in
                with { $0.headers.append(Authorization.headerName, credentials.value) }
            }
        case .right: .right(self)
        }
    }
}
