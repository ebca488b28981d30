import Foundation
import StartSmall

@testable import StartSmallAuth

/// A server, a store, a user and some calls.
///
/// The steps are those of `TokenAuthenticator`, `TokenOwners` and `SharedRefresh`, each as small as the locks there make
/// it. `RefreshReplayTests` compares them with those of the wrappers.
struct RefreshWorld: Hashable {
    enum Step: Hashable, Sendable {
        case act
        case call(Int)

        /// The server answers a request with 503, and the call makes another attempt.
        case unavailable(Int)
        case cancelled(Int)
        case refreshed
        case refusedForGood
        case refreshFailed
        case replaced
        case notSaved
        case ended
    }

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
        var kind = Kind.any

        /// The identity of all attempts; nil before one has loaded a token with an identity.
        var owner: String?

        /// The account that was logged in when the call began; nil for nobody.
        var accountAtStart: String?

        /// Returns whether a token, or none, is of the call's identity.
        mutating func admits(_ identity: String?) -> Bool {
            owner = owner ?? identity
            return owner == identity
        }
    }

    enum WorkPhase: Hashable {
        case asking(AccessToken, by: Kind)
        case replacing(AccessToken, by: AccessToken)
        case ending(RefreshState.Ending, Remainder)
    }

    /// What a refresh leaves at its end besides the token.
    enum Remainder: Hashable {
        case nothing
        case saved
        case unsaved(Unsaved)
        case spent(SpentToken?)

        /// The refresh ends without a request.
        case noRequest
    }

    struct Unsaved: Hashable {
        let old, new: AccessToken
    }

    private(set) var stored: AccessToken?
    private(set) var calls: [Call]
    private(set) var work: WorkPhase?
    private(set) var rules = RefreshState()
    private(set) var acts: [Act]
    private(set) var rejectionReason: String?

    private var account: String? = "A"
    private var validTokens: Set<String> = []
    private var usedRefreshTokens: [String] = []
    private var issued = 0
    private var window = RefreshWindow(limit: 5, length: .seconds(30))
    private var serverFailures, storeFailures, cancellations, refusals, retries: Int
    private let isExpiring, hasIdentities: Bool
    private let login: Login

    /// The token that only a sign-in can replace, and the one that the store has failed to save.
    private var spent: SpentToken?
    private var unsaved: Unsaved?

    /// The failure of a refresh token that the server refuses for good.
    private static let refusal = RefreshFailure.noToken(nil, reason: "invalid_grant")

    /// The time of all calls.
    static let now = Date(timeIntervalSince1970: 0)

    init(_ scenario: Scenario) {
        calls = Array(repeating: Call(), count: scenario.calls)
        (acts, isExpiring, hasIdentities) = (scenario.acts, scenario.isExpiring, scenario.hasIdentities)
        (login, cancellations, refusals) = (scenario.login, scenario.cancellations, scenario.refusals)
        (serverFailures, storeFailures) = (scenario.serverFailures, scenario.storeFailures)
        retries = scenario.retries
        for index in calls.indices { calls[index].kind = scenario.kinds[index % scenario.kinds.count] }
        if case .service? = scenario.kinds.first { return }
        stored = first
    }

    private var first: AccessToken { token("a0", "A", isExpired: isExpiring) }

    private func token(_ value: String, _ identity: String, isExpired: Bool = false) -> AccessToken {
        let expires = isExpired ? Self.now : nil
        let identity = hasIdentities ? identity : nil
        return AccessToken(value, refreshToken: "r" + value, expires: expires, identity: identity)
    }

    /// Returns all worlds after one more step of any actor.
    func next() -> [(step: Step, world: RefreshWorld)] {
        var worlds: [(Step, RefreshWorld)] = []
        func add(_ step: Step, _ change: (inout RefreshWorld) -> Void) {
            var world = self
            change(&world)
            worlds.append((step, world))
        }
        if let act = acts.first, act != .signInAgain || work == nil && storeFailures + refusals == 0 {
            add(.act) { $0.perform(act) }
        }
        for index in calls.indices {
            switch calls[index].phase {
            case .done: continue
            case .waiting where cancellations > 0:
                add(.cancelled(index)) {
                    $0.cancellations -= 1
                    $0.calls[index].phase = .done(.cancelled)
                }
            case .waiting: continue
            case .sending where retries > 0:
                add(.unavailable(index)) {
                    $0.retries -= 1
                    $0.begin(index)
                }
                add(.call(index)) { $0.go(on: index) }
            default: add(.call(index)) { $0.go(on: index) }
            }
        }
        switch work {
        case nil: break
        case .asking(let token, let kind)?:
            add(.refreshed) { $0.refresh(token, by: kind) }
            if refusals > 0, case .app = kind {
                add(.refusedForGood) {
                    $0.refusals -= 1
                    let spent = kind.tokens.spent(token, after: Self.refusal)
                    $0.work = .ending(.failed(Self.refusal), .spent(spent))
                }
            }
            if serverFailures > 0 {
                add(.refreshFailed) {
                    $0.serverFailures -= 1
                    $0.work = .ending(.failed(.storeFailed(debugInfo: token.value)), .nothing)
                }
            }
        case .replacing(let old, let new)?:
            add(.replaced) { $0.replace(old, new) }
            if storeFailures > 0 {
                add(.notSaved) {
                    $0.storeFailures -= 1
                    let remainder = old.isNone ? Remainder.nothing : .unsaved(Unsaved(old: old, new: new))
                    $0.work = .ending(.failed(.storeFailed(debugInfo: old.value)), remainder)
                }
            }
        case .ending(let ending, let remainder)?: add(.ended) { $0.end(ending, remainder) }
        }
        return worlds
    }

    private mutating func perform(_ act: Act) {
        acts.removeFirst()
        switch act {
        case .login:
            stored = token("b0", "B", isExpired: login == .expired)
            account = "B"
            if login != .rejected { validTokens.insert("b0") }
        case .logout: (stored, account) = (nil, nil)
        case .signInAgain:
            (stored, account, validTokens) = (first, "A again", [])
            usedRefreshTokens = usedRefreshTokens.filter { $0 != first.refreshToken }
        case .refreshElsewhere:
            stored = token("a9", "A")
            validTokens.insert("a9")
            // The process does not forget what another one does not tell.
            return
        case .saveOfAnother:
            stored = token("c0", "C")
            stored?.source = Kind.source(9, isService: false)
        }
        (spent, unsaved) = (nil, nil)
    }

    // A call.

    private mutating func go(on index: Int) {
        switch calls[index].phase {
        case .start:
            calls[index].accountAtStart = account
            begin(index)
        case .resumed: load(index)
        case .loading: calls[index].phase = .read(stored)
        case .read(let stored): decide(stored, index)
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

    /// Begins an attempt.
    private mutating func begin(_ index: Int) {
        calls[index].machine = TokenCall(in: rules.generation)
        load(index)
    }

    private mutating func load(_ index: Int) {
        calls[index].machine.load(in: rules.generation)
        calls[index].phase = .loading
    }

    private mutating func decide(_ stored: AccessToken?, _ index: Int) {
        let tokens = calls[index].kind.tokens
        let isRejected = calls[index].machine.rejection != nil
        if !isRejected, !calls[index].admits(stored?.identity) { return follow(.fail(.identityChanged), index) }
        let token = stored ?? (tokens.requestsFirst && !isRejected ? AccessToken.none : nil)
        var isExpiring = false
        if let token {
            let expiresSoon = RefreshPolicy().expiresSoon(token, now: Self.now)
            isExpiring = tokens.mustReplace(token, expiresSoon: expiresSoon)
            let failure = tokens.failure(of: token, mustReplace: isExpiring || isRejected, spent: spent)
            if let failure { return follow(.fail(failure), index) }
        }
        let step = rules.step(of: &calls[index].machine, with: token, isExpiring: isExpiring, &window, at: .zero)
        if case .send(let token) = step, !tokens.has(token) { return follow(.fail(.otherSource), index) }
        if case .refresh(let token) = step { begin(token, by: calls[index].kind) }
        follow(step, index)
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

    private mutating func begin(_ token: AccessToken, by kind: Kind) {
        if work != nil { rejectionReason = "two refreshes at once" }
        if let unsaved, unsaved.old.isSameGrant(as: token) { return accept(unsaved.new, inPlaceOf: token) }
        if token == spent?.token { rejectionReason = "a refused refresh token is sent again" }
        let failure = kind.tokens.failure(of: token, mustReplace: true, spent: nil)
        work = failure.map { .ending(.failed($0), .noRequest) } ?? .asking(token, by: kind)
    }

    private mutating func refresh(_ old: AccessToken, by kind: Kind) {
        issued += 1
        var new: AccessToken
        if case .service(let number) = kind {
            usedRefreshTokens.append("s")
            new = AccessToken("s\(number)\(issued)")
            if old.source?.isForClient != true, !old.isNone {
                rejectionReason = "a service replaces the token of a user"
            }
        } else {
            let owner = old.value.prefix(1)
            let refreshToken = old.refreshToken ?? ""
            if usedRefreshTokens.contains(refreshToken) {
                // A call that has loaded the token before a logout does not know that; no session is left to lose.
                if account?.lowercased().prefix(1) == owner { rejectionReason = "a refresh token is used twice" }
                work = .ending(.failed(Self.refusal), .spent(kind.tokens.spent(old, after: Self.refusal)))
                return
            }
            usedRefreshTokens.append(refreshToken)
            // Like a server without identities.
            let value = "\(owner)\(issued)"
            new = AccessToken(value, refreshToken: "r\(value)")
        }
        new.source = kind.own
        validTokens.insert(new.value)
        accept(new, inPlaceOf: old)
    }

    private mutating func accept(_ new: AccessToken, inPlaceOf old: AccessToken) {
        guard let accepted = new.replacing(old) else {
            rejectionReason = "a token without an identity is not accepted"
            return
        }
        work = .replacing(old, by: accepted)
    }

    private mutating func replace(_ old: AccessToken, _ new: AccessToken) {
        guard AccessToken.isSame(stored, old) else {
            work = .ending(.superseded, .saved)
            return
        }
        stored = new
        work = .ending(.renewed(new), .saved)
    }

    private mutating func end(_ ending: RefreshState.Ending, _ remainder: Remainder) {
        switch remainder {
        case .nothing, .noRequest: break
        case .saved: unsaved = nil
        case .unsaved(let token): unsaved = token
        case .spent(let token): spent = token ?? spent
        }
        rules.end(ending)
        work = nil
        for index in calls.indices where calls[index].phase == .waiting { calls[index].phase = .resumed }
    }
}

// The end.

extension RefreshWorld {
    /// The objections to calls of `.oauth`: each ends, is sent with its own token, or says why not.
    private func objectionsOfSources(_ scenario: Scenario) -> [String] {
        calls.enumerated().flatMap { index, call -> [String] in
            guard case .done(let outcome) = call.phase else { return ["call \(index) does not end"] }
            switch outcome {
            case .accepted, .cancelled: return []
            case .failed(.otherSource) where scenario.kinds != [.service(0)]: return []
            case .failed(.identityChanged) where call.accountAtStart != account: return []
            case .failed(let failure)
            where failure == Self.refusal && scenario.refusals > 0 && call.accountAtStart != "A again":
                return []
            case .failed(.storeFailed) where scenario.serverFailures > 0: return []
            case .anonymous where call.kind == .app && scenario.kinds.count > 1: return []
            case .rejected where call.accountAtStart != account && account == "A again": return []
            default: return ["call \(index) ends with \(outcome)"]
            }
        }
    }

    /// The tokens that may be stored at the end.
    private func expected(_ scenario: Scenario) -> Set<String?> {
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
        case nil, .signInAgain?: ["a0", "a1", "a2"]
        }
    }

    func objectionsAtEnd(of scenario: Scenario) -> [String] {
        var objections: [String] = []
        if !expected(scenario).contains(stored?.value) {
            objections.append("the store has \(stored?.value ?? "nothing")")
        }
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
            if call.accountAtStart == "A again", outcome != .accepted {
                objections.append("call \(index) after the sign-in: \(outcome)")
            }
            if call.accountAtStart == nil, scenario.acts == [.logout], outcome != .anonymous {
                objections.append("call \(index) after the logout: \(outcome)")
            }
            if outcome == .failed(.identityChanged), call.accountAtStart == account || !hasIdentities {
                objections.append("call \(index) fails though its account stays")
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
