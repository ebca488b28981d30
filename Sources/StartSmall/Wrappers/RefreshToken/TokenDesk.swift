import Foundation

/// Where calls come for a token, and are sent with it.
struct TokenDesk: Sendable {
    /// A call with its token.
    private struct Signed: Sendable {
        var input: Input
        var issued: TokenRenewal.Issued
    }

    /// What the server said to a call with a token.
    private struct Rejection: Sendable {
        var issued: TokenRenewal.Issued
        var response: Response
    }

    private let store: TokenStore
    private let policy: RefreshPolicy
    private let now: @Sendable () -> Date
    private let renewal: TokenRenewal

    init(
        store: TokenStore,
        policy: RefreshPolicy,
        time: @escaping @Sendable () -> Duration,
        now: @escaping @Sendable () -> Date,
        refresh: @escaping @Sendable (AccessToken) async -> Either<RefreshFailure, AccessToken>
    ) {
        (self.store, self.policy, self.now) = (store, policy, now)
        let rules = RefreshState(limit: policy.limit, window: policy.window)
        renewal = TokenRenewal(rules: rules, time: time, save: store.save, refresh: refresh)
    }

    /// A call, and once more if its token is rejected and there is another.
    func call(_ input: Input, _ next: Next) async -> Output {
        if renewal.isOfThisTask || !policy.isForToken(input) { return await next(input) }
        let signed: Signed
        switch await sign(input, after: nil, next.report) {
        case .left(let error): return .noResponse(error)
        case .right(nil): return await next(input)
        case .right(let first?): signed = first
        }
        let output = await next(signed.input)
        guard let response = output.answer, policy.isRejection(response) else { return output }
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
            let ended = renewal.ended
            let loaded: AccessToken?
            do { loaded = try await store.load() } catch { return failed(.storeFailed(error)) }
            guard let stored = loaded else { return .right(nil) }
            let unsaved = renewal.unsaved(insteadOf: stored)
            let token = unsaved ?? stored
            // The same token is not rejected yet if a refresh has given it again since it was sent.
            let isRejected = rejection.map { rejection in
                token.value == rejection.issued.token.value && !renewal.hasRenewed(since: rejection.issued)
            }
            let question = RefreshState.Question(
                isStale: isRejected == true || policy.expiresSoon(token, now: now()),
                loadedAfter: ended,
                sentAfter: rejection?.issued.after,
                isUnsaved: unsaved != nil
            )
            switch renewal.ask(question) {
            case .send:
                if rejection != nil { report(.refreshed) }
                return signed(input, with: TokenRenewal.Issued(token: token, after: ended))
            case .reload: continue
            case .fail(let failure): return failed(failure)
            case .wait(let ticket, let verdict):
                if verdict != .save { report(.refreshing(after: rejection?.response, isFirst: verdict == .refresh)) }
                if verdict != .wait { renewal.begin(verdict, with: token, over: stored) }
                switch await ticket.value() {
                case nil: return .left(.cancelled)
                case .left(let failure)?: return failed(failure)
                // Who waited while this very token was saved, and needs another, has to ask again.
                case .right(let issued)? where !issued.isNew && question.isStale && issued.token == token: continue
                case .right(let issued)?:
                    if verdict != .save || rejection != nil { report(.refreshed) }
                    return signed(input, with: issued)
                }
            }
        }
    }

    private func signed(_ input: Input, with issued: TokenRenewal.Issued) -> Either<ConnectionError, Signed?> {
        policy.attach(issued.token, input).map { Signed(input: $0, issued: issued) }
    }
}
