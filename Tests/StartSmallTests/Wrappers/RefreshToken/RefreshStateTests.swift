import Foundation
import Testing

@testable import StartSmall

struct RefreshStateTests {
    private static let token = AccessToken("a", refreshToken: "r")
    private let good = loadedToken()
    private let stale = loadedToken(isStale: true)
    private let rejected = loadedToken(isStale: true, sentGeneration: 0)
    private let failure = RefreshFailure.storeFailed(debugInfo: "x")
    private let window = RefreshWindow(limit: 5, length: .seconds(30))

    private static func loadedToken(
        _ token: AccessToken = token,
        stored: AccessToken? = nil,
        isStale: Bool = false,
        loadedGeneration: Int = 0,
        sentGeneration: Int? = nil
    ) -> RefreshState.LoadedToken {
        RefreshState.LoadedToken(
            token: token,
            stored: stored ?? token,
            isStale: isStale,
            loadedGeneration: loadedGeneration,
            sentGeneration: sentGeneration
        )
    }

    private func state(_ loadedTokens: RefreshState.LoadedToken...) -> RefreshState {
        var (state, window) = (RefreshState(), window)
        for loaded in loadedTokens { _ = state.decision(on: loaded, &window, at: .zero) }
        return state
    }

    private func decision(
        _ loaded: RefreshState.LoadedToken,
        in state: RefreshState,
        _ window: RefreshWindow? = nil,
        at time: Duration = .zero
    ) -> RefreshState.Decision {
        var (state, window) = (state, window ?? self.window)
        return state.decision(on: loaded, &window, at: time)
    }

    private func work(_ kind: RefreshState.Work.Kind, _ token: AccessToken = token) -> RefreshState.Work {
        RefreshState.Work(kind: kind, token: token, stored: token)
    }

    @Test("a good token is sent, and a stale one is refreshed")
    func idle() {
        #expect(decision(good, in: state()) == .send)
        #expect(decision(stale, in: state()) == .begin(work(.refresh)))
        #expect(decision(rejected, in: state()) == .begin(work(.refresh)))
    }

    @Test("during a refresh, calls with the token that is being refreshed wait, in any state")
    func refreshing() {
        for loaded in [good, stale, rejected] {
            #expect(decision(loaded, in: state(stale)) == .wait)
        }
    }

    @Test("during a refresh, another token is sent if it is good, and otherwise waits")
    func other() {
        let other = AccessToken("b")
        #expect(decision(Self.loadedToken(other), in: state(stale)) == .send)
        #expect(decision(Self.loadedToken(other, isStale: true), in: state(stale)) == .wait)
        #expect(decision(Self.loadedToken(other, stored: AccessToken("c")), in: state(stale)) == .wait)
    }

    private static let endings: [RefreshState.Ending] = [
        .renewed(token), .unsaved(token, .identityChanged), .superseded, .abandoned, .failed(.identityChanged), .saved,
        .stillUnsaved,
    ]

    @Test("a call that loaded its token before a refresh ended loads it again, for each ending", arguments: endings)
    func reload(_ ending: RefreshState.Ending) {
        var state = state(stale)
        state.end(ending)
        for loaded in [good, stale, rejected] { #expect(decision(loaded, in: state) == .reload) }
    }

    @Test("a call that was sent before a refresh failed fails with that refresh, and a later one refreshes again")
    func late() {
        var state = state(stale)
        state.end(.failed(failure))
        func loadedToken(isStale: Bool = true, sentGeneration: Int?) -> RefreshState.LoadedToken {
            Self.loadedToken(isStale: isStale, loadedGeneration: 1, sentGeneration: sentGeneration)
        }
        #expect(decision(loadedToken(sentGeneration: 0), in: state) == .fail(failure))
        #expect(decision(loadedToken(sentGeneration: 1), in: state) == .begin(work(.refresh)))
        #expect(decision(loadedToken(sentGeneration: nil), in: state) == .begin(work(.refresh)))
        #expect(decision(loadedToken(isStale: false, sentGeneration: 0), in: state) == .send)
    }

    @Test("a failure for one token does not affect another")
    func failureOfAnother() {
        var state = state(stale)
        state.end(.failed(failure))
        let other = AccessToken("b")
        let loaded = Self.loadedToken(other, isStale: true, loadedGeneration: 1, sentGeneration: 0)
        #expect(decision(loaded, in: state) == .begin(work(.refresh, other)))
    }

    @Test("a failure no longer counts when a later refresh succeeds")
    func forgotten() {
        var (state, window) = (state(stale), window)
        state.end(.failed(failure))
        _ = state.decision(on: Self.loadedToken(isStale: true, loadedGeneration: 1), &window, at: .zero)
        state.end(.renewed(Self.token))
        let loaded = Self.loadedToken(isStale: true, loadedGeneration: 2, sentGeneration: 0)
        #expect(decision(loaded, in: state) == .begin(work(.refresh)))
    }

    @Test("a sixth refresh within the window is refused, and one after the window is not")
    func tooOften() {
        var (state, window) = (RefreshState(), window)
        for second in 0..<5 {
            let loaded = Self.loadedToken(isStale: true, loadedGeneration: second)
            let decision = state.decision(on: loaded, &window, at: .seconds(second))
            #expect(decision == .begin(work(.refresh)))
            state.end(.renewed(Self.token))
        }
        let sixth = Self.loadedToken(isStale: true, loadedGeneration: 5, sentGeneration: 5)
        let (before, after) = (Duration.milliseconds(29_999), Duration.seconds(30))
        #expect(decision(sixth, in: state, window, at: before) == .fail(.tooOften(limit: 5, within: .seconds(30))))
        #expect(decision(sixth, in: state, window, at: after) == .begin(work(.refresh)))
        let unsent = Self.loadedToken(isStale: true, loadedGeneration: 5)
        #expect(decision(unsent, in: state, window, at: before) == .send)
        #expect(decision(unsent, in: state, window, at: after) == .begin(work(.refresh)))
    }

    @Test("with a limit of 0 or less there is no refresh, and a token is sent unless rejected", arguments: [0, -1])
    func none(_ limit: Int) {
        let window = RefreshWindow(limit: limit, length: .seconds(30))
        #expect(decision(rejected, in: state(), window) == .fail(.tooOften(limit: limit, within: .seconds(30))))
        #expect(decision(stale, in: state(), window) == .send)
    }

    @Test("an unsaved token is saved, unless it is stale; its calls wait for that, which does not count as a refresh")
    func unsaved() {
        let stored = AccessToken("old")
        let unsaved = Self.loadedToken(stored: stored)
        let saving = RefreshState.Work(kind: .save, token: Self.token, stored: stored)
        #expect(decision(unsaved, in: state()) == .begin(saving))
        let staleToo = Self.loadedToken(stored: stored, isStale: true)
        #expect(decision(staleToo, in: state()) == .begin(.init(kind: .refresh, token: Self.token, stored: stored)))
        for loaded in [good, stale, unsaved] { #expect(decision(loaded, in: state(unsaved)) == .wait) }
        #expect(decision(unsaved, in: state(), RefreshWindow(limit: 0, length: .zero)) == .begin(saving))
    }

    @Test("an unsaved token is used as long as the token in the store stays the same")
    func insteadOf() {
        var state = state(stale)
        let new = AccessToken("new")
        state.end(.unsaved(new, failure))
        #expect(state.token(insteadOf: Self.token) == new)
        var sameLater = Self.token
        sameLater.expires = .distantFuture
        #expect(state.token(insteadOf: sameLater) == new)
        #expect(state.token(insteadOf: AccessToken("b")) == AccessToken("b"))
    }

    @Test("a new token takes over the identity of the old one, and one of another identity is not accepted")
    func identities() {
        let work = work(.refresh, AccessToken("a", identity: "A"))
        #expect(work.accepting(AccessToken("b")) == AccessToken("b", identity: "A"))
        #expect(work.accepting(AccessToken("b", identity: "A")) == AccessToken("b", identity: "A"))
        #expect(work.accepting(AccessToken("b", identity: "B")) == nil)
        let unnamed = self.work(.refresh, AccessToken("a"))
        #expect(unnamed.accepting(AccessToken("b", identity: "B")) == AccessToken("b", identity: "B"))
    }
}
