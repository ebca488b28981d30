import ParityTrait
import Testing

@testable import StartSmall

/// All interleavings of calls, a refresh, its saving, and the user's actions.
///
/// The steps are those of `AuthenticatedCall` and `RefreshCoordinator`, each as small as the locks there make it. All
/// states that any order leads to are visited once.
struct RefreshInterleavingTests {
    /// An action of the user, or of another process, on the store.
    fileprivate enum Act: Hashable, Sendable {
        case login
        case logout

        /// Another process refreshes the token of the same account, and saves it.
        case refreshElsewhere
    }

    /// The token of a login.
    fileprivate enum Login: Hashable, Sendable {
        case valid

        /// A token that the client knows to have expired.
        case expired

        /// A token that the server rejects.
        case rejected
    }

    fileprivate struct Scenario: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var calls = 2
        var acts: [Act] = []
        var login = Login.valid
        var hasIdentities = true

        /// Whether the client knows that the first token has expired, and refreshes before it sends.
        var isExpiring = false

        /// The number of times that the server fails to refresh, and the store to save, at any moment.
        var serverFailures = 0
        var storeFailures = 0

        /// The number of times that a call is cancelled that was to begin a refresh.
        var abandonments = 0

        static let all = [
            Scenario(testDescription: "nobody acts, three calls", calls: 3),
            Scenario(testDescription: "nobody acts, expired", isExpiring: true),
            Scenario(testDescription: "login", acts: [.login]),
            Scenario(
                testDescription: "login with an expired token",
                acts: [.login],
                login: .expired,
                serverFailures: 1
            ),
            Scenario(
                testDescription: "login with a rejected token",
                acts: [.login],
                login: .rejected,
                serverFailures: 1
            ),
            Scenario(testDescription: "login, expired", acts: [.login], isExpiring: true),
            Scenario(testDescription: "login, without identities", acts: [.login], hasIdentities: false),
            Scenario(testDescription: "logout", acts: [.logout]),
            Scenario(testDescription: "logout, expired", acts: [.logout], isExpiring: true),
            Scenario(testDescription: "logout and login", acts: [.logout, .login]),
            Scenario(testDescription: "both, without identities", acts: [.logout, .login], hasIdentities: false),
            Scenario(testDescription: "a refresh elsewhere", acts: [.refreshElsewhere]),
            Scenario(testDescription: "a refresh that fails", acts: [.login], serverFailures: 1),
            Scenario(testDescription: "cancelled refreshes", acts: [.login], abandonments: 2),
            Scenario(testDescription: "a store that fails, cancelled", storeFailures: 1, abandonments: 1),
            Scenario(testDescription: "a store that fails", acts: [.login], storeFailures: 2),
            Scenario(testDescription: "a store that fails, logout", acts: [.logout], storeFailures: 1),
        ]
    }

    @Test(
        "in every order, no account is mixed up, nothing is undone, and every call ends",
        arguments: Scenario.all.prefix(isExhaustive ? .max : 8)
    )
    private func orders(_ scenario: Scenario) {
        var (visited, open) = (Set<World>(), [World(scenario)])
        visited.insert(open[0])
        var ends = 0
        while let world = open.popLast() {
            let next = world.next()
            if next.isEmpty {
                ends += 1
                for rejectionReason in world.objectionsAtEnd(of: scenario) {
                    Issue.record("\(rejectionReason): \(world.trail)")
                }
            }
            for world in next {
                if let rejectionReason = world.rejectionReason {
                    Issue.record("\(rejectionReason): \(world.trail)")
                    return
                }
                if visited.insert(world).inserted { open.append(world) }
            }
        }
        #expect(ends > 0)
        #expect(visited.count > 100)
    }
}

/// A server, a store, a user and some calls.
private struct World: Hashable {
    enum Phase: Hashable {
        case start
        case loading
        case read(AccessToken?)
        case resolved(stored: AccessToken, token: AccessToken)
        case sending(AccessToken?)
        case waiting
        case ended(RefreshState.Work, Int, RefreshState.Ending)
        case done(Outcome)
    }

    enum Outcome: Hashable {
        case accepted
        case rejected
        case failed(RefreshFailure)
        case anonymous
    }

    struct Call: Hashable {
        var machine = TokenCall()
        var phase = Phase.start
        var identities: Set<String?> = []

        /// The account that was logged in when the call began; nil for nobody.
        var accountAtStart: String?
        var hasWaited = false
    }

    enum WorkPhase: Hashable {
        case asking(RefreshState.Work)
        case replacing(RefreshState.Work, AccessToken)
        case ending(RefreshState.Work, RefreshState.Ending)
    }

    var stored: AccessToken?
    var account: String? = "A"
    var validTokens: Set<String> = []
    var usedRefreshTokens: [String] = []
    var rules = RefreshState()
    var window = RefreshWindow(limit: 5, length: .seconds(30))
    var calls: [Call]
    var work: WorkPhase?
    var acts: [RefreshInterleavingTests.Act]
    var serverFailures: Int
    var storeFailures: Int
    var abandonments: Int
    var isExpiring: Bool
    var hasIdentities: Bool
    var login: RefreshInterleavingTests.Login
    var rejectionReason: String?

    /// The steps that led to this state. Equality ignores them.
    var trail: [String] = []

    static func == (left: World, right: World) -> Bool {
        left.parts == right.parts
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
    }

    private struct Parts: Hashable {
        var stored: AccessToken?
        var account: String?
        var validTokens: Set<String>
        var used: [String]
        var rules: RefreshState
        var calls: [Call]
        var work: WorkPhase?
        var acts: [RefreshInterleavingTests.Act]
        var failures: [Int]
    }

    private var parts: Parts {
        Parts(
            stored: stored,
            account: account,
            validTokens: validTokens,
            used: usedRefreshTokens,
            rules: rules,
            calls: calls,
            work: work,
            acts: acts,
            failures: [serverFailures, storeFailures, abandonments]
        )
    }

    init(_ scenario: RefreshInterleavingTests.Scenario) {
        calls = Array(repeating: Call(), count: scenario.calls)
        (acts, isExpiring, hasIdentities) = (scenario.acts, scenario.isExpiring, scenario.hasIdentities)
        (login, abandonments) = (scenario.login, scenario.abandonments)
        (serverFailures, storeFailures) = (scenario.serverFailures, scenario.storeFailures)
        stored = token("a0", "A")
    }

    private func token(_ value: String, _ identity: String) -> AccessToken {
        AccessToken(value, refreshToken: "r" + value, identity: hasIdentities ? identity : nil)
    }

    /// Returns all worlds after one more step of any actor.
    func next() -> [World] {
        var worlds: [World] = []
        func add(_ step: String, _ change: (inout World) -> Void) {
            var world = self
            world.trail.append(step)
            change(&world)
            worlds.append(world)
        }
        if let act = acts.first { add("act") { $0.perform(act) } }
        for index in calls.indices {
            switch calls[index].phase {
            case .waiting, .done: continue
            default: add("call \(index)") { $0.go(on: index) }
            }
        }
        switch work {
        case nil: break
        case .asking(let work)?:
            add("refreshed") { $0.refresh(work) }
            if abandonments > 0 {
                add("abandoned") {
                    $0.abandonments -= 1
                    $0.work = .ending(work, .abandoned)
                }
            }
            if serverFailures > 0 {
                add("refresh failed") {
                    $0.serverFailures -= 1
                    $0.work = .ending(work, .failed(.storeFailed(debugInfo: work.token.value)))
                }
            }
        case .replacing(let work, let token)?:
            add("replaced") { $0.replace(work, token) }
            if storeFailures > 0 {
                add("not saved") {
                    $0.storeFailures -= 1
                    let failure = RefreshFailure.storeFailed(debugInfo: work.token.value)
                    $0.work = .ending(work, work.kind == .save ? .stillUnsaved : .unsaved(token, failure))
                }
            }
        case .ending(let work, let ending)?: add("ended") { $0.end(work, ending) }
        }
        return worlds
    }

    private mutating func perform(_ act: RefreshInterleavingTests.Act) {
        acts.removeFirst()
        switch act {
        case .login:
            stored = token("b0", "B")
            account = "B"
            if login != .rejected { validTokens.insert("b0") }
        case .logout:
            stored = nil
            account = nil
        case .refreshElsewhere:
            stored = token("a9", "A")
            validTokens.insert("a9")
        }
    }

    // A call.

    private mutating func go(on index: Int) {
        switch calls[index].phase {
        case .start:
            calls[index].accountAtStart = account
            follow(.load, index)
        case .loading: calls[index].phase = .read(stored)
        case .read(nil): follow(calls[index].machine.loadedNothing(), index)
        case .read(let stored?):
            calls[index].phase = .resolved(stored: stored, token: rules.token(insteadOf: stored))
        case .resolved(let stored, let token):
            let isExpiring = isExpiring && token.value == "a0" || login == .expired && token.value == "b0"
            let loaded = TokenCall.Loaded(stored: stored, token: token, isExpiring: isExpiring)
            let hadWork = rules.work != nil
            let step = calls[index].machine.loaded(loaded, &rules, &window)
            if case .begin(let work) = step {
                if hadWork || self.work != nil { rejectionReason = "two refreshes at once" }
                self.work = work.kind == .save ? .replacing(work, work.token) : .asking(work)
            }
            follow(step, index)
        case .sending(nil): calls[index].phase = .done(.anonymous)
        case .sending(let token?):
            if validTokens.contains(token.value) {
                calls[index].phase = .done(.accepted)
            } else {
                follow(calls[index].machine.rejected(), index)
            }
        case .ended(let work, let generation, let ending):
            follow(calls[index].machine.waited(work, generation, endedAs: ending), index)
        case .waiting, .done: break
        }
    }

    private mutating func follow(_ step: TokenCall.Step, _ index: Int) {
        switch step {
        case .load:
            calls[index].machine.beginLoading(in: rules.generation)
            calls[index].phase = .loading
        case .send(let token):
            calls[index].identities.insert(hasIdentities ? token.identity : nil)
            if calls[index].identities.count > 1 { rejectionReason = "call \(index) is sent as two identities" }
            calls[index].phase = .sending(token)
        case .sendWithoutToken: calls[index].phase = .sending(nil)
        case .wait, .begin:
            calls[index].hasWaited = true
            calls[index].phase = .waiting
            if calls[index].accountAtStart == "B", login == .valid {
                rejectionReason = "call \(index) of B waits for the refresh of A"
            }
        case .finish: calls[index].phase = .done(.rejected)
        case .fail(let failure): calls[index].phase = .done(.failed(failure))
        }
    }

    // The refresh.

    private mutating func refresh(_ work: RefreshState.Work) {
        guard let refreshToken = work.token.refreshToken, !usedRefreshTokens.contains(refreshToken) else {
            rejectionReason = "a refresh token is used twice"
            return
        }
        usedRefreshTokens.append(refreshToken)
        let number = usedRefreshTokens.count
        // Like a server without identities.
        let account = work.token.value.prefix(1)
        let new = AccessToken("\(account)\(number)", refreshToken: "r\(account)\(number)")
        validTokens.insert(new.value)
        guard let accepted = work.accepting(new) else {
            rejectionReason = "a token without an identity is not accepted"
            return
        }
        self.work = .replacing(work, accepted)
    }

    private mutating func replace(_ work: RefreshState.Work, _ token: AccessToken) {
        guard let stored, stored.isSameGrant(as: work.stored) else {
            self.work = .ending(work, .superseded)
            return
        }
        self.stored = token
        self.work = .ending(work, work.kind == .save ? .saved : .renewed(token))
    }

    private mutating func end(_ work: RefreshState.Work, _ ending: RefreshState.Ending) {
        rules.end(ending)
        self.work = nil
        for index in calls.indices where calls[index].phase == .waiting {
            calls[index].phase = .ended(work, rules.generation, ending)
        }
    }

    // The end.

    func objectionsAtEnd(of scenario: RefreshInterleavingTests.Scenario) -> [String] {
        var objections: [String] = []
        let expected: Set<String?> =
            switch scenario.acts.last {
            case .login?: login == .valid ? ["b0"] : ["b0", "b1", "b2"]
            case .logout?: [nil]
            case .refreshElsewhere?: ["a9"]
            case nil: ["a0", "a1", "a2"]
            }
        if !expected.contains(stored?.value) { objections.append("the store has \(stored?.value ?? "nothing")") }
        let hasFailures = scenario.serverFailures + scenario.storeFailures > 0
        for (index, call) in calls.enumerated() {
            guard case .done(let outcome) = call.phase else {
                objections.append("call \(index) does not end")
                continue
            }
            if scenario.acts.isEmpty, outcome != .accepted, !hasFailures {
                objections.append("call \(index) ends with \(outcome)")
            }
            if scenario.acts == [.refreshElsewhere], outcome != .accepted {
                objections.append("call \(index) ends with \(outcome)")
            }
            if call.accountAtStart == "B", outcome != .accepted, !hasFailures || login == .valid {
                objections.append("call \(index) of B: \(outcome)")
            }
            if call.accountAtStart == nil, scenario.acts == [.logout], outcome != .anonymous {
                objections.append("call \(index) after the logout: \(outcome)")
            }
            if case .failed(let failure) = outcome, failure != .identityChanged, !hasFailures {
                objections.append("call \(index) fails with \(failure)")
            }
            if call.accountAtStart == "B", case .failed(.storeFailed(let token)) = outcome, token.hasPrefix("a") {
                objections.append("call \(index) of B fails with the refresh of A")
            }
            if call.identities == ["A"], call.accountAtStart == "B" { objections.append("call \(index) of B as A") }
        }
        if scenario.acts.isEmpty, !hasFailures, usedRefreshTokens.count != 1 {
            objections.append("\(usedRefreshTokens.count) refreshes")
        }
        return objections
    }
}
