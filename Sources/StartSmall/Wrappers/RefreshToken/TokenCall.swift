/// One call that is sent with a token, as a state machine that decides the next step.
///
/// The state machine is pure: `AuthenticatedCall` performs the steps. A call belongs to the identity of the first
/// token that it loads, and is never sent with another identity.
struct TokenCall: Hashable, Sendable {
    /// The next step of the call.
    enum Step: Hashable, Sendable {
        /// Loads the token from the store; then ``loaded(_:_:_:)`` or ``loadedNothing()``.
        case load

        /// Sends the request with this token; then ``rejected()`` if the server rejects it.
        case send(AccessToken)

        /// Sends the request as it is, since there is no token.
        case sendWithoutToken

        /// Waits for the running refresh; then ``waited(_:_:endedAs:)``.
        case wait

        /// Begins a refresh, and waits for it.
        case begin(RefreshState.Work)

        /// Returns the output of the last request.
        case finish

        /// Returns this failure.
        case fail(RefreshFailure)
    }

    /// The result of loading a token.
    struct Loaded: Hashable, Sendable {
        /// The token in the store.
        var stored: AccessToken

        /// The token to use: the stored one, or one that the store could not save.
        var token: AccessToken

        /// Whether the token is about to expire.
        var isExpiring = false

        /// The time on a clock with any origin; only a refresh uses it.
        var time = Duration.zero
    }

    private struct Sent: Hashable, Sendable {
        var token: AccessToken
        var generation: Int
    }

    private struct Waiting: Hashable, Sendable {
        var token: AccessToken
        var isStale: Bool
    }

    /// The first token, whose identity is that of the call.
    private var first: AccessToken?

    /// The token that was last sent, and the generation of the refreshes in which it was loaded.
    private var sent: Sent?

    /// The token with which the call waits, and whether that token is stale.
    private var waiting: Waiting?

    /// The generation in which loading began.
    private var loadedGeneration = 0

    /// Whether the server has rejected the token that was sent.
    private(set) var isRejected = false

    /// Records the generation in which the token is loaded.
    mutating func beginLoading(in generation: Int) {
        loadedGeneration = generation
    }

    /// Returns the next step if the store has no token, before a login or after a logout.
    func loadedNothing() -> Step {
        isRejected ? .finish : .sendWithoutToken
    }

    /// Returns the next step with a loaded token.
    mutating func loaded(_ loaded: Loaded, _ state: inout RefreshState, _ window: inout RefreshWindow) -> Step {
        let token = loaded.token
        if let first, !first.isNone, first.identity != token.identity { return .fail(.identityChanged) }
        let isStillRejected = sent.map { sent in
            // The token is not rejected yet if a refresh has returned the same token again since it was sent.
            isRejected && token.value == sent.token.value && !state.hasRenewed(token, since: sent.generation)
        }
        let loadedToken = RefreshState.LoadedToken(
            token: token,
            stored: loaded.stored,
            isStale: isStillRejected == true || loaded.isExpiring,
            loadedGeneration: loadedGeneration,
            sentGeneration: isRejected ? sent?.generation : nil
        )
        let decision = state.decision(on: loadedToken, &window, at: loaded.time)
        if decision != .reload, first?.isNone != false { first = token }
        switch decision {
        case .send: return send(token, in: loadedGeneration)
        case .reload: return .load
        case .fail(let failure): return .fail(failure)
        case .wait:
            waiting = Waiting(token: token, isStale: loadedToken.isStale)
            return .wait
        case .begin(let work):
            waiting = Waiting(token: token, isStale: loadedToken.isStale)
            return .begin(work)
        }
    }

    /// Returns the next step after the server rejected the token: another token, once.
    mutating func rejected() -> Step {
        defer { isRejected = true }
        return isRejected ? .finish : .load
    }

    /// Returns the next step after the work for which the call waited has ended and begun this generation.
    mutating func waited(_ work: RefreshState.Work, _ generation: Int, endedAs ending: RefreshState.Ending) -> Step {
        // The outcome for another token does not matter: the call requests its own.
        guard let waiting, waiting.token.value == work.token.value else { return .load }
        switch ending {
        case .failed(let failure), .unsaved(_, let failure): return .fail(failure)
        case .superseded, .abandoned: return .load
        case .renewed(let token):
            // The refresh accepted this token as the replacement of the call's own token, and may have added an
            // identity.
            first = token
            return send(token, in: generation)
        // A call that needs another token than the saved one decides again.
        case .saved, .stillUnsaved: return waiting.isStale ? .load : send(work.token, in: generation)
        }
    }

    private mutating func send(_ token: AccessToken, in generation: Int) -> Step {
        sent = Sent(token: token, generation: generation)
        return .send(token)
    }
}
