import Foundation
import Testing

import StartSmall
@testable import StartSmallAuth

struct RefreshStateTests {
    private let old = AccessToken("a", refreshToken: "r")
    private let new = AccessToken("b", refreshToken: "s")
    private let failure = RefreshFailure.storeFailed(debugInfo: "x")

    /// The refreshes of a store, seen from one connector.
    private struct Machine {
        var state = RefreshState()
        var window = RefreshWindow(limit: 5, length: .seconds(30))

        var call: TokenCall { TokenCall(in: state.generation) }

        /// Returns the next step of a call that loads this token now.
        mutating func step(
            _ call: inout TokenCall,
            _ token: AccessToken?,
            isExpiring: Bool = false,
            at time: Duration = .zero
        ) -> RefreshState.Step {
            call.load(in: state.generation)
            return state.step(of: &call, with: token, isExpiring: isExpiring, &window, at: time)
        }

        /// Returns the next step of a new call.
        mutating func step(
            _ token: AccessToken?,
            isExpiring: Bool = false,
            at time: Duration = .zero
        ) -> RefreshState.Step {
            var call = call
            return step(&call, token, isExpiring: isExpiring, at: time)
        }

        /// Returns a call that was sent with this token, which the server rejected.
        mutating func rejected(_ token: AccessToken) -> TokenCall {
            var call = call
            _ = step(&call, token)
            call.rejected(by: Response(statusCode: .unauthorized))
            return call
        }
    }

    /// A machine whose refresh of the old token runs, and the call that began the refresh.
    private func refreshing() -> (Machine, TokenCall) {
        var machine = Machine()
        var call = machine.rejected(old)
        #expect(machine.step(&call, old) == .refresh(old))
        return (machine, call)
    }

    @Test("a good token is sent, and one that is rejected or about to expire is refreshed")
    func idle() {
        var machine = Machine()
        #expect(machine.step(old) == .send(old))
        #expect(machine.step(old, isExpiring: true) == .refresh(old))
        _ = refreshing()
    }

    @Test("without a token a call is sent as it is, or ends with its rejection, even during a refresh")
    func noToken() {
        var (machine, call) = refreshing()
        #expect(machine.step(nil) == .sendWithoutToken)
        #expect(machine.step(&call, nil) == .finish)
    }

    @Test("a rejected call is sent with another token without a refresh, such as that of another process")
    func older() {
        var machine = Machine()
        var call = machine.rejected(old)
        #expect(machine.step(&call, new) == .send(new))
    }

    @Test("during a refresh, calls with the token that is being refreshed wait, in any state")
    func waiting() {
        var machine = Machine()
        var late = machine.rejected(old)
        #expect(machine.step(old, isExpiring: true) == .refresh(old))
        #expect(machine.step(old) == .wait)
        #expect(machine.step(old, isExpiring: true) == .wait)
        #expect(machine.step(&late, old) == .wait)
    }

    @Test("during a refresh, another token is sent if it is good, and otherwise waits")
    func other() {
        var (machine, _) = refreshing()
        #expect(machine.step(new) == .send(new))
        #expect(machine.step(new, isExpiring: true) == .wait)
    }

    @Test("a call that loaded its token before a refresh ended loads it again, for each ending")
    func reload() {
        for ending in [RefreshState.Ending.renewed(new), .superseded, .failed(failure)] {
            var (machine, first) = refreshing()
            var other = machine.call
            other.load(in: machine.state.generation)
            machine.state.end(ending)
            for call in [first, other] {
                var call = call
                #expect(machine.state.step(of: &call, with: old, &machine.window, at: .zero) == .load)
            }
        }
    }

    @Test("all calls that began before a refresh ended get its token or its failure; a later call refreshes again")
    func shared() {
        var machine = Machine()
        var late = machine.rejected(old)
        var (first, waiting) = (machine.call, machine.call)
        #expect(machine.step(&first, old, isExpiring: true) == .refresh(old))
        #expect(machine.step(&waiting, old) == .wait)
        var renewed = machine
        renewed.state.end(.renewed(new))
        machine.state.end(.failed(failure))
        for call in [late, first, waiting] {
            var (one, other) = (call, call)
            #expect(machine.step(&one, old, isExpiring: call == first) == .fail(failure))
            #expect(renewed.step(&other, new) == .send(new))
        }
        #expect(machine.step(&late, new) == .send(new))
        #expect(machine.step(old) == .send(old))
        #expect(machine.step(old, isExpiring: true) == .refresh(old))
        machine.state.end(.renewed(old))
        #expect(machine.step(&first, old) == .send(old))
    }

    @Test("a failure for one token does not affect another")
    func failureOfAnother() {
        var (machine, _) = refreshing()
        var call = machine.rejected(new)
        machine.state.end(.failed(failure))
        #expect(machine.step(&call, new) == .refresh(new))
    }

    @Test("a refresh that returns the same token again is the answer for calls that began before it, once")
    func same() {
        var (machine, first) = refreshing()
        var waiting = machine.call
        #expect(machine.step(&waiting, old, isExpiring: true) == .wait)
        machine.state.end(.renewed(old))
        #expect(machine.step(&first, old) == .send(old))
        #expect(machine.step(&waiting, old, isExpiring: true) == .send(old))
        waiting.rejected(by: Response(statusCode: .unauthorized))
        #expect(machine.step(&waiting, old) == .refresh(old))
    }

    @Test("a store that still returns the old token after a refresh does not cause another one")
    func lateStore() {
        var (machine, first) = refreshing()
        var (waiting, slow) = (machine.call, machine.call)
        #expect(machine.step(&waiting, old, isExpiring: true) == .wait)
        machine.state.end(.renewed(new))
        #expect(machine.step(&first, old) == .send(new))
        #expect(machine.step(&waiting, old, isExpiring: true) == .send(new))
        #expect(machine.step(&slow, old, isExpiring: true) == .send(new))
    }

    @Test("a call that is rejected long after a refresh has its token refreshed again if that has expired meanwhile")
    func expiredMeanwhile() {
        var (machine, _) = refreshing()
        var slow = machine.rejected(AccessToken("0"))
        machine.state.end(.renewed(new))
        #expect(machine.step(&slow, new, isExpiring: true) == .refresh(new))
    }

    @Test("a sixth refresh within the window is refused, and one after the window is not")
    func tooOften() {
        var machine = Machine()
        for second in 0..<5 {
            #expect(machine.step(old, isExpiring: true, at: .seconds(second)) == .refresh(old))
            machine.state.end(.renewed(old))
        }
        var call = machine.rejected(old)
        let (before, after) = (Duration.milliseconds(29_999), Duration.seconds(30))
        // The expiry may be wrong: the server decides.
        #expect(machine.step(old, isExpiring: true, at: before) == .send(old))
        #expect(machine.step(&call, old, at: before) == .fail(.tooOften(limit: 5, within: .seconds(30))))
        #expect(machine.step(.some(.none), isExpiring: true) == .fail(.tooOften(limit: 5, within: .seconds(30))))
        #expect(machine.step(&call, old, at: after) == .refresh(old))
    }

    @Test("with a limit of 0 or less there is no refresh, and a token is sent unless rejected", arguments: [0, -1])
    func none(_ limit: Int) {
        var machine = Machine(window: RefreshWindow(limit: limit, length: .seconds(30)))
        var call = machine.rejected(old)
        #expect(machine.step(&call, old) == .fail(.tooOften(limit: limit, within: .seconds(30))))
        #expect(machine.step(old, isExpiring: true) == .send(old))
    }

    @Test("a call is never sent with another identity, unless a refresh has added one to its token")
    func identities() {
        let (a, b) = (AccessToken("a", identity: "A"), AccessToken("b", identity: "B"))
        for (first, refreshed, then) in [(a, a, b), (a, b, b), (old, a, b), (b, old, old)] {
            var machine = Machine()
            var call = machine.rejected(first)
            _ = machine.step(refreshed, isExpiring: true)
            machine.state.end(.renewed(then))
            #expect(machine.step(&call, then) == .fail(.identityChanged), "\(first) \(refreshed) \(then)")
        }
        var (machine, call) = refreshing()
        machine.state.end(.renewed(b))
        #expect(machine.step(&call, b) == .send(b))
    }

    @Test("a first token is requested once, and a login meanwhile has its own token sent")
    func first() {
        for ending in [RefreshState.Ending.renewed(new), .superseded] {
            var machine = Machine()
            var (first, second) = (machine.call, machine.call)
            #expect(machine.step(&first, .some(.none), isExpiring: true) == .refresh(.none))
            #expect(machine.step(&second, .some(.none), isExpiring: true) == .wait)
            machine.state.end(ending)
            #expect(machine.step(&first, new) == .send(new))
            #expect(machine.step(&second, new) == .send(new))
        }
    }

    @Test("a new token takes over the identity of the old one, and one of another identity is not accepted")
    func replacing() {
        let (named, unnamed) = (AccessToken("a", identity: "A"), AccessToken("b"))
        #expect(unnamed.replacing(named) == AccessToken("b", identity: "A"))
        #expect(AccessToken("b", identity: "A").replacing(named) == AccessToken("b", identity: "A"))
        #expect(AccessToken("b", identity: "B").replacing(named) == nil)
        #expect(named.replacing(unnamed) == named)
    }
}
