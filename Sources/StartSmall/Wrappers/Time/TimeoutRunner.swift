/// Runs a call with a time limit, even if the inner call ignores cancellation.
///
/// The inner call runs in its own task. At the end of the time, that task is cancelled and abandoned. Inner code that
/// blocks its thread before it first suspends, which no asynchronous function may do, can't be abandoned before that.
struct TimeoutRunner: Sendable {
    fileprivate let timers: TimerScheduler

    init(clock: some Clock<Duration>) {
        timers = TimerScheduler(clock: clock)
    }

    /// Runs the inner call for at most a duration, or for the time left of an outer limit if that is shorter.
    ///
    /// The limit includes the body of the output.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - next: the inner connector.
    ///   - own: the duration.
    ///   - timeLimit: the limit as it was set, for the error, which names the outer limit if that is shorter.
    func run(_ input: Input, _ next: Next, for own: Duration, _ timeLimit: TimeLimit) async -> Output {
        let left = next.context.remainingTime
        let limit = min(own, left ?? own, .maximumWait)
        if next.context.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        let isOwn = left.map { own <= $0 } ?? true
        let applied = isOwn ? timeLimit : next.context.timeLimit ?? timeLimit
        let end = timers.now() + limit
        let call = AbandonableCall(until: end, applied, now: timers.now)
        func setTimer() -> UInt64 {
            timers.set(at: end) {
                // In its own task: listeners and logs that wait for the end of a body must not hold up other timers.
                Task.detached { call.abandon(.timedOut(applied.cause)) }
            }
        }
        // An inner call that returns without suspending needs no timer, unless its body is still to be read.
        var timerID: UInt64?
        let output = await call.output(of: input, next) { timerID = setTimer() }
        guard let timer = timerID ?? (output.isOpen ? setTimer() : nil) else { return output }
        return output.onEnd { [timers] _ in timers.cancel(timer) }
    }
}

extension TimeoutRunner {
    /// Runs a request next to the engine, which returns at the head of its response, for at most a duration.
    func run(_ input: Input, _ next: Next, untilHead own: Duration) async -> Output {
        let limit = min(own, .maximumWait)
        if next.context.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        let (call, end) = (AbandonableCall(), timers.now() + limit)
        var timerID: UInt64?
        let limited = Next(handler: next.handler, context: next.context.limitedUntilHead())
        let output = await call.output(of: input, limited) {
            timerID = timers.set(at: end) { call.abandon(.timedOut(.noHeadInTime(limit: limit))) }
        }
        if let timerID { timers.cancel(timerID) }
        return output
    }
}
