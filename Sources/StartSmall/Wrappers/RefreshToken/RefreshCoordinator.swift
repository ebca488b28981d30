/// The running refresh of one token store, shared by all connectors that use the store.
///
/// It executes the decisions of ``RefreshState``.
struct RefreshCoordinator: Sendable {
    /// A refresh that has ended.
    struct Ended: Sendable {
        var work: RefreshState.Work
        var generation: Int
        var ending: RefreshState.Ending
    }

    typealias Ticket = Promise<Ended>

    private struct State: Sendable {
        var rules = RefreshState()
        var waiting: [Ticket] = []
    }

    /// The stores for which this task refreshes, and the generation of each in which the refresh began.
    ///
    /// The calls of a refresh are sent without a token while the refresh runs; otherwise they would wait for
    /// themselves. A task that outlives the refresh is treated like any other task.
    @TaskLocal private static var refreshing: [UInt64: Int] = [:]

    private let id = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    /// Whether this task is the one that refreshes, while the refresh runs.
    var isRefreshingInThisTask: Bool {
        Self.refreshing[id].map { $0 == generation } ?? false
    }

    /// The refreshes that this task is a part of: equal for tasks whose requests get the same tokens.
    static var refreshesInThisTask: [UInt64: Int] { refreshing }

    /// The number of ended refreshes and attempts to save.
    var generation: Int {
        state.withLock { $0.rules.generation }
    }

    /// Returns the token to use if the store contains this one.
    func token(insteadOf stored: AccessToken) -> AccessToken {
        state.withLock { $0.rules.token(insteadOf: stored) }
    }

    /// Decides the next step of a call; returns a ticket if the call has to wait.
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

    /// Works in its own task, which no call cancels and no time limit of a call ends.
    ///
    /// - Parameters:
    ///   - work: the work to begin, as decided for a call.
    ///   - store: the store to save the new token in.
    ///   - refresh: requests a new token from the server.
    func begin(
        _ work: RefreshState.Work,
        in store: TokenStore,
        _ refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        let generation = generation
        Task {
            let ending = await Self.$refreshing.withValue(Self.refreshing.merging([id: generation]) { $1 }) {
                await Self.ending(of: work, in: store, refresh)
            }
            end(work, ending)
        }
    }

    /// Ends work that a call began or had to begin, and resumes all calls that wait for the work.
    func end(_ work: RefreshState.Work, _ ending: RefreshState.Ending) {
        let (generation, waiting) = state.withLock { state in
            state.rules.end(ending)
            defer { state.waiting = [] }
            return (state.rules.generation, state.waiting)
        }
        for ticket in waiting { ticket.fulfill(Ended(work: work, generation: generation, ending: ending)) }
    }

    /// Performs the work, and returns its ending.
    ///
    /// ``RefreshState`` keeps a new token that can't be saved, since the old one may be used up.
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
    /// Returns the failure for an error of a store, with credentials redacted.
    static func storeFailed(_ error: any Error) -> RefreshFailure {
        .storeFailed(debugInfo: Redaction.standard.shown(text: "\(error)"))
    }
}
