import Testing

@testable import StartSmall

struct RefreshStateTests {
    private let good = RefreshState.Question(isStale: false, loadedAfter: 0, sentAfter: nil)
    private let stale = RefreshState.Question(isStale: true, loadedAfter: 0, sentAfter: nil)
    private let rejected = RefreshState.Question(isStale: true, loadedAfter: 0, sentAfter: 0)
    private let failure = RefreshFailure.storeFailed(debugInfo: "x")

    private func state(_ questions: RefreshState.Question...) -> RefreshState {
        var state = RefreshState(limit: 5, window: .seconds(30))
        for question in questions { _ = state.verdict(on: question, at: .zero) }
        return state
    }

    private func verdict(
        _ question: RefreshState.Question,
        in state: RefreshState,
        at time: Duration = .zero
    ) -> RefreshState.Verdict {
        var state = state
        return state.verdict(on: question, at: time)
    }

    @Test("a good token is sent, and a stale one refreshed")
    func idle() {
        #expect(verdict(good, in: state()) == .send)
        #expect(verdict(stale, in: state()) == .refresh)
        #expect(verdict(rejected, in: state()) == .refresh)
    }

    @Test("during a refresh everybody waits, whatever their token is like")
    func refreshing() {
        for question in [good, stale, rejected] {
            #expect(verdict(question, in: state(stale)) == .wait)
        }
    }

    @Test("who loaded before a refresh ended loads again, whether it went well or not")
    func reload() {
        for ending in [nil, failure] {
            var state = state(stale)
            state.end(ending)
            for question in [good, stale, rejected] { #expect(verdict(question, in: state) == .reload) }
        }
    }

    @Test("who was on the way when a refresh failed fails with it, and who comes later tries again")
    func late() {
        var state = state(stale)
        state.end(failure)
        #expect(verdict(.init(isStale: true, loadedAfter: 1, sentAfter: 0), in: state) == .fail(failure))
        #expect(verdict(.init(isStale: true, loadedAfter: 1, sentAfter: 1), in: state) == .refresh)
        #expect(verdict(.init(isStale: true, loadedAfter: 1, sentAfter: nil), in: state) == .refresh)
        #expect(verdict(.init(isStale: false, loadedAfter: 1, sentAfter: 0), in: state) == .send)
    }

    @Test("a failure is forgotten when a later refresh goes well")
    func forgotten() {
        var state = state(stale)
        state.end(failure)
        _ = state.verdict(on: .init(isStale: true, loadedAfter: 1, sentAfter: nil), at: .zero)
        state.end(nil)
        #expect(verdict(.init(isStale: true, loadedAfter: 2, sentAfter: 0), in: state) == .refresh)
    }

    @Test("a sixth refresh within the window is refused, and one after it is not")
    func window() {
        var state = state()
        for second in 0..<5 {
            let question = RefreshState.Question(isStale: true, loadedAfter: second, sentAfter: nil)
            let verdict = state.verdict(on: question, at: .seconds(second))
            #expect(verdict == .refresh)
            state.end(nil)
        }
        let sixth = RefreshState.Question(isStale: true, loadedAfter: 5, sentAfter: 5)
        #expect(
            verdict(sixth, in: state, at: .milliseconds(29_999)) == .fail(.tooOften(limit: 5, within: .seconds(30)))
        )
        #expect(verdict(sixth, in: state, at: .seconds(30)) == .refresh)
        let unsent = RefreshState.Question(isStale: true, loadedAfter: 5, sentAfter: nil)
        #expect(verdict(unsent, in: state, at: .milliseconds(29_999)) == .send)
        #expect(verdict(unsent, in: state, at: .seconds(30)) == .refresh)
    }

    @Test("with a limit of 0 or less there is no refresh, and what is not rejected is sent", arguments: [0, -1])
    func none(_ limit: Int) {
        let state = RefreshState(limit: limit, window: .seconds(30))
        #expect(verdict(rejected, in: state) == .fail(.tooOften(limit: limit, within: .seconds(30))))
        #expect(verdict(stale, in: state) == .send)
    }

    @Test("a token that is not saved is saved, unless it is stale, and everybody waits for that, but it is no refresh")
    func unsaved() {
        let unsaved = RefreshState.Question(isStale: false, loadedAfter: 0, sentAfter: nil, isUnsaved: true)
        #expect(verdict(unsaved, in: state()) == .save)
        #expect(verdict(.init(isStale: true, loadedAfter: 0, isUnsaved: true), in: state()) == .refresh)
        for question in [good, stale, unsaved] { #expect(verdict(question, in: state(unsaved)) == .wait) }
        var never = RefreshState(limit: 0, window: .seconds(30))
        let verdict = never.verdict(on: unsaved, at: .zero)
        #expect(verdict == .save)
    }
}
