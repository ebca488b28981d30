import StartSmallCore

/// The refreshes of one token store: decides which call refreshes, which calls wait, and which token is sent.
///
/// The state machine is pure: ``TokenAuthenticator`` performs its steps. The end of each refresh begins a new
/// generation: a token that was loaded in an earlier generation may be outdated.
struct RefreshState: Hashable, Sendable {
    /// The next step of a call that has loaded a token.
    enum Step: Hashable, Sendable {
        /// Loads the token again, since a refresh ended meanwhile.
        case load

        /// Waits for the running refresh, and loads the token again.
        case wait

        /// Begins a refresh of this token, waits for it, and loads the token again.
        case refresh(AccessToken)

        /// Sends the request with this token; then ``TokenCall/rejected(by:)`` if the server rejects it, and the call
        /// was not sent before.
        case send(AccessToken)

        /// Sends the request as it is, since there is no token.
        case sendWithoutToken

        /// Ends the call with its rejection, since there is no token any more.
        case finish

        case fail(RefreshFailure)
    }

    enum Ending: Hashable, Sendable {
        /// A new token was saved to the store.
        case renewed(AccessToken)

        /// The app changed the store meanwhile, by a login or a logout; the stored token stays.
        case superseded

        /// No new token was received, or the store could not save it.
        case failed(RefreshFailure)
    }

    private struct Ended: Hashable, Sendable {
        var token: AccessToken
        var ending: Ending
    }

    private(set) var generation = 0

    /// The token that is being refreshed; nil while no refresh runs.
    private(set) var running: AccessToken?

    /// The last refresh that has ended, which began this generation.
    private var last: Ended?

    /// Returns the next step of a call.
    ///
    /// - Parameters:
    ///   - token: the token that the call has loaded; nil if there is none, before a login or after a logout, and
    ///     ``AccessToken/none`` to request a first one.
    ///   - isExpiring: whether the token is about to expire, or is none.
    ///   - time: the current time on a clock with any origin.
    mutating func step(
        of call: inout TokenCall,
        with token: AccessToken?,
        isExpiring: Bool = false,
        _ window: inout RefreshWindow,
        at time: Duration
    ) -> Step {
        guard var token else { return call.rejection == nil ? .sendWithoutToken : .finish }
        if call.loadedGeneration != generation { return .load }
        let ended = call.oldestGeneration < generation ? last : nil
        var (isRenewed, isExpiring) = (false, isExpiring)
        if let ended, case .renewed(let new) = ended.ending {
            // A store may return the saved token late; the one before may be used up, and its expiry is not the new one's.
            if token.isSameGrant(as: ended.token) { (token, isExpiring) = (new, isExpiring && new == ended.token) }
            isRenewed = new.value == token.value
        }
        if let owner = call.owner, owner.identity != token.identity {
            // A refresh may have added an identity to a token that had none.
            guard isRenewed, owner.identity == nil, ended?.token.identity == nil else { return .fail(.identityChanged) }
        }
        if !token.isNone { call.owner = token }
        // A refresh may have returned the rejected token, or one that expires at once.
        let isRejected = call.rejection != nil && call.sent?.value == token.value && !isRenewed
        let isStale = isRejected || isExpiring && !(isRenewed && call.hasWaited)
        // A call that began before a refresh failed shares its failure; a later call tries a new refresh.
        if isStale || call.hasWaited, ended?.token.value == token.value, case .failed(let failure)? = ended?.ending {
            return .fail(failure)
        }
        if let running {
            // A token of another login does not belong to this refresh, and its calls do not wait.
            return isStale || token.value == running.value ? call.wait() : call.send(token)
        }
        guard isStale else { return call.send(token) }
        guard window.admitsRefresh(at: time) else {
            // No server has rejected the token yet, and its expiry may be wrong: the server decides.
            if call.rejection == nil, !token.isNone { return call.send(token) }
            return .fail(.tooOften(limit: window.limit, within: window.length))
        }
        running = token
        _ = call.wait()
        return .refresh(token)
    }

    mutating func end(_ ending: Ending) {
        guard let running else { return }
        last = Ended(token: running, ending: ending)
        self.running = nil
        generation += 1
    }
}

/// The facts about one call that decide its next step; see ``RefreshState``.
///
/// A call belongs to the identity of the first token that it loads, and is never sent with another identity.
struct TokenCall: Hashable, Sendable {
    /// The last loaded token, which has the identity of the call; nil before the call has loaded one.
    fileprivate var owner: AccessToken?
    fileprivate var sent: AccessToken?

    /// The generation in which the sent token was loaded, or in which the call began if it was not sent yet.
    fileprivate var oldestGeneration = 0
    fileprivate var loadedGeneration = 0

    /// The response that rejected the token; nil if none has yet.
    private(set) var rejection: Response?

    /// Whether the call has waited for a refresh since its last request.
    private(set) var hasWaited = false

    init(in generation: Int = 0) {
        oldestGeneration = generation
    }

    mutating func load(in generation: Int) {
        loadedGeneration = generation
    }

    /// Records that a response rejects the token.
    ///
    /// A call is sent only twice: a second rejection is its output.
    mutating func rejected(by response: Response) {
        (rejection, hasWaited) = (response, false)
    }

    fileprivate mutating func wait() -> RefreshState.Step {
        hasWaited = true
        return .wait
    }

    fileprivate mutating func send(_ token: AccessToken) -> RefreshState.Step {
        (sent, oldestGeneration) = (token, loadedGeneration)
        return .send(token)
    }
}

/// The refreshes of one wrapped connector within a sliding window.
struct RefreshWindow: Hashable, Sendable {
    let limit: Int
    let length: Duration
    private var beginnings: [Duration] = []

    init(limit: Int, length: Duration) {
        (self.limit, self.length) = (limit, length)
    }

    /// Counts a refresh that begins now; returns false if the maximum number has begun already.
    mutating func admitsRefresh(at time: Duration) -> Bool {
        beginnings.removeAll { time - $0 >= length }
        guard beginnings.count < limit else { return false }
        beginnings.append(time)
        return true
    }
}
