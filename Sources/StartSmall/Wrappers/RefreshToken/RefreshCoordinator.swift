/// The running refresh of one token store, shared by all connectors that use it: obeys ``RefreshState``.
struct RefreshCoordinator: Sendable {
    /// A refresh that has ended.
    struct Ended: Sendable {
        var work: RefreshState.Work
        var number: Int
        var ending: RefreshState.Ending
    }

    typealias Ticket = Promise<Ended>

    private struct State: Sendable {
        var rules = RefreshState()
        var waiting: [Ticket] = []
    }

    /// The stores for which this task refreshes, and how many refreshes of each had ended before.
    ///
    /// The calls of a refresh are sent without a token as long as the refresh runs, and can't wait for themselves. A task
    /// that outlives the refresh is one like any other.
    @TaskLocal private static var refreshing: [UInt64: Int] = [:]

    private let id = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    /// Whether this task is the one that refreshes, as long as that goes on.
    var isOfThisTask: Bool {
        Self.refreshing[id].map { $0 == ended } ?? false
    }

    /// The number of ended refreshes.
    var ended: Int {
        state.withLock { $0.rules.ended }
    }

    /// The token to use where the store has this one.
    func token(insteadOf stored: AccessToken) -> AccessToken {
        state.withLock { $0.rules.token(insteadOf: stored) }
    }

    /// Decides the next step of a call; with a ticket if it is to wait.
    func decide(_ step: (inout RefreshState) -> TokenCall.Step) -> (TokenCall.Step, Ticket?) {
        var decided: (TokenCall.Step, Ticket?) = (.load, nil)
        state.withLock { state in
            decided.0 = step(&state.rules)
            switch decided.0 {
            case .wait, .begin:
                let ticket = Ticket()
                state.waiting.append(ticket)
                decided.1 = ticket
            case .load, .send, .sendWithoutToken, .finish, .fail: break
            }
        }
        return decided
    }

    /// Works in a task of its own, which no call cancels and no time limit of a call ends.
    ///
    /// - Parameters:
    ///   - work: the work that a call was told to begin.
    ///   - store: the store to save the new token in.
    ///   - refresh: asks the server for a new token.
    func begin(
        _ work: RefreshState.Work,
        in store: TokenStore,
        _ refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        let number = ended
        Task {
            let ending = await Self.$refreshing.withValue(Self.refreshing.merging([id: number]) { $1 }) {
                await Self.ending(of: work, in: store, refresh)
            }
            end(work, ending)
        }
    }

    /// Ends work that a call was told to begin, and tells all that wait for it.
    func end(_ work: RefreshState.Work, _ ending: RefreshState.Ending) {
        let (ended, waiting) = state.withLock { state in
            state.rules.end(ending)
            defer { state.waiting = [] }
            return (state.rules.ended, state.waiting)
        }
        for ticket in waiting { ticket.fulfill(Ended(work: work, number: ended, ending: ending)) }
    }

    /// Does the work.
    ///
    /// A new token that can't be saved is kept by ``RefreshState``, since the old one may be used up.
    private static func ending(
        of work: RefreshState.Work,
        in store: TokenStore,
        _ refresh: (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) async -> RefreshState.Ending {
        switch work.kind {
        case .save:
            // The first failure to save was the error of the calls that waited then.
            do { return try await store.replace(work.stored, work.token) ? .saved : .superseded } catch {
                return .stillUnsaved
            }
        case .refresh:
            let token: AccessToken
            switch await refresh(work.token) {
            case .left(let failure): return .failed(failure)
            case .right(let new):
                guard let accepted = work.accepting(new) else { return .failed(.identityChanged) }
                token = accepted
            }
            do { return try await store.replace(work.stored, token) ? .renewed(token) : .superseded } catch {
                return .unsaved(token, .storeFailed(error))
            }
        }
    }
}

extension RefreshFailure {
    /// What a store threw, without credentials.
    static func storeFailed(_ error: any Error) -> RefreshFailure {
        .storeFailed(debugInfo: Redaction.standard.shown(text: "\(error)"))
    }
}
