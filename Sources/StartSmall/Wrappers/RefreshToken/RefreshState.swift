/// The refreshes of one token store: decides which call refreshes, which calls wait, and which token is valid.
///
/// The state machine is pure: `RefreshCoordinator` performs the work. The end of each refresh begins a new
/// generation: a token that was loaded in an earlier generation may be outdated.
struct RefreshState: Hashable, Sendable {
    /// A refresh, or another attempt to save the token of an earlier one.
    struct Work: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case refresh
            case save
        }

        var kind: Kind

        /// The token to refresh, or to save.
        var token: AccessToken

        /// The token in the store when the work began; the new token replaces only this one.
        var stored: AccessToken

        /// Returns a token from the server with the identity of the replaced token; nil if it has another identity.
        ///
        /// A token without an identity may get one, for example when a new version of an app introduces identities.
        func accepting(_ new: AccessToken) -> AccessToken? {
            guard let identity = token.identity else { return new }
            var new = new
            new.identity = new.identity ?? identity
            return new.identity == identity ? new : nil
        }
    }

    /// The result of a refresh or of an attempt to save.
    enum Ending: Hashable, Sendable {
        /// A new token was saved to the store.
        case renewed(AccessToken)

        /// A new token was received, but the store could not save it.
        case unsaved(AccessToken, RefreshFailure)

        /// The app changed the store meanwhile, by a login or a logout; the stored token stays.
        case superseded

        /// No new token was received.
        case failed(RefreshFailure)

        /// The call that was to begin the work was cancelled before that; no request was sent.
        case abandoned

        /// The store has saved the token of an earlier refresh.
        case saved

        /// The store could not save the token of an earlier refresh this time either.
        case stillUnsaved
    }

    /// The facts that a call knows after it has loaded a token.
    struct LoadedToken: Hashable, Sendable {
        /// The token to send: the stored one, or one that the store could not save.
        var token: AccessToken

        /// The token in the store.
        var stored: AccessToken

        /// Whether the token is rejected or about to expire.
        var isStale: Bool

        /// The generation in which loading began.
        var loadedGeneration: Int

        /// The generation in which the rejected token was loaded; nil if no token was rejected.
        var sentGeneration: Int?
    }

    /// The next step of a call that has loaded a token.
    enum Decision: Hashable, Sendable {
        /// Sends the token.
        case send

        /// Loads again, since a refresh ended meanwhile.
        case reload

        /// Waits for the running work.
        case wait

        /// Begins this work, and waits for it.
        case begin(Work)

        /// Ends the call with this failure.
        case fail(RefreshFailure)
    }

    /// The number of ended refreshes and attempts to save.
    private(set) var generation = 0

    /// The running work; nil if there is none.
    private(set) var work: Work?

    private var unsaved: Unsaved?
    private var lastFailure: Failure?
    private var lastRenewal: Renewal?

    /// A token that the store could not save, and the token that the store has instead.
    private struct Unsaved: Hashable, Sendable {
        var token: AccessToken
        var stored: AccessToken
    }

    /// A failed refresh, and the token that could not be refreshed.
    private struct Failure: Hashable, Sendable {
        var failure: RefreshFailure
        var token: AccessToken
    }

    /// A refreshed token, and the generation that it began.
    private struct Renewal: Hashable, Sendable {
        var token: AccessToken
        var generation: Int
    }

    /// Returns the token to use if the store has this one: the unsaved token, unless the store was changed since.
    func token(insteadOf stored: AccessToken) -> AccessToken {
        guard let unsaved, unsaved.stored.isSameGrant(as: stored) else { return stored }
        return unsaved.token
    }

    /// Returns whether a refresh has returned this very token since that generation.
    func hasRenewed(_ token: AccessToken, since generation: Int) -> Bool {
        lastRenewal.map { $0.token.value == token.value && $0.generation > generation } ?? false
    }

    /// Returns the decision for a loaded token, at a time on a clock with any origin.
    mutating func decision(on loaded: LoadedToken, _ window: inout RefreshWindow, at time: Duration) -> Decision {
        if loaded.loadedGeneration != generation { return .reload }
        let isUnsaved = !loaded.token.isSameGrant(as: loaded.stored)
        if let work {
            // A token of another login does not belong to this refresh, and its calls do not wait.
            let isOther = loaded.token.value != work.token.value
            return isOther && !loaded.isStale && !isUnsaved ? .send : .wait
        }
        guard loaded.isStale else {
            return isUnsaved ? begin(.save, loaded) : .send
        }
        // A call that was sent before a refresh failed shares its failure; a later call tries a new refresh.
        if let lastFailure, lastFailure.token.value == loaded.token.value, let sentGeneration = loaded.sentGeneration,
            sentGeneration < generation
        {
            return .fail(lastFailure.failure)
        }
        guard window.admitsRefresh(at: time) else {
            // No server has rejected the token yet, and its expiry may be wrong: the server decides.
            if loaded.sentGeneration == nil, !loaded.token.isNone { return .send }
            return .fail(.tooOften(limit: window.limit, within: window.length))
        }
        return begin(.refresh, loaded)
    }

    private mutating func begin(_ kind: Work.Kind, _ loaded: LoadedToken) -> Decision {
        let begun = Work(kind: kind, token: loaded.token, stored: loaded.stored)
        work = begun
        return .begin(begun)
    }

    /// Ends the running work.
    mutating func end(_ ending: Ending) {
        guard let work else { return }
        generation += 1
        self.work = nil
        lastFailure = nil
        switch ending {
        case .renewed(let token):
            lastRenewal = Renewal(token: token, generation: generation)
            unsaved = nil
        case .unsaved(let token, let failure):
            unsaved = Unsaved(token: token, stored: work.stored)
            lastFailure = Failure(failure: failure, token: work.token)
        case .failed(let failure): lastFailure = Failure(failure: failure, token: work.token)
        case .superseded, .saved: unsaved = nil
        case .stillUnsaved, .abandoned: break
        }
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

extension AccessToken {
    /// Returns whether both tokens are the same grant of the server to the same identity.
    ///
    /// The expiry is not compared: a store may compute it at each load.
    func isSameGrant(as other: AccessToken) -> Bool {
        value == other.value && refreshToken == other.refreshToken && identity == other.identity
    }
}
