import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// Sends calls with a token: performs the steps of ``RefreshState`` for all calls of a wrapped connector.
struct TokenAuthenticator: Sendable {
    let store: TokenStore
    let policy: RefreshPolicy
    let time: @Sendable () -> Duration
    let now: @Sendable () -> Date

    let tokens: StoredTokens
    let connector: Connector
    let window: Locked<RefreshWindow>

    /// Makes a call with a token, and repeats it once if its token is rejected and there is another one for the same
    /// identity.
    ///
    /// A call that is part of a refresh, or whose server gets no token, is sent unchanged.
    func call(_ input: Input, _ next: Next, _ owners: TokenOwners) async -> Output {
        if store.refresh.isOfThisTask || !policy.isForToken(input) { return await next(input) }
        var call = TokenCall(in: store.refresh.generation)
        var output = Output.noResponse(.cancelled)
        // A listener of the last step may have cancelled the call.
        while !next.context.isCancelled {
            switch await step(of: &call, input, next, owners) {
            case nil: return .noResponse(.cancelled)
            case .load, .wait, .refresh: continue
            case .fail(let failure): return .noResponse(.refreshFailed(failure, after: call.rejection))
            case .finish: return output
            case .sendWithoutToken: return await next(input)
            case .send(let token):
                if call.rejection != nil || call.hasWaited { next.report(Refreshed()) }
                output = await next(policy.attach(token, input))
                guard call.rejection == nil, let response = output.response, policy.isRejection(response),
                    !response.isOfAnotherOrigin, input.methodAndPayload.payload?.isAvailable ?? true
                else { return output }
                // The connection and the permit of the request are free during a refresh, and no event keeps a body.
                call.rejected(by: output.discard().response ?? response)
            }
        }
        return .noResponse(.cancelled)
    }

    /// Loads the token, performs the next step unless it sends the request or ends the call, and returns the step; nil
    /// if the call is cancelled.
    // Not inlined: after each `await` inside of a loop, there is a copy of the machine code of the whole loop.
    @inline(never)
    private func step(
        of call: inout TokenCall,
        _ input: Input,
        _ next: Next,
        _ owners: TokenOwners
    ) async -> RefreshState.Step? {
        call.load(in: store.refresh.generation)
        var token: AccessToken?
        do {
            token = try await store.load()
        } catch is CancellationError {
            return nil
        } catch {
            return .fail(.storeFailed(error))
        }
        if call.rejection == nil, !owners.admit(token?.identity, in: store) { return .fail(.identityChanged) }
        // A dry run has the stored token, even if a call would refresh it before.
        if next.context.isDryRun {
            return token.map { tokens.has($0) ? .send($0) : .fail(.otherSource) } ?? .sendWithoutToken
        }
        if tokens.requestsFirst, call.rejection == nil { token = token ?? AccessToken.none }
        var isExpiring = false
        if let token {
            isExpiring = tokens.mustReplace(token, expiresSoon: policy.expiresSoon(token, now: now()))
            let mustReplace = isExpiring || call.rejection != nil
            let failure = tokens.failure(of: token, mustReplace: mustReplace, spent: store.refresh.spent)
            if let failure { return .fail(failure) }
        }
        // Only a refresh needs the time, and no clock is read under a lock.
        let time = isExpiring || call.rejection != nil ? time() : .zero
        let (step, end) = store.refresh.decide { state in
            window.withLock { state.step(of: &call, with: token, isExpiring: isExpiring, &$0, at: time) }
        }
        // The refresh of another wrapper may have given it.
        if case .send(let token) = step, !tokens.has(token) { return .fail(.otherSource) }
        if case .refresh(let token) = step {
            store.refresh.begin(of: token, in: store) { token in await refreshed(token, for: input) }
        }
        guard let end else { return step }
        next.report(Refreshing(after: call.rejection, isFirst: step != .wait))
        return await end.value().map { step }
    }
}

extension TokenAuthenticator {
    private func refreshed(_ token: AccessToken, for input: Input) async -> Either<RefreshFailure, AccessToken> {
        // The refresh of another wrapper may have given it.
        if let failure = tokens.failure(of: token, mustReplace: true, spent: nil) { return .left(failure) }
        let refreshed = await tokens.refresh(token, connector)
        if let spent = refreshed.left.flatMap({ tokens.spent(token, after: $0) }) { store.refresh.spent = spent }
        // A token that can't be sent replaces no other one.
        return refreshed.flatMap { new in policy.attach(new, input).map { _ in new }.mapLeft(RefreshFailure.noResponse)
        }
    }
}

/// The identity of one call for each store, which all of its attempts share.
final class TokenOwners: CallValue {
    private let owners = Locked<[UInt64: String]>([:])

    /// Returns whether a token, or none, is of the call's identity, which is that of its first token that has one.
    func admit(_ identity: String?, in store: TokenStore) -> Bool {
        owners.withLock { owners in
            let owner = owners[store.refresh.id] ?? identity
            owners[store.refresh.id] = owner
            return owner == identity
        }
    }
}

extension Response {
    /// Whether a redirect led to another origin, where ``Wrapper/redirect(_:)`` drops the token.
    var isOfAnotherOrigin: Bool {
        redirections.contains { Origin($0.from) != Origin($0.to) }
    }
}

/// The running refresh of one token store, shared by all connectors that use the store.
struct SharedRefresh: Sendable {
    private struct State: Sendable {
        var rules = RefreshState()
        var waiting: [Promise<Void>] = []
        var spent: SpentToken?

        /// A token that the store could not save, and the one that it replaces, which may be used up.
        var unsaved: (old: AccessToken, new: AccessToken)?
    }

    let id = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    /// Whether this task is the one that refreshes, while the refresh runs.
    var isOfThisTask: Bool {
        CallIsolation.marks[id].map { $0 == generation } ?? false
    }

    var generation: Int {
        state.withLock { $0.rules.generation }
    }

    /// Forgets what was known about the token before, since the app has saved another one, or none.
    func forget() { state.withLock { ($0.spent, $0.unsaved) = (nil, nil) } }

    /// The last token that only a sign-in can replace.
    var spent: SpentToken? {
        get { state.withLock(\.spent) }
        nonmutating set { state.withLock { $0.spent = newValue } }
    }

    /// Decides the next step of a call; returns the end of the refresh as well if the call has to wait for it.
    func decide(_ step: (inout RefreshState) -> RefreshState.Step) -> (RefreshState.Step, end: Promise<Void>?) {
        state.withLock { state in
            let step = step(&state.rules)
            switch step {
            case .wait, .refresh:
                let end = Promise<Void>()
                state.waiting.append(end)
                return (step, end)
            case .load, .send, .sendWithoutToken, .finish, .fail: return (step, nil)
            }
        }
    }

    /// Refreshes in its own task, which no call cancels and no time limit of a call ends.
    func begin(
        of token: AccessToken,
        in store: TokenStore,
        _ refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        let generation = generation
        Task {
            let running = CallIsolation.marks.merging([id: generation]) { $1 }
            let ending = await CallIsolation.$marks.withValue(running) {
                await self.ending(of: token, in: store, refresh)
            }
            let waiting = state.withLock { state in
                state.rules.end(ending)
                defer { state.waiting = [] }
                return state.waiting
            }
            for end in waiting { end.fulfill(()) }
        }
    }

    /// Refreshes a token while no other process does, unless another one has done so meanwhile.
    private func ending(
        of token: AccessToken,
        in store: TokenStore,
        _ refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) async -> RefreshState.Ending {
        guard let exclusively = store.exclusively else { return await refreshed(token, in: store, refresh) }
        let ending = Locked<RefreshState.Ending?>(nil)
        var failure = RefreshFailure.storeFailed(debugInfo: "exclusively did not run the refresh")
        do {
            try await exclusively {
                let own: RefreshState.Ending
                do {
                    let isCurrent = AccessToken.isSame(try await store.load(), token)
                    own = isCurrent ? await refreshed(token, in: store, refresh) : .superseded
                } catch {
                    own = .failed(.storeFailed(error))
                }
                ending.withLock { $0 = own }
            }
        } catch {
            failure = .storeFailed(error)
        }
        return ending.withLock(\.self) ?? .failed(failure)
    }

    private func refreshed(
        _ token: AccessToken,
        in store: TokenStore,
        _ refresh: (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) async -> RefreshState.Ending {
        let unsaved = state.withLock { $0.unsaved.flatMap { $0.old.isSameGrant(as: token) ? $0.new : nil } }
        let refreshed =
            if let unsaved { Either<RefreshFailure, AccessToken>.right(unsaved) } else { await refresh(token) }
        switch refreshed {
        case .left(let failure): return .failed(failure)
        case .right(let new):
            guard let new = new.replacing(token) else { return .failed(.identityChanged) }
            let old = token.isNone ? nil : token
            do {
                let isSaved = try await store.replace(old, new)
                state.withLock { $0.unsaved = nil }
                return isSaved ? .renewed(new) : .superseded
            } catch {
                // Another first token costs a request, and this one could be of a user who has left.
                if !token.isNone { state.withLock { $0.unsaved = (token, new) } }
                return .failed(.storeFailed(error))
            }
        }
    }
}

extension RefreshFailure {
    /// Returns the failure for an error of a store, with credentials redacted.
    fileprivate static func storeFailed(_ error: any Error) -> RefreshFailure {
        .storeFailed(debugInfo: Redaction.standard.shown(text: "\(error)"))
    }
}
