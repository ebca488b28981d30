import Foundation

/// Sends calls with a token, by performing the steps of ``TokenCall``.
struct TokenAuthenticator: Sendable {
    private let store: TokenStore
    private let policy: RefreshPolicy
    private let time: @Sendable () -> Duration
    private let now: @Sendable () -> Date
    private let refresh: @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    private let window: Locked<RefreshWindow>

    init(
        store: TokenStore,
        policy: RefreshPolicy,
        time: @escaping @Sendable () -> Duration,
        now: @escaping @Sendable () -> Date,
        refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        (self.store, self.policy, self.time, self.now, self.refresh) = (store, policy, time, now, refresh)
        window = Locked(RefreshWindow(limit: policy.limit, length: policy.window))
    }

    /// Makes a call, and repeats it once if its token is rejected and there is another token for the same identity.
    func call(_ input: Input, _ next: Next) async -> Output {
        if store.coordinator.isRefreshingInThisTask || !policy.isForToken(input) { return await next(input) }
        var call = TokenCall()
        var (step, ticket) = (TokenCall.Step.load, RefreshCoordinator.Ticket?.none)
        var output = Output.noResponse(.cancelled)
        var (rejection, hasWaited) = (Response?.none, false)
        while true {
            if next.context.isCancelled { return abandon(step) }
            switch step {
            case .load:
                do { (step, ticket) = try await load(&call) } catch {
                    if error is CancellationError { return .noResponse(.cancelled) }
                    step = .fail(.storeFailed(error))
                }
            case .wait, .begin:
                let work: RefreshState.Work? = if case .begin(let work) = step { work } else { nil }
                if work?.kind != .save {
                    next.report(.refreshing(after: rejection, isFirst: work != nil))
                    hasWaited = true
                }
                // A listener may have cancelled the call.
                if next.context.isCancelled { return abandon(step) }
                if let work { store.coordinator.begin(work, in: store, refresh) }
                guard let ended = await ticket?.value() else { return .noResponse(.cancelled) }
                step = call.waited(ended.work, ended.generation, endedAs: ended.ending)
            case .send(let token):
                if call.isRejected || hasWaited { next.report(.refreshed) }
                hasWaited = false
                switch policy.attach(token, input) {
                case .left(let error): return .noResponse(error)
                case .right(let signed): output = await next(signed)
                }
                guard let response = output.response, policy.isRejection(response), !response.isOfAnotherOrigin
                else { return output }
                rejection = response
                step = call.rejected()
            case .sendWithoutToken: return await next(input)
            case .finish: return output
            case .fail(let failure): return .noResponse(.refreshFailed(failure, after: rejection))
            }
        }
    }

    /// Returns the output of a cancelled call, and leaves the work that the call had to begin to other calls.
    private func abandon(_ step: TokenCall.Step) -> Output {
        if case .begin(let work) = step { store.coordinator.end(work, .abandoned) }
        return .noResponse(.cancelled)
    }

    /// Loads the token, and decides the next step.
    private func load(_ call: inout TokenCall) async throws -> (TokenCall.Step, RefreshCoordinator.Ticket?) {
        call.beginLoading(in: store.coordinator.generation)
        guard let stored = try await store.load() else { return (call.loadedNothing(), nil) }
        let token = store.coordinator.token(insteadOf: stored)
        var loaded = TokenCall.Loaded(stored: stored, token: token)
        loaded.isExpiring = policy.expiresSoon(token, now: now())
        // Only a refresh needs the time, and no clock is read under a lock.
        if loaded.isExpiring || call.isRejected { loaded.time = time() }
        var copy = call
        let decided = store.coordinator.decide { state in
            var step = TokenCall.Step.load
            window.withLock { window in step = copy.loaded(loaded, &state, &window) }
            return step
        }
        call = copy
        return decided
    }
}

extension Response {
    /// Whether a redirect led to another origin, where ``Wrapper/redirect(_:)`` drops the token.
    fileprivate var isOfAnotherOrigin: Bool {
        redirections.contains { Origin($0.from) != Origin($0.to) }
    }
}
