public import StartSmallCore
import StartSmallSupport

extension Wrapper {
    /// Ends a call with ``ConnectionError/timedOut(_:)`` when the call takes longer than a limit.
    ///
    /// The limit includes everything inside: waiting, redirects, retries, and the last byte of the payload, also of an
    /// open ``Response/body``. The call ends on time even if the inner call does not, which is abandoned
    /// (``AbandonableCall``).
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .timeout(.seconds(30)), .retry(), .timeout(.seconds(10)))
    /// ```
    ///
    /// Only code that blocks its thread instead of suspending, which no asynchronous function may do, delays the end. A
    /// call may be silent for the whole limit: the idle timeout of the engine is longer, unless it was set
    /// (``ConnectionOptions/idleTimeout``).
    ///
    /// - Parameters:
    ///   - limit: the maximum duration of a call.
    ///   - clock: the clock that measures the duration.
    /// - Passes through: calls that return an output in time, and calls with a ``CallOption/timeLimit(_:clock:)`` of their
    ///   own, unless this is a limit of each attempt, which ``CallOption/attemptTimeLimit(_:)`` replaces.
    /// - Order: outside of ``retry(_:budget:clock:random:now:)``, one limit for all attempts together; inside, a limit
    ///   for each attempt. Of nested limits, the smaller one applies, as ``CallContext/remainingTime`` shows.
    /// - Errors: ``ConnectionError/timedOut(_:)``, and ``ConnectionError/cancelled`` at once when the task is
    ///   cancelled.
    /// - State: one sleeping task for all calls of the connector, which ends when no call waits any more, or within a
    ///   second after that.
    public static func timeout(_ limit: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Wrapper {
        Wrapper("timeout") { connector in
            let limiter = TimeLimiter(clock: clock)
            return connector.wrapped(
                by: Wrapper { input, next in
                    guard next.context.isAttempt, let option = input.options[AttemptTimeLimit.self] else {
                        if next.context.hasTimeLimit, !next.context.isAttempt { return await next(input) }
                        return await limiter.run(input, next, for: limit, of: limit)
                    }
                    guard let own = option else { return await next(input) }
                    return await limiter.run(
                        input,
                        next,
                        for: own.duration,
                        of: own.duration,
                        option: AttemptTimeLimit.name,
                        // A longer limit than that of the connector says more about the service, and not less.
                        isChosen: own.isChosen && own.duration < limit
                    )
                }
            )
        }
    }

    /// Ends a call with ``ConnectionError/timedOut(_:)`` when the head of a response takes too long.
    ///
    /// ```swift
    /// let model = Connector.standard.wrapped(by: .timeout(untilHead: .seconds(120)))
    /// ```
    ///
    /// The limit applies to each request that is sent inside, from its start to the head of its response, including
    /// connecting and sending the payload. The payload of the response may take any time after that. Until the head,
    /// the limit replaces the engine's limit between two bytes (``ConnectionOptions/idleTimeout``), whether it is
    /// larger or smaller, so that a slow server needs no option of the engine. After the head, the engine's limit
    /// applies again.
    ///
    /// - Parameters:
    ///   - limit: the maximum duration until the head of a response.
    ///   - clock: the clock that measures the duration.
    /// - Passes through: responses whose head arrives in time.
    /// - Order: any. Each redirect and each attempt of ``retry(_:budget:clock:random:now:)`` has its own limit, whether
    ///   this wrapper is inside or outside of that one. Delays between them do not count. Of two limits, the smaller
    ///   one applies; ``timeout(_:clock:)`` limits the whole call in addition.
    /// - Errors: ``ConnectionError/timedOut(_:)`` with code 4 of the domain `StartSmall`, and
    ///   ``ConnectionError/cancelled`` at once when the task is cancelled.
    /// - State: as ``timeout(_:clock:)``; after the head, no task waits any more.
    public static func timeout(untilHead limit: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Wrapper {
        Wrapper("timeout(untilHead:)") { connector in
            let limiter = TimeLimiter(clock: clock)
            return connector.wrapped(
                by: .streaming { input, next in await limiter.run(input, next, untilHead: limit) }
            )
        }
    }

    /// Ends each call with ``ConnectionError/timedOut(_:)`` at a point in time.
    ///
    /// ``timeout(_:clock:)`` gives each call the same amount of time; a deadline gives many calls a common end: all
    /// calls of a screen, or all pages of a list. A call that begins after the deadline is not made. An open
    /// ``Response/body`` ends at the deadline as well, whether it is being read or not.
    ///
    /// - Parameters:
    ///   - end: the point in time at which calls end.
    ///   - clock: the clock of that point in time.
    /// - Passes through: calls that return an output in time.
    /// - Order: outside of wrappers that share the time: waiting, retrying, refreshing. Every inner wrapper can read
    ///   the time left from ``CallContext/remainingTime``.
    /// - Errors: ``ConnectionError/timedOut(_:)``, and ``ConnectionError/cancelled`` at once when the task is
    ///   cancelled.
    /// - State: as ``timeout(_:clock:)``.
    public static func deadline<C: Clock<Duration>>(_ end: C.Instant, clock: C = ContinuousClock()) -> Wrapper {
        Wrapper("deadline") { connector in
            let limiter = TimeLimiter(clock: clock)
            return connector.wrapped(
                by: Wrapper { input, next in
                    await limiter.run(input, next, for: clock.now.duration(to: end), of: nil)
                }
            )
        }
    }
}

/// Runs a call with a time limit, even if the inner call ignores cancellation.
struct TimeLimiter: Sendable {
    /// The limiter of all calls with an option for the real time: one timer task for all.
    static let continuous = TimeLimiter(clock: ContinuousClock())

    private let timers: TimerScheduler

    /// Creates a limiter with a clock.
    init(clock: some Clock<Duration>) { timers = TimerScheduler(clock: clock) }

    /// The time since the limiter was created.
    func now() -> Duration { timers.now() }

    /// Runs the inner call for at most a duration, which includes the body of the output.
    ///
    /// A smaller limit outside ends this call by its own timer.
    ///
    /// - Parameters:
    ///   - limit: the limit as it was set, for the error; nil for a point in time.
    ///   - option: the name of the option that set the limit, for the error; nil for a wrapper.
    ///   - isChosen: whether the caller has chosen the limit, so that its end says nothing about the service.
    func run(
        _ input: Input,
        _ next: Next,
        for own: Duration,
        of limit: Duration?,
        option: String? = nil,
        isChosen: Bool = false
    ) async -> Output {
        if next.context.isCancelled { return .noResponse(.cancelled) }
        if let option, own <= .zero {
            return .noResponse(.timedOut(.timeIsOver(limit: limit, option: option, isChosen: isChosen)))
        }
        guard min(own, next.context.remainingTime ?? own) > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        let end = timers.now() + min(own, .maximumWait)
        let call = AbandonableCall(isChosen: isChosen) { [timers] in end - timers.now() }
        // An inner call that returns without suspending needs no timer, unless its body is still to be read.
        var timerID: UInt64?
        var output = await call.output(of: input, next) {
            timerID = timers.set(at: end) {
                // In its own task: listeners and logs that wait for the end of a body must not hold up other timers.
                Task.detached { call.abandon(.timedOut(.timeIsOver(limit: limit, option: option, isChosen: isChosen))) }
            }
        }
        // A wrapper inside may see that the time is over before the timer ends the call.
        if output.isEndedInside, !Task.isCancelled, timers.now() >= end {
            output = .noResponse(.timedOut(.timeIsOver(limit: limit, option: option, isChosen: isChosen)))
        }
        guard let timerID else { return output }
        return output.onEnd { [timers] _ in timers.cancel(timerID) }
    }

    /// Runs a request next to the engine, which returns at the head of its response, for at most a duration.
    func run(_ input: Input, _ next: Next, untilHead own: Duration) async -> Output {
        let limit = min(own, .maximumWait)
        if next.context.isCancelled { return .noResponse(.cancelled) }
        guard limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
        let (call, end) = (AbandonableCall(), timers.now() + limit)
        var timerID: UInt64?
        let output = await call.output(of: input, next.with { $0.isLimitedUntilHead = true }) {
            timerID = timers.set(at: end) { call.abandon(.timedOut(.noHeadInTime(limit: limit))) }
        }
        if let timerID { timers.cancel(timerID) }
        return output
    }
}

extension Output {
    /// Whether a wrapper inside has ended the call since it saw that the time was over, or the call abandoned.
    fileprivate var isEndedInside: Bool {
        guard case .noResponse(let error) = self else { return false }
        return error == .cancelled || error == .timedOut(.noTimeLeft)
    }
}
