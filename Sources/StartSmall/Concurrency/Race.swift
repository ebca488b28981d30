import Synchronization

/// A call against the clock: it ends on time, even if what is inside ignores that it is cancelled.
///
/// What is inside runs in a task of its own, as no task group ends before the last of its tasks does. Whoever comes
/// second is cancelled and let go.
struct Race<C: Clock<Duration>>: Sendable {
    private let clock: C
    private let alarms: Alarms<C>

    init(clock: C) {
        self.clock = clock
        self.alarms = Alarms(clock: clock)
    }

    /// Calls what is inside, and does not wait for it longer than until then, or than an outer limit allows.
    func run(_ input: Input, _ next: Next, until end: C.Instant) async -> Output {
        let now = clock.now
        let own = now.duration(to: end)
        let limit = min(own, TimeLeft.now ?? own, .longestWait)
        if Task.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .timedOut(limit: .zero) }
        let (finish, end) = (Finish(), now.advanced(by: limit))
        let input = input.taken { !finish.isReached }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let alarm = alarms.set(at: end) { finish.reach(with: .timedOut(limit: limit)) }
                let left = TimeLeft { [clock] in clock.now.duration(to: end) }
                let task = TimeLeft.$current.withValue(left) {
                    Task { @concurrent in finish.reach(with: await next(input)) }
                }
                finish.wait(continuation) { [alarms] in
                    alarms.turnOff(alarm)
                    task.cancel()
                }
            }
        } onCancel: {
            finish.reach(with: .noResponse(.cancelled))
        }
    }
}

/// The end of a race, which is reached once.
private struct Finish: Sendable {
    private struct State {
        var output: Output?
        var goOn: (@Sendable (Output) -> Void)?
    }

    private let change: @Sendable ((inout State) -> Void) -> Void

    init() {
        let state = Mutex(State())
        change = { body in state.withLock { body(&$0) } }
    }

    var isReached: Bool {
        var isReached = false
        change { isReached = $0.output != nil }
        return isReached
    }

    /// Ends the race, unless it is over; whoever waits goes on outside of the lock.
    func reach(with output: Output) {
        var goOn: (@Sendable (Output) -> Void)?
        change { state in
            guard state.output == nil else { return }
            state.output = output
            goOn = state.goOn
            state.goOn = nil
        }
        goOn?(output)
    }

    /// Goes on with the output when the end is reached, after all that still runs was let go.
    func wait(_ continuation: CheckedContinuation<Output, Never>, lettingGo letGo: @escaping @Sendable () -> Void) {
        let goOn = { @Sendable (output: Output) in
            letGo()
            continuation.resume(returning: output)
        }
        var output: Output?
        change { state in
            output = state.output
            if output == nil { state.goOn = goOn }
        }
        if let output { goOn(output) }
    }
}

extension Input {
    /// The same, but a part of the payload is taken only while it is wanted: what was let go may still bring some, and a
    /// second try may be under way.
    fileprivate func taken(while isWanted: @escaping @Sendable () -> Bool) -> Input {
        guard case .receiver(let receiver) = destination else { return self }
        var input = self
        input.destination = .receiver(
            Receiver(resumption: receiver.resumption) { part, isWantedInside in
                guard isWanted() else { throw ConnectionError.cancelled }
                let failure = await receiver.receive(part, while: { isWanted() && isWantedInside() })
                if let failure { throw failure }
            }
        )
        return input
    }
}

extension Output {
    fileprivate static func timedOut(limit: Duration) -> Output {
        guard limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        return .noResponse(.timedOut(.init(domain: "StartSmall", code: 0, text: "not over within \(limit)")))
    }
}
