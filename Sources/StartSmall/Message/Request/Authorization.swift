import Foundation

/// Who is asking, as the value of `Authorization` (RFC 9110 11.6.2): made by ``basic(user:password:)``,
/// ``bearer(_:)`` or ``custom(scheme:_:)``, each of which refuses what can't be sent.
///
/// ```swift
/// let repositories = Endpoint.text(.get("https://api.github.com/user/repos").authorized(by: .bearer(token)))
/// ```
public struct Authorization: Hashable, Sendable {
    /// The field's value: a secret, which no description shows.
    public let value: String

    /// The name of the field.
    public static let headerName = "Authorization"

    /// A user and a password, in UTF-8 (RFC 7617).
    ///
    /// Left with ``ConnectionError/missingCredentials(debugInfo:)`` if the user's name holds a colon, since the server would
    /// take what follows for the password, or if either holds a control character (RFC 7617 2).
    public static func basic(user: String, password: String) -> Either<ConnectionError, Authorization> {
        basic(user: Array(user.utf8), password: Array(password.utf8))
    }

    static func basic(user: [UInt8], password: [UInt8]) -> Either<ConnectionError, Authorization> {
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

    /// A token that is enough by itself (RFC 6750).
    ///
    /// Left with ``ConnectionError/missingCredentials(debugInfo:)`` if it is empty or holds anything but visible ASCII, as a
    /// line break at the end of what was read from a file. That is more than RFC 6750 2.1 allows, since servers give out
    /// more, as `12|abc`.
    public static func bearer(_ token: String) -> Either<ConnectionError, Authorization> {
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

    /// Credentials of any other scheme, as `Digest` or an API's own (RFC 9110 11.4).
    ///
    /// Left with ``ConnectionError/missingCredentials(debugInfo:)`` if the scheme is not a token, or if the credentials hold
    /// a control character.
    public static func custom(scheme: String, _ credentials: String) -> Either<ConnectionError, Authorization> {
        guard HTTPToken.isToken(scheme) else {
            return .left(.missingCredentials(debugInfo: "the scheme is not a token (RFC 9110 11.1)"))
        }
        guard HTTPToken.isFieldValue(credentials) else {
            return .left(.missingCredentials(debugInfo: "a control character in the credentials (RFC 9110 5.5)"))
        }
        return .right(Authorization(value: credentials.isEmpty ? scheme : "\(scheme) \(credentials)"))
    }
}

extension Authorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No more than that there is one.
    public var description: String { "\(Self.headerName): \(Redaction.placeholder)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["value": Redaction.placeholder]) }
}

/// Authorizations by leading dot: `.basic(user: "me", password: password)`.
extension Either where Left == ConnectionError, Right == Authorization {
    /// The same as ``Authorization/basic(user:password:)``.
    public static func basic(user: String, password: String) -> Self {
        Authorization.basic(user: user, password: password)
    }

    /// The same as ``Authorization/bearer(_:)``.
    public static func bearer(_ token: String) -> Self { Authorization.bearer(token) }

    /// The same as ``Authorization/custom(scheme:_:)``.
    public static func custom(scheme: String, _ credentials: String) -> Self {
        Authorization.custom(scheme: scheme, credentials)
    }
}

extension Request {
    /// The same request with these credentials, in place of those that it had.
    public func authorized(by authorization: Authorization) -> Request {
        with { $0.headers.set(Authorization.headerName, to: authorization.value) }
    }
}

extension Either where Left == ConnectionError, Right == Input {
    /// The same request with these credentials, in place of those that it had.
    public func authorized(by authorization: Either<ConnectionError, Authorization>) -> Self {
        flatMap { input in authorization.map(input.authorized) }
    }
}

extension Request {
    /// The same with these credentials, or why there are none, also where `home` has no origin.
    ///
    /// Unchanged if it has credentials of its own, or does not go to `home`.
    func authorized(
        onlyFor home: URL?,
        by authorization: () async -> Either<ConnectionError, Authorization>
    ) async -> Either<ConnectionError, Request> {
        switch mayTake(origin: home) {
        case .left(let error): .left(error)
        case .right(true) where !headers.contains(Authorization.headerName):
            await authorization().map { who in with { $0.headers.append(Authorization.headerName, who.value) } }
        case .right: .right(self)
        }
    }
}
