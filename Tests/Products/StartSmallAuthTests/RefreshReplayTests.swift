import StartSmall
import StartSmallCore
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// The steps of the wrappers are those of ``RefreshWorld``, whose laws `RefreshInterleavingTests` checks.
///
/// Each call, the refresh and the store stop where the model has a step, and go on when it takes that step.
@Suite(.timeLimit(.minutes(1))) struct RefreshReplayTests {
    @Test("in random orders, the wrappers take the steps of the model", arguments: RefreshWorld.Scenario.all)
    func steps(_ scenario: RefreshWorld.Scenario) async {
        var random = SplitMix64(seed: 1)
        for _ in 0..<(isExhaustive ? 2_000 : 150) {
            if let difference = await differences(scenario, &random) {
                Issue.record("\(difference)")
                return
            }
        }
    }

    /// Returns the first step in a random order that the wrappers do not take; nil if they take all.
    private func differences(_ scenario: RefreshWorld.Scenario, _ random: inout SplitMix64) async -> String? {
        var world = RefreshWorld(scenario)
        var replay = RefreshReplay(world)
        var trail: [RefreshWorld.Step] = []
        // In some orders, a call and its refresh go on for long: else few calls begin after the end of a refresh.
        let patience = Int.random(in: 1...8, using: &random)
        while true {
            let steps = world.nextOfWrapper()
            let isRandom = Int.random(in: 0..<patience, using: &random) == 0
            guard let (step, next) = isRandom ? steps.randomElement(using: &random) : steps.last else { return nil }
            trail.append(step)
            if let difference = await replay.take(step, from: world, to: next) { return "\(difference): \(trail)" }
            world = next
        }
    }
}

extension RefreshWorld {
    /// Returns all worlds after one more step, where calls that a refresh has resumed go on at once, as does a refresh
    /// without a request: nothing can stop the wrapper there.
    fileprivate func nextOfWrapper() -> [(step: Step, world: RefreshWorld)] {
        let next = next()
        if case .ending(_, .noRequest)? = work { return next.filter { $0.step == .ended } }
        guard let resumed = calls.firstIndex(where: { $0.phase == .resumed }) else { return next }
        return next.filter { $0.step == .call(resumed) }
    }
}

/// Where a call or a refresh of the wrappers stops, or what it says without a stop.
private enum Stop: Equatable {
    case loading
    case read(AccessToken?)
    case sending(String?)
    case waiting
    case done(RefreshWorld.Outcome?)
    case asking(AccessToken)
    case replacing(AccessToken, by: AccessToken)
    case ending
}

/// How a stopped call or refresh goes on.
private enum Order: Sendable {
    case go
    case fail(RefreshFailure)
    case token(AccessToken)
    case status(HTTPStatus)
}

/// The stops of a call, or of the refresh.
private struct Stops: Sendable {
    private typealias Arrival = (stop: Stop, order: CheckedContinuation<Order, Never>?)
    private let stream = AsyncStream<Arrival>.makeStream()
    private let stopped = Locked<CheckedContinuation<Order, Never>?>(nil)

    func say(_ stop: Stop) { stream.continuation.yield((stop, nil)) }

    /// Stops until there is an order.
    func stop(at stop: Stop) async -> Order { await withCheckedContinuation { stream.continuation.yield((stop, $0)) } }

    /// Waits for the next stop.
    func next() async -> Stop? {
        for await (stop, order) in stream.stream {
            stopped.withLock { $0 = order }
            return stop
        }
        return nil
    }

    /// Lets the call or the refresh go on.
    func order(_ order: Order) {
        let continuation = stopped.withLock { stopped in
            defer { stopped = nil }
            return stopped
        }
        continuation?.resume(returning: order)
    }
}

/// The wrappers over a store, with the calls of a scenario.
private struct RefreshReplay {
    @TaskLocal private static var call = 0

    private let stored: Locked<AccessToken?>
    private let store: TokenStore
    private let calls: [Stops]
    private let refresh = Stops()
    private let connectors: [RefreshWorld.Kind: Connector]
    private var tasks: [Int: Task<Void, Never>] = [:]

    init(_ world: RefreshWorld) {
        let (calls, refresh, stored) = (world.calls.map { _ in Stops() }, refresh, Locked(world.stored))
        let store = TokenStore(
            load: {
                _ = await calls[Self.call].stop(at: .loading)
                let token = stored.withLock(\.self)
                _ = await calls[Self.call].stop(at: .read(token))
                return token
            },
            save: { token in stored.withLock { $0 = token } },
            replace: { old, new in
                let order = await refresh.stop(at: .replacing(old ?? .none, by: new))
                let isReplaced = stored.withLock { token in
                    guard case .go = order, AccessToken.isSame(token, old) else { return false }
                    token = new
                    return true
                }
                _ = await refresh.stop(at: .ending)
                if case .fail(let failure) = order { throw NotSaved(description: failure.storeError) }
                return isReplaced
            }
        )
        let server = Connector { input in
            let field = input.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
            guard case .status(let status) = await calls[Self.call].stop(at: .sending(field)) else {
                return .noResponse(.cancelled)
            }
            return .status(status)
        }
        func connector(_ kind: RefreshWorld.Kind) -> Connector {
            let tokens = kind.tokens { token, _ in
                switch await refresh.stop(at: .asking(token)) {
                case .token(let new): return .right(new)
                case .fail(let failure):
                    _ = await refresh.stop(at: .ending)
                    return .left(failure)
                case .go, .status: return .left(.identityChanged)
                }
            }
            let time = { @Sendable in Duration.zero }
            let now = { @Sendable in RefreshWorld.now }
            return server.wrapped(
                by: .listen(
                    to: Listener { (event: Event) in
                        if event.reported(Refreshing.self) != nil { calls[Self.call].say(.waiting) }
                    }
                ),
                .retry(.exponential(attempts: 9, baseDelay: .zero), budget: .unlimited, random: { 0 }),
                .sending(tokens, named: "replay", of: store, to: .anyOrigin, RefreshPolicy(), time, now)
            )
        }
        let kinds = Set(world.calls.map(\.kind))
        connectors = Dictionary(uniqueKeysWithValues: kinds.map { ($0, connector($0)) })
        (self.calls, self.stored, self.store) = (calls, stored, store)
    }

    private struct NotSaved: Error, CustomStringConvertible {
        let description: String
    }

    /// Takes a step, and returns how the wrappers differ from the model after it; nil if they do not.
    mutating func take(
        _ step: RefreshWorld.Step,
        from world: RefreshWorld,
        to next: RefreshWorld
    ) async -> String? {
        switch step {
        case .act where world.acts.first == .refreshElsewhere: stored.withLock { $0 = next.stored }
        case .act: try? await store.save(next.stored)
        case .call(let index), .unavailable(let index), .cancelled(let index):
            go(on: index, step, from: world.calls[index], to: next.calls[index])
            if let difference = await difference(of: calls[index], to: next.calls[index].phase.stop) {
                return difference
            }
            if world.work == nil, let work = next.work { return await difference(of: refresh, to: work.stop) }
        case .refreshed, .refusedForGood, .refreshFailed, .replaced, .notSaved:
            refresh.order(next.work?.order ?? .go)
            return await difference(of: refresh, to: next.work?.stop)
        case .ended:
            refresh.order(.go)
            // The calls that have waited say it, too, but there may be none.
            while store.refresh.generation != next.rules.generation, !Task.isCancelled { await Task.yield() }
        }
        return stored.withLock(\.self) == next.stored ? nil : "another token is stored"
    }

    private mutating func go(
        on index: Int,
        _ step: RefreshWorld.Step,
        from call: RefreshWorld.Call,
        to next: RefreshWorld.Call
    ) {
        switch call.phase {
        case .start:
            guard let connector = connectors[call.kind] else { return }
            let stops = calls[index]
            tasks[index] = Task {
                let output = await Self.$call.withValue(index) {
                    await WebAPI.call(with: Fixture.input, via: connector)
                }
                stops.say(.done(RefreshWorld.Outcome(output)))
            }
        case .waiting: tasks[index]?.cancel()
        case .sending:
            let isAccepted = [.done(.accepted), .done(.anonymous)].contains(next.phase)
            let status = isAccepted ? HTTPStatus.ok : .unauthorized
            calls[index].order(.status(step == .call(index) ? status : .serviceUnavailable))
        case .loading, .read: calls[index].order(.go)
        case .resumed, .done: break
        }
    }

    private func difference(of stops: Stops, to expected: Stop?) async -> String? {
        guard let expected else { return nil }
        let stop = await stops.next()
        return stop == expected ? nil : "\(stop.map { "\($0)" } ?? "nothing") instead of \(expected)"
    }
}

extension RefreshWorld.Phase {
    /// The place where a call stops; nil before its start.
    fileprivate var stop: Stop? {
        switch self {
        case .start, .resumed: nil
        case .loading: .loading
        case .read(let token): .read(token)
        case .sending(let token): .sending(token?.value)
        case .waiting: .waiting
        case .done(.anonymous): .done(.accepted)
        case .done(let outcome): .done(outcome)
        }
    }
}

extension RefreshWorld.WorkPhase {
    /// The place where a refresh stops; nil if it ends without a request.
    fileprivate var stop: Stop? {
        switch self {
        case .asking(let token, _): .asking(token)
        case .replacing(let old, let new): .replacing(old, by: new)
        case .ending(_, .noRequest): nil
        case .ending: .ending
        }
    }

    /// The order that leads here.
    fileprivate var order: Order {
        switch self {
        case .replacing(let old, var new):
            // The wrapper adds the identity.
            if old.identity != nil { new.identity = nil }
            return .token(new)
        case .ending(.failed(let failure), _): return .fail(failure)
        case .ending, .asking: return .go
        }
    }
}

extension RefreshWorld.Outcome {
    /// Creates the outcome of a call; nil for an output that the model does not have.
    fileprivate init?(_ output: Output) {
        switch output {
        case _ where output == .noResponse(.cancelled): self = .cancelled
        case _ where output.response?.statusCode == .ok: self = .accepted
        case _ where output.response?.statusCode == .unauthorized: self = .rejected
        default:
            guard let failure = output.connectionError?.refusal(RefreshFailure.self) else { return nil }
            self = .failed(failure)
        }
    }
}

extension RefreshFailure {
    /// The text of an error of the store.
    fileprivate var storeError: String {
        if case .storeFailed(let text) = self { text } else { "" }
    }
}
