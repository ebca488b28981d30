import TestSupport
import Testing

import StartSmall
@testable import StartSmallAuth

/// All interleavings of calls, a refresh, its saving, and the user's actions.
///
/// The steps are those of `TokenAuthenticator` and `SharedRefresh`, each as small as the locks there make it. All
/// states that any order leads to are visited once.
struct RefreshInterleavingTests {
    /// An action of the user, or of another process, on the store.
    fileprivate enum Act: Hashable, Sendable {
        case login
        case logout

        /// Another process refreshes the token of the same account, and saves it.
        case refreshElsewhere

        /// Another client saves its token.
        case saveOfAnother
    }

    /// The wrapper of a call: `.refreshToken`, or `.oauth` of an app or of a service.
    fileprivate enum Kind: Hashable, Sendable {
        case any
        case app
        case service(Int)

        var tokens: StoredTokens {
            StoredTokens(requestsFirst: own?.isForClient ?? false, source: own) { _, _ in .left(.identityChanged) }
        }

        /// The source of the wrapper's tokens: a number of the client, and whether it needs no user.
        var own: TokenSource? {
            switch self {
            case .any: nil
            case .app: Self.source(0, isService: false)
            case .service(let number): Self.source(number, isService: true)
            }
        }

        static func source(_ number: Int, isService: Bool) -> TokenSource {
            let client = OAuthClient("\(number)")
            return TokenSource(of: client, at: OAuth.tokenEndpoint, [:], to: .anyOrigin, isForClient: isService)
        }
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

        /// The number of calls that are cancelled while they wait for a refresh.
        var cancellations = 0

        /// The number of times that the server refuses a refresh token for good.
        var refusals = 0

        /// The wrappers of the calls, in turn.
        var kinds = [Kind.any]

        static let all = [
            Scenario(testDescription: "nobody acts, three calls", calls: 3),
            Scenario(testDescription: "a service", calls: 3, serverFailures: 1, kinds: [.service(0)]),
            Scenario(testDescription: "two services", calls: 3, kinds: [.service(0), .service(1)]),
            Scenario(testDescription: "a service and an app", acts: [.login], kinds: [.service(0), .app]),
            Scenario(testDescription: "an app, and another one", acts: [.saveOfAnother, .login], kinds: [.app]),
            Scenario(
                testDescription: "a service and an app, expired",
                calls: 3,
                acts: [.login],
                login: .expired,
                kinds: [.service(0), .app]
            ),
            Scenario(testDescription: "a refused app", calls: 3, acts: [.login], refusals: 2, kinds: [.app]),
            Scenario(
                testDescription: "a refused app that expires",
                calls: 3,
                isExpiring: true,
                refusals: 1,
                kinds: [.app]
            ),
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
            Scenario(testDescription: "cancelled calls", acts: [.login], cancellations: 1),
            Scenario(testDescription: "a store that fails, cancelled", storeFailures: 1, cancellations: 1),
            Scenario(testDescription: "a store that fails", acts: [.login], storeFailures: 2),
            Scenario(testDescription: "a store that fails, logout", acts: [.logout], storeFailures: 1),
        ]
    }

    @Test(
        "in every order, no account is mixed up, nothing is undone, and every call ends",
        arguments: Scenario.all.prefix(isExhaustive ? .max : 14)
    )
    private func orders(_ scenario: Scenario) {
        let start = World(scenario)
        var (visited, open) = (Set([start]), [(world: start, trail: [String]())])
        var ends = 0
        while let (world, trail) = open.popLast() {
            let next = world.next()
            if next.isEmpty {
                ends += 1
                for objection in world.objectionsAtEnd(of: scenario) { Issue.record("\(objection): \(trail)") }
            }
            for (step, world) in next {
                if let rejectionReason = world.rejectionReason {
                    Issue.record("\(rejectionReason): \(trail + [step])")
                    return
                }
                if visited.insert(world).inserted { open.append((world, trail + [step])) }
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
        case sending(AccessToken?)
        case waiting
        case resumed
        case done(Outcome)
    }

    enum Outcome: Hashable {
        case accepted
        case rejected
        case failed(RefreshFailure)
        case anonymous
        case cancelled
    }

    struct Call: Hashable {
        var machine = TokenCall()
        var phase = Phase.start
        var identities: Set<String?> = []
        var kind = RefreshInterleavingTests.Kind.any

        /// The account that was logged in when the call began; nil for nobody.
        var accountAtStart: String?
    }

    enum WorkPhase: Hashable {
        case asking(AccessToken, by: RefreshInterleavingTests.Kind)
        case replacing(AccessToken, by: AccessToken)
        case ending(RefreshState.Ending)
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
    var cancellations: Int
    var refusals: Int
    var spent: SpentToken?
    var isExpiring: Bool
    var hasIdentities: Bool
    var login: RefreshInterleavingTests.Login
    var rejectionReason: String?

    /// The failure of a refresh token that the server refuses for good.
    static let refusal = RefreshFailure.noToken(nil, reason: "invalid_grant")

    struct Unsaved: Hashable {
        let old, new: AccessToken
    }

    /// The token that the store has failed to save.
    var unsaved: Unsaved?

    init(_ scenario: RefreshInterleavingTests.Scenario) {
        calls = Array(repeating: Call(), count: scenario.calls)
        (acts, isExpiring, hasIdentities) = (scenario.acts, scenario.isExpiring, scenario.hasIdentities)
        (login, cancellations, refusals) = (scenario.login, scenario.cancellations, scenario.refusals)
        (serverFailures, storeFailures) = (scenario.serverFailures, scenario.storeFailures)
        for index in calls.indices { calls[index].kind = scenario.kinds[index % scenario.kinds.count] }
        if case .service? = scenario.kinds.first { return }
        stored = token("a0", "A")
    }

    private func token(_ value: String, _ identity: String) -> AccessToken {
        AccessToken(value, refreshToken: "r" + value, identity: hasIdentities ? identity : nil)
    }

    /// Returns all worlds after one more step of any actor.
    func next() -> [(String, World)] {
        var worlds: [(String, World)] = []
        func add(_ step: String, _ change: (inout World) -> Void) {
            var world = self
            change(&world)
            worlds.append((step, world))
        }
        if let act = acts.first { add("act") { $0.perform(act) } }
        for index in calls.indices {
            switch calls[index].phase {
            case .done: continue
            case .waiting where cancellations > 0:
                add("call \(index) is cancelled") {
                    $0.cancellations -= 1
                    $0.calls[index].phase = .done(.cancelled)
                }
            case .waiting: continue
            default: add("call \(index)") { $0.go(on: index) }
            }
        }
        switch work {
        case nil: break
        case .asking(let token, let kind)?:
            add("refreshed") { $0.refresh(token, by: kind) }
            if refusals > 0, case .app = kind {
                add("refused for good") {
                    $0.refusals -= 1
                    if let failure = kind.tokens.failure(of: token, mustReplace: true, spent: nil) {
                        $0.work = .ending(.failed(failure))
                        return
                    }
                    $0.spent = kind.tokens.spent(token, after: Self.refusal)
                    $0.work = .ending(.failed(Self.refusal))
                }
            }
            if serverFailures > 0 {
                add("refresh failed") {
                    $0.serverFailures -= 1
                    $0.work = .ending(.failed(.storeFailed(debugInfo: token.value)))
                }
            }
        case .replacing(let old, let new)?:
            add("replaced") { $0.replace(old, new) }
            if storeFailures > 0 {
                add("not saved") {
                    $0.storeFailures -= 1
                    if !old.isNone { $0.unsaved = Unsaved(old: old, new: new) }
                    $0.work = .ending(.failed(.storeFailed(debugInfo: old.value)))
                }
            }
        case .ending(let ending)?: add("ended") { $0.end(ending) }
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
        case .saveOfAnother:
            stored = token("c0", "C")
            stored?.source = RefreshInterleavingTests.Kind.source(9, isService: false)
        }
    }

    // A call.

    private mutating func go(on index: Int) {
        switch calls[index].phase {
        case .start:
            calls[index].accountAtStart = account
            calls[index].machine = TokenCall(in: rules.generation)
            load(index)
        case .resumed: load(index)
        case .loading: calls[index].phase = .read(stored)
        case .read(let stored):
            let tokens = calls[index].kind.tokens
            let isRejected = calls[index].machine.rejection != nil
            let token = stored ?? (tokens.requestsFirst && !isRejected ? AccessToken.none : nil)
            let expiresSoon = isExpiring && token?.value == "a0" || login == .expired && token?.value == "b0"
            let isExpiring = token.map { tokens.mustReplace($0, expiresSoon: expiresSoon) } ?? false
            if let token {
                let mustReplace = isExpiring || isRejected
                let failure = tokens.failure(of: token, mustReplace: mustReplace, spent: spent)
                if let failure { return follow(.fail(failure), index) }
            }
            let step = rules.step(
                of: &calls[index].machine,
                with: token,
                isExpiring: isExpiring,
                &window,
                at: .zero
            )
            if case .send(let token) = step, !tokens.has(token) { return follow(.fail(.otherSource), index) }
            if case .refresh(let token) = step {
                if work != nil { rejectionReason = "two refreshes at once" }
                if token == spent?.token { rejectionReason = "a refused refresh token is sent again" }
                work = .asking(token, by: calls[index].kind)
            }
            follow(step, index)
        case .sending(nil): calls[index].phase = .done(.anonymous)
        case .sending(let token?):
            if validTokens.contains(token.value) {
                calls[index].phase = .done(.accepted)
            } else if calls[index].machine.rejection != nil {
                calls[index].phase = .done(.rejected)
            } else {
                calls[index].machine.rejected(by: Response(statusCode: .unauthorized))
                load(index)
            }
        case .waiting, .done: break
        }
    }

    private mutating func load(_ index: Int) {
        calls[index].machine.load(in: rules.generation)
        calls[index].phase = .loading
    }

    private mutating func follow(_ step: RefreshState.Step, _ index: Int) {
        switch step {
        case .load: load(index)
        case .send(let token):
            calls[index].identities.insert(hasIdentities ? token.identity : nil)
            if calls[index].identities.count > 1 { rejectionReason = "call \(index) is sent as two identities" }
            if let own = calls[index].kind.own, let source = token.source, source != own {
                rejectionReason = "call \(index) is sent with the token of another client"
            }
            calls[index].phase = .sending(token)
        case .sendWithoutToken: calls[index].phase = .sending(nil)
        case .wait, .refresh:
            calls[index].phase = .waiting
            if calls[index].accountAtStart == "B", login == .valid {
                rejectionReason = "call \(index) of B waits for the refresh of A"
            }
        case .finish: calls[index].phase = .done(.rejected)
        case .fail(let failure): calls[index].phase = .done(.failed(failure))
        }
    }

    // The refresh.

    private mutating func refresh(_ old: AccessToken, by kind: RefreshInterleavingTests.Kind) {
        if case .service(let number) = kind {
            usedRefreshTokens.append("s")
            var new = AccessToken("s\(number)\(usedRefreshTokens.count)")
            new.source = kind.own
            validTokens.insert(new.value)
            if old.source?.isForClient != true, !old.isNone {
                rejectionReason = "a service replaces the token of a user"
            }
            work = .replacing(old, by: new)
            return
        }
        if let unsaved, unsaved.old.isSameGrant(as: old) {
            work = .replacing(old, by: unsaved.new)
            return
        }
        guard let refreshToken = old.refreshToken, !usedRefreshTokens.contains(refreshToken) else {
            rejectionReason = "a refresh token is used twice"
            return
        }
        usedRefreshTokens.append(refreshToken)
        let number = usedRefreshTokens.count
        // Like a server without identities.
        let account = old.value.prefix(1)
        var new = AccessToken("\(account)\(number)", refreshToken: "r\(account)\(number)")
        new.source = kind.own
        validTokens.insert(new.value)
        guard let accepted = new.replacing(old) else {
            rejectionReason = "a token without an identity is not accepted"
            return
        }
        work = .replacing(old, by: accepted)
    }

    private mutating func replace(_ old: AccessToken, _ new: AccessToken) {
        guard AccessToken.isSame(stored, old) else {
            work = .ending(.superseded)
            return
        }
        self.stored = new
        work = .ending(.renewed(new))
    }

    private mutating func end(_ ending: RefreshState.Ending) {
        rules.end(ending)
        work = nil
        for index in calls.indices where calls[index].phase == .waiting { calls[index].phase = .resumed }
    }

    // The end.

    /// The objections to calls of `.oauth`: each ends, is sent with its own token, or says why not.
    private func objectionsOfSources(_ scenario: RefreshInterleavingTests.Scenario) -> [String] {
        calls.enumerated().flatMap { index, call -> [String] in
            guard case .done(let outcome) = call.phase else { return ["call \(index) does not end"] }
            switch outcome {
            case .accepted, .cancelled: return []
            case .failed(.otherSource) where scenario.kinds != [.service(0)]: return []
            case .failed(.identityChanged) where scenario.acts.contains(.login): return []
            case .failed(let failure) where failure == Self.refusal && scenario.refusals > 0: return []
            case .failed(.storeFailed) where scenario.serverFailures > 0: return []
            case .anonymous where call.kind == .app && scenario.kinds.count > 1: return []
            default: return ["call \(index) ends with \(outcome)"]
            }
        }
    }

    func objectionsAtEnd(of scenario: RefreshInterleavingTests.Scenario) -> [String] {
        var objections: [String] = []
        let expected: Set<String?> =
            switch scenario.acts.last {
            case .login? where scenario.kinds != [.any]:
                // No service replaces the token of a user.
                stored?.identity == "B" ? [stored?.value] : ["b0"]
            case nil where scenario.kinds != [.any]:
                // A service has its own token, and an app that of its account.
                [stored.flatMap { "sa".contains($0.value.prefix(1)) ? $0.value : nil }]
            case .saveOfAnother?: ["c0"]
            case .login?: login == .valid ? ["b0"] : ["b0", "b1", "b2"]
            case .logout?: [nil]
            case .refreshElsewhere?: ["a9"]
            case nil: ["a0", "a1", "a2"]
            }
        if !expected.contains(stored?.value) { objections.append("the store has \(stored?.value ?? "nothing")") }
        if scenario.kinds != [.any] { return objections + objectionsOfSources(scenario) }
        let hasFailures = scenario.serverFailures + scenario.storeFailures > 0
        for (index, call) in calls.enumerated() {
            guard case .done(let outcome) = call.phase else {
                objections.append("call \(index) does not end")
                continue
            }
            if outcome == .cancelled { continue }
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
