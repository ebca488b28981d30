import Foundation

/// Sends calls with a token: the parts that all calls of a wrapped connector share; see ``AuthenticatedCall``.
struct TokenAuthenticator: Sendable {
    let store: TokenStore
    let policy: RefreshPolicy
    let time: @Sendable () -> Duration
    let now: @Sendable () -> Date

    /// Whether a token is requested while the store has none.
    let requestsFirst: Bool
    let refresh: @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    let window: Locked<RefreshWindow>

    init(
        store: TokenStore,
        policy: RefreshPolicy,
        time: @escaping @Sendable () -> Duration,
        now: @escaping @Sendable () -> Date,
        requestsFirst: Bool,
        refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        (self.store, self.policy, self.time, self.now, self.refresh) = (store, policy, time, now, refresh)
        self.requestsFirst = requestsFirst
        window = Locked(RefreshWindow(limit: policy.limit, length: policy.window))
    }

    /// Makes a call with a token, unless the call is part of a refresh or the token is not for its server.
    func call(_ input: Input, _ next: Next) async -> Output {
        if store.coordinator.isRefreshingInThisTask || !policy.isForToken(input) { return await next(input) }
        if next.context.isDryRun { return await dryRun(input, next) }
        return await AuthenticatedCall(self, input, next).run()
    }

    /// Continues a dry run with the stored token, even if a call would refresh it before.
    private func dryRun(_ input: Input, _ next: Next) async -> Output {
        do {
            guard let stored = try await store.load() else { return await next(input) }
            return await next(policy.attach(store.coordinator.token(insteadOf: stored), input))
        } catch is CancellationError {
            return .noResponse(.cancelled)
        } catch {
            return .noResponse(.refreshFailed(.storeFailed(error), after: nil))
        }
    }
}
