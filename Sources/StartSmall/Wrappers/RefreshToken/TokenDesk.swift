import Foundation
import Synchronization

/// Where calls come for a token: obeys ``RefreshState``, and remembers who waits.
struct TokenDesk: Sendable {
    /// A token, and how many refreshes had ended when it was loaded.
    private struct Issued: Sendable {
        var token: AccessToken
        var after: Int
    }

    /// A call with its token.
    private struct Signed: Sendable {
        var input: Input
        var issued: Issued
    }

    /// What the server said to a call with a token.
    private struct Rejection: Sendable {
        var issued: Issued
        var response: Response
    }

    /// A token that the store did not take, and the one that it had instead.
    private struct Unsaved: Sendable {
        var token: AccessToken
        var stored: AccessToken
    }

    private typealias Ticket = Promised<Either<RefreshFailure, Issued>>

    private enum Verdict {
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

    /// The desks for which this task refreshes, and how many refreshes had ended before.
    ///
    /// Its calls pass by them as long as the refresh goes on, and can't wait for themselves. A task that outlives the
    /// refresh is one like any other.
    @TaskLocal private static var refreshing: [UInt64: Int] = [:]

    private let id = UInt64.random(in: .min ... .max)
    private let store: TokenStore
    private let policy: RefreshPolicy
    private let now: @Sendable () -> Date
    private let time: @Sendable () -> Duration
    private let refresh: @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    private let change: @Sendable ((inout State) -> Void) -> Void

    init(
        store: TokenStore,
        policy: RefreshPolicy,
        now: @escaping @Sendable () -> Date,
        time: @escaping @Sendable () -> Duration,
        refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        (self.store, self.policy, self.now, self.time, self.refresh) = (store, policy, now, time, refresh)
        let state = Mutex(State(rules: RefreshState(limit: policy.limit, window: policy.window)))
        change = { body in state.withLock { body(&$0) } }
    }

    /// A call, and once more if its token is rejected and there is another.
    func call(_ input: Input, _ next: Next) async -> Output {
        if Self.refreshing[id] == ended || !policy.isForToken(input) { return await next(input) }
        let signed: Signed
        switch await sign(input, after: nil, next.report) {
        case .left(let error): return .noResponse(error)
        case .right(nil): return await next(input)
        case .right(let first?): signed = first
        }
        let output = await next(signed.input)
        guard case .hasResponse(let response) = output, policy.isRejection(response) else { return output }
        switch await sign(input, after: Rejection(issued: signed.issued, response: response), next.report) {
        case .left(let error): return .noResponse(error)
        case .right(nil): return output
        case .right(let second?): return await next(second.input)
        }
    }

    /// The input with a token that is good as far as anybody knows; nil if it is to go without.
    private func sign(
        _ input: Input,
        after rejection: Rejection?,
        _ report: Report
    ) async -> Either<ConnectionError, Signed?> {
        func failed(_ failure: RefreshFailure) -> Either<ConnectionError, Signed?> {
            .left(.refreshFailed(failure, after: rejection?.response))
        }
        while true {
            let ended = ended
            let loaded: AccessToken?
            do { loaded = try await store.load() } catch { return failed(.storeFailed(error)) }
            guard let stored = loaded else { return .right(nil) }
            let unsaved = unsaved(insteadOf: stored)
            let token = unsaved ?? stored
            let isRejected = token.value == rejection?.issued.token.value
            let question = RefreshState.Question(
                isStale: isRejected || policy.expiresSoon(token, now: now()),
                loadedAfter: ended,
                sentAfter: rejection?.issued.after,
                isUnsaved: unsaved != nil
            )
            switch ask(question) {
            case .send:
                if rejection != nil { report(.refreshed) }
                return signed(input, with: Issued(token: token, after: ended))
            case .reload: continue
            case .fail(let failure): return failed(failure)
            case .wait(let ticket, let verdict):
                if verdict != .save { report(.refreshing(after: rejection?.response, isFirst: verdict == .refresh)) }
                if verdict != .wait { begin { await verdict == .save ? save(token) : renew(token, over: stored) } }
                switch await ticket.value() {
                case nil: return .left(.cancelled)
                case .left(let failure)?: return failed(failure)
                // Who waited while this very token was saved, and needs another, has to ask again.
                case .right(let issued)? where verdict == .wait && question.isStale && issued.token == token: continue
                case .right(let issued)?:
                    if verdict != .save || rejection != nil { report(.refreshed) }
                    return signed(input, with: issued)
                }
            }
        }
    }

    private func signed(_ input: Input, with issued: Issued) -> Either<ConnectionError, Signed?> {
        policy.attach(issued.token, input).map { Signed(input: $0, issued: issued) }
    }

    /// The token that the store did not take; nil if by now it has another than it had then, which is then the app's choice.
    private func unsaved(insteadOf stored: AccessToken) -> AccessToken? {
        var unsaved: Unsaved?
        change { unsaved = $0.unsaved }
        return unsaved?.stored == stored ? unsaved?.token : nil
    }

    private var ended: Int {
        var ended = 0
        change { ended = $0.rules.ended }
        return ended
    }

    /// What the rules say, with a ticket for who is to wait.
    private func ask(_ question: RefreshState.Question) -> Verdict {
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

    /// Works in a task of its own, which nobody cancels, and which is not bound to the time of the call that began it.
    private func begin(_ work: @escaping @Sendable () async -> Either<RefreshFailure, AccessToken>) {
        let number = ended
        Task {
            let token = await TimeLeft.$current.withValue(nil) {
                await Self.$refreshing.withValue(Self.refreshing.merging([id: number]) { $1 }, operation: work)
            }
            var waiting: [Ticket] = []
            var ended = 0
            change { state in
                state.rules.end(token.left)
                ended = state.rules.ended
                waiting = state.waiting
                state.waiting = []
            }
            let issued = token.map { Issued(token: $0, after: ended) }
            for ticket in waiting { ticket.keep(issued) }
        }
    }

    /// A new token, saved; if the store does not take it, it is remembered here, since the old one may be used up.
    private func renew(_ token: AccessToken, over stored: AccessToken) async -> Either<RefreshFailure, AccessToken> {
        let refreshed = await refresh(token)
        guard case .right(let token) = refreshed else { return refreshed }
        do {
            try await store.save(token)
            change { $0.unsaved = nil }
            return refreshed
        } catch {
            change { $0.unsaved = Unsaved(token: token, stored: stored) }
            return .left(.storeFailed(error))
        }
    }

    /// The same token, saved if the store takes it by now; that it did not was the error of the calls before.
    private func save(_ token: AccessToken) async -> Either<RefreshFailure, AccessToken> {
        if (try? await store.save(token)) != nil { change { $0.unsaved = nil } }
        return .right(token)
    }
}

extension RefreshFailure {
    fileprivate static func storeFailed(_ error: any Error) -> RefreshFailure {
        .storeFailed(debugInfo: Redaction.standard.shown(text: "\(error)"))
    }
}
