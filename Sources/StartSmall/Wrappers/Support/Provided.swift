import Foundation

extension Either where Left == ConnectionError {
    /// Calls a function of the app, and returns its value or the error that ends the call.
    ///
    /// An error that the function throws ends the call: a ``ConnectionError`` unchanged, any other error as `failure`
    /// converts it. If the call is cancelled meanwhile, it ends with ``ConnectionError/cancelled``, and no request is
    /// sent.
    ///
    /// - Parameters:
    ///   - provide: the function of the app.
    ///   - failure: converts the description of another error, with credentials redacted.
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
    ///
    /// - Parameters:
    ///   - name: the name of the wrapper.
    ///   - scope: the requests that get the credentials.
    func wrapper(_ name: String, to scope: CredentialScope) -> Wrapper {
        Wrapper(scope.name(of: name)) { input, next in
            await next(await input.authorized(in: scope) { self })
        }
    }
}

extension CredentialScope {
    /// Returns the name of a wrapper with this scope: `bearer` for every origin, or `bearer(to:)` for one.
    func name(of wrapper: String) -> String {
        if case .origin = self { "\(wrapper)(to:)" } else { wrapper }
    }
}

extension Next {
    /// Calls the inner connector with an input, or returns the error.
    func callAsFunction(_ input: Either<ConnectionError, Input>) async -> Output {
        switch input {
        case .left(let error): .noResponse(error)
        case .right(let input): await self(input)
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
