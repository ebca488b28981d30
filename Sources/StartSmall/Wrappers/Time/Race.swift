/// A call against the clock: it ends on time, even if what is inside ignores that it is cancelled.
///
/// What is inside runs in a task of its own, as no task group ends before the last of its tasks does. Whoever comes
/// second is cancelled and let go. What blocks its thread before it first waits, which no asynchronous function may do,
/// can't be let go before that.
struct Race: Sendable {
    private let alarms: Alarms

    init(clock: some Clock<Duration>) {
        alarms = Alarms(clock: clock)
    }

    /// Calls what is inside, and does not wait for it longer than that, or than an outer limit allows.
    func run(_ input: Input, _ next: Next, for own: Duration) async -> Output {
        let limit = min(own, TimeLeft.now ?? own, .longestWait)
        if Task.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .timedOut(limit: .zero) }
        let (answer, end) = (Promised<Output>(), alarms.now() + limit)
        var input = input
        if let receiver = input.destination.receiver {
            input.destination = .receiver(receiver.taking(while: { !answer.isSettled }))
        }
        let task = TimeLeft.$current.withValue(TimeLeft { [now = alarms.now] in end - now() }) {
            Task.begun { [input] in answer.keep(await next(input)) }
        }
        // Answered without waiting for anything: there is nothing to watch.
        if case .some(.some(let output)) = answer.settled { return output }
        let alarm = alarms.set(at: end) { answer.keep(.timedOut(limit: limit)) }
        let output = await answer.value() ?? .noResponse(.cancelled)
        alarms.turnOff(alarm)
        task.cancel()
        return output
    }
}

extension Receiver {
    /// The same, but a part of the payload is taken only while it is wanted: what was let go may still bring some, and a
    /// second try may be under way.
    fileprivate func taking(while isWanted: @escaping @Sendable () -> Bool) -> Receiver {
        wrapped { part, isWantedInside, inner in
            guard isWanted() else { return .cancelled }
            return await inner.receive(part, while: { isWanted() && isWantedInside() })
        }
    }
}

extension Output {
    fileprivate static func timedOut(limit: Duration) -> Output {
        guard limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        return .noResponse(.timedOut(.timeIsOver(limit: limit)))
    }
}
