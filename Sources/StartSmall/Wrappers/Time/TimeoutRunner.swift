/// A call against the clock: it ends on time, even if what is inside ignores that it is cancelled.
///
/// What is inside runs in a task of its own. Whoever comes second is cancelled and let go. What blocks its thread before
/// it first waits, which no asynchronous function may do, can't be let go before that.
struct TimeoutRunner: Sendable {
    fileprivate let timers: TimerScheduler

    init(clock: some Clock<Duration>) {
        timers = TimerScheduler(clock: clock)
    }

    /// Calls what is inside, and does not wait for it longer than that, or than an outer limit allows.
    func run(_ input: Input, _ next: Next, for own: Duration) async -> Output {
        let limit = min(own, next.remainingTime ?? own, .maximumWait)
        if next.report.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .timedOut(limit: .zero) }
        let (answer, end) = (Promise<Output>(), timers.now() + limit)
        // What is inside begins on this thread, and may be cancelled before anybody waits for it.
        return await answer.whileWanted {
            let task = answer.begin(input, next) { [now = timers.now] in end - now() }
            // Answered without waiting for anything: there is nothing to watch.
            if case .some(.some(let output)) = answer.settled { return output }
            let timerID = timers.set(at: end) { answer.abandon(.timedOut(limit: limit)) }
            let output = await answer.value() ?? .noResponse(.cancelled)
            timers.cancel(timerID)
            task?.cancel()
            return output
        }
    }
}

extension TimeoutRunner {
    /// Calls what is inside, and does not wait for the head of its response longer than that.
    ///
    /// Once the head is there, the alarm is off, and the call takes the time it takes.
    func run(_ input: Input, _ next: Next, untilHead own: Duration) async -> Output {
        let limit = min(own, .maximumWait)
        if next.report.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .timedOut(limit: .zero) }
        let (answer, timer, end) = (Promise<Output>(), HeadTimer(), timers.now() + limit)
        let stop = { @Sendable in timer.stop().map(timers.cancel) ?? () }
        let input = input.hearing { _ in stop() }
        let hearing = Next(step: next.step, report: next.report.hearing { _ in stop() })
        return await answer.whileWanted {
            let task = answer.begin(input, hearing)
            if case .some(.some(let output)) = answer.settled { return output }
            timer.start {
                timers.set(at: end) {
                    if timer.isRunning { answer.abandon(.noResponse(.timedOut(.noHeadInTime(limit: limit)))) }
                }
            }
            let output = await answer.value() ?? .noResponse(.cancelled)
            stop()
            task?.cancel()
            return output
        }
    }
}

extension Output {
    fileprivate static func timedOut(limit: Duration) -> Output {
        guard limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        return .noResponse(.timedOut(.timeIsOver(limit: limit)))
    }
}
