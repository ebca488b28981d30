public import StartSmallCore
public import StartSmallHeaders
import StartSmallFoundation

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

    /// Adds `Authorization: Bearer <token>` to each request (RFC 6750).
    ///
    /// - Parameters:
    ///   - token: the bearer token.
    ///   - scope: the requests that get the token.
    /// - Passes through: requests that already have an `Authorization`, or are not in the scope.
    /// - Order: outside of `.redirect`, which then drops the token at another origin. With a scope, inside of
    ///   `.baseURL`, since a relative URL has no origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty or can't be sent, or if the
    ///   URL of the scope has no origin.
    public static func bearer(_ token: String, to scope: CredentialScope = .anyOrigin) -> Wrapper {
        Either<ConnectionError, Authorization>.bearer(token).wrapper("bearer", to: scope)
    }

    /// Adds `Authorization: Bearer <token>` to each request, with a token from a function of the app (RFC 6750).
    ///
    /// ```swift
    /// .bearer { await keychain.token }
    /// ```
    ///
    /// - Parameters:
    ///   - scope: the requests that get the token.
    ///   - token: returns the bearer token; nil if there is none.
    /// - Passes through: requests that already have an `Authorization`, or are not in the scope; `token` is not called
    ///   then.
    /// - Order: as with a fixed token; inside of `.retry`, `token` is called for each attempt.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no token, if it is empty or can't be
    ///   sent, or if the URL of the scope has no origin; no request is sent then. The error that `token` throws, if it
    ///   is a ``ConnectionError``.
    public static func bearer(
        to scope: CredentialScope = .anyOrigin,
        _ token: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        Wrapper(scope.name(of: "bearer")) { input, next in
            await next(
                await input.authorized(in: scope) {
                    await Either.credential("bearer token", from: token).flatMap { .bearer($0) }
                }
            )
        }
    }

    /// Adds the API key of an app to each request, in a header field or a query item.
    ///
    /// - Parameters:
    ///   - key: the API key.
    ///   - location: the header field or the query item.
    ///   - scope: the requests that get the key.
    /// - Passes through: requests that already have a field or item of this name, or are not in the scope.
    /// - Order: outside of `.redirect`, a field is dropped at another origin if ``Redaction/standard`` knows its name
    ///   or ``RedirectPolicy/credentials`` contains it. An item is never sent to a redirect target: the `Location` of a
    ///   server has its own query. With a scope, inside of `.baseURL`, since a relative URL has no origin; inside of
    ///   `.redirect`, each redirected request in the scope gets the key.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the key is empty, or if the URL of the scope has
    ///   no origin.
    public static func apiKey(
        _ key: String,
        in location: APIKeyLocation,
        to scope: CredentialScope = .anyOrigin
    ) -> Wrapper {
        apiKey(in: location, to: scope) { key }
    }

    /// Adds an API key from a function of the app to each request, in a header field or a query item.
    ///
    /// The function `key` returns nil if there is none.
    ///
    /// - SeeAlso: ``apiKey(_:in:to:)``
    /// - Passes through: as with a fixed key; `key` is not called then.
    /// - Order: as with a fixed key.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no key, if it is empty, or if the URL
    ///   of the scope has no origin; no request is sent then. The error that `key` throws, if it is a
    ///   ``ConnectionError``.
    public static func apiKey(
        in location: APIKeyLocation,
        to scope: CredentialScope = .anyOrigin,
        _ key: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        Wrapper(scope.name(of: "apiKey")) { input, next in
            switch input.isIn(scope) {
            case .left(let error): return .noResponse(error)
            case .right(true) where !location.isTaken(in: input):
                let key = await Either.credential("API key", from: key)
                return await next(key.map { key in input.with { location.put(key, into: &$0) } })
            case .right: return await next(input)
            }
        }
    }
}

/// The location of an API key in a request.
///
/// Descriptions hide the key if ``Redaction/standard`` knows the name, as it knows `X-API-Key`, `api_key` and similar
/// names.
public enum APIKeyLocation: Equatable, Sendable {
    /// A header field of this name.
    case header(String)

    /// A query item of this name.
    ///
    /// Every server on the way may log the query: prefer a header field where the API has one.
    case query(String)

    fileprivate func isTaken(in input: Input) -> Bool {
        switch self {
        case .header(let name):
            input.headers.contains(name)
        case .query(let name):
            input.hasQuery(named: name)
        }
    }

    fileprivate func put(_ key: String, into input: inout Input) {
        switch self {
        case .header(let name): input.headers.append(name, key)
        case .query(let name): input.queries.append(URLQueryItem(name: name, value: key))
        }
    }
}

extension Either where Left == ConnectionError {
    /// Calls a function of the app, and returns its value or the error that ends the call.
    ///
    /// An error that the function throws ends the call: a ``ConnectionError`` unchanged, any other error as `failure`
    /// converts it. If the call is cancelled meanwhile, it ends with ``ConnectionError/cancelled``, and no request is
    /// sent.
    static func provided(
        by provide: () async throws -> Right,
        or failure: (_ debugInfo: String) -> ConnectionError
    ) async -> Self {
        let provided: Self
        do {
            provided = .right(try await provide())
        } catch let error as ConnectionError {
            provided = .left(error)
        } catch {
            provided = .left(failure(Redaction.standard.shown(text: "\(error)")))
        }
        return Task.isCancelled ? .left(.cancelled) : provided
    }
}

extension Either where Left == ConnectionError, Right == Authorization {
    /// Returns a wrapper that sends these credentials, or ends the call with their error.
    ///
    /// Requests that are not in the scope, or that have credentials already, are sent unchanged.
    func wrapper(_ name: String, to scope: CredentialScope) -> Wrapper {
        Wrapper(scope.name(of: name)) { input, next in
            await next(await input.authorized(in: scope) { self })
        }
    }
}

extension Either where Left == ConnectionError, Right == String {
    /// Returns a secret from a function of the app.
    ///
    /// No secret, or an empty one, is ``ConnectionError/missingCredentials(debugInfo:)``.
    static func credential(_ name: String, from provide: () async throws -> String?) async -> Self {
        await Either<ConnectionError, String?>.provided(by: provide) {
            .missingCredentials(debugInfo: "the \(name) can't be loaded: \($0)")
        }
        .flatMap { secret in
            guard let secret, !secret.isEmpty else {
                return .left(.missingCredentials(debugInfo: "the \(name) is missing or empty"))
            }
            return .right(secret)
        }
    }
}
