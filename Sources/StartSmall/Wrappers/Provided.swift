import Foundation

extension Either where Left == ConnectionError {
    /// What a function of the app's gives while a call waits for it.
    ///
    /// What the function throws ends the call: a ``ConnectionError`` as it is, anything else as `failure` says. If the
    /// call is cancelled meanwhile, it ends so too, and nothing is sent.
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
    /// Wrapper that sends these credentials, or ends the call with why there are none; to any origin if `home` is nil.
    func wrapper(onlyFor home: URL?) -> Wrapper {
        Wrapper { input, next in await next(await input.authorized(onlyFor: home) { self }) }
    }
}

extension Next {
    /// Calls it, unless there is nothing to call it with.
    func callAsFunction(_ input: Either<ConnectionError, Input>) async -> Output {
        switch input {
        case .left(let error): .noResponse(error)
        case .right(let input): await self(input)
        }
    }
}

extension Either where Left == ConnectionError, Right == String {
    /// A secret that a function of the app's gives; none, or an empty one, is ``ConnectionError/missingCredentials(debugInfo:)``.
    static func credential(_ name: String, from provide: () async throws -> String?) async -> Self {
        await Either<ConnectionError, String?>.provided(by: provide) {
            .missingCredentials(debugInfo: "no \(name): \($0)")
        }
        .flatMap { secret in
            guard let secret, !secret.isEmpty else {
                return .left(.missingCredentials(debugInfo: "there is no \(name) to send"))
            }
            return .right(secret)
        }
    }
}
