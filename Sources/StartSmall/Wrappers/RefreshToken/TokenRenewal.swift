import Synchronization

/// Where a new token comes from, and who waits for it: obeys ``RefreshState``.
struct TokenRenewal: Sendable {
    /// A token, and how many refreshes had ended when it was loaded.
    struct Issued: Sendable {
        var token: AccessToken
        var after: Int

        /// Whether a refresh has given it just now.
        var isNew = false
    }

    /// A token that the store did not take, and the one that it had instead.
    private struct Unsaved: Sendable {
        var token: AccessToken
        var stored: AccessToken
    }

    typealias Ticket = Promised<Either<RefreshFailure, Issued>>

    /// What a call is to do that has loaded a token.
    enum Verdict {
        case send
        case reload
        case wait(Ticket, RefreshState.Verdict)
        case fail(RefreshFailure)
    }

    private struct State: Sendable {
        var rules: RefreshState
        var waiting: [Ticket] = []
        var unsaved: Unsaved?
    }

    /// Those for which this task refreshes, and how many refreshes had ended before.
    ///
    /// Its calls pass by them as long as the refresh goes on, and can't wait for themselves. A task that outlives the
    /// refresh is one like any other.
    @TaskLocal private static var refreshing: [UInt64: Int] = [:]

    private let id = UInt64.random(in: .min ... .max)
    private let time: @Sendable () -> Duration
    private let saveInStore: @Sendable (AccessToken) async throws -> Void
    private let refresh: @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    private let change: @Sendable ((inout State) -> Void) -> Void

    init(
        rules: RefreshState,
        time: @escaping @Sendable () -> Duration,
        save: @escaping @Sendable (AccessToken) async throws -> Void,
        refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        (self.time, self.saveInStore, self.refresh) = (time, save, refresh)
        let state = Mutex(State(rules: rules))
        change = { body in state.withLock { body(&$0) } }
    }

    /// Whether this task is the one that refreshes, as long as that goes on.
    var isOfThisTask: Bool {
        Self.refreshing[id].map { $0 == ended } ?? false
    }

    /// How many refreshes have ended.
    var ended: Int {
        var ended = 0
        change { ended = $0.rules.ended }
        return ended
    }

    /// Whether a refresh has given a token since this one was loaded.
    func hasRenewed(since issued: Issued) -> Bool {
        var renewed = 0
        change { renewed = $0.rules.renewed }
        return renewed > issued.after
    }

    /// The token that the store did not take; nil if by now it has another than it had then, which is then the app's choice.
    func unsaved(insteadOf stored: AccessToken) -> AccessToken? {
        var unsaved: Unsaved?
        change { unsaved = $0.unsaved }
        return unsaved?.stored == stored ? unsaved?.token : nil
    }

    /// What the rules say, with a ticket for who is to wait.
    func ask(_ question: RefreshState.Question) -> Verdict {
        // Only a refresh counts time, and no clock is asked under the lock.
        let time = question.isStale ? time() : .zero
        var verdict = Verdict.reload
        change { state in
            func ticket() -> Ticket {
                let ticket = Ticket()
                state.waiting.append(ticket)
                return ticket
            }
            verdict =
                switch state.rules.verdict(on: question, at: time) {
                case .send: .send
                case .reload: .reload
                case .wait: .wait(ticket(), .wait)
                case .refresh: .wait(ticket(), .refresh)
                case .save: .wait(ticket(), .save)
                case .fail(let failure): .fail(failure)
                }
        }
        return verdict
    }

    /// Does what a call was told that is the first to wait: has this token saved, or another one instead of it.
    func begin(_ verdict: RefreshState.Verdict, with token: AccessToken, over stored: AccessToken) {
        begin { await verdict == .save ? save(token) : renew(token, over: stored) }
    }

    /// Works in a task of its own, which nobody cancels, and which is not bound to the time of the call that began it.
    private func begin(_ work: @escaping @Sendable () async -> Either<RefreshFailure, AccessToken>) {
        let number = ended
        Task {
            let token = await Self.$refreshing.withValue(
                Self.refreshing.merging([id: number]) { $1 },
                operation: work
            )
            var waiting: [Ticket] = []
            var (ended, isNew) = (0, false)
            change { state in
                state.rules.end(token.left)
                (ended, isNew) = (state.rules.ended, state.rules.renewed == state.rules.ended)
                waiting = state.waiting
                state.waiting = []
            }
            let issued = token.map { Issued(token: $0, after: ended, isNew: isNew) }
            for ticket in waiting { ticket.keep(issued) }
        }
    }

    /// A new token, saved; if the store does not take it, it is remembered here, since the old one may be used up.
    private func renew(_ token: AccessToken, over stored: AccessToken) async -> Either<RefreshFailure, AccessToken> {
        let refreshed = await refresh(token)
        guard case .right(let token) = refreshed else { return refreshed }
        do {
            try await saveInStore(token)
            change { $0.unsaved = nil }
            return refreshed
        } catch {
            change { $0.unsaved = Unsaved(token: token, stored: stored) }
            return .left(.storeFailed(error))
        }
    }

    /// The same token, saved if the store takes it by now; that it did not was the error of the calls before.
    private func save(_ token: AccessToken) async -> Either<RefreshFailure, AccessToken> {
        if (try? await saveInStore(token)) != nil { change { $0.unsaved = nil } }
        return .right(token)
    }
}

extension RefreshFailure {
    /// What a store threw, without credentials.
    static func storeFailed(_ error: any Error) -> RefreshFailure {
        .storeFailed(debugInfo: Redaction.standard.shown(text: "\(error)"))
    }
}
