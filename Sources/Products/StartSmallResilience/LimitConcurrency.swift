public import StartSmallCore

extension Wrapper {
    /// Limits the number of calls that run at once; further calls wait, first come, first served.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .retry(), .limitConcurrency(4))
    /// ```
    ///
    /// A call that is cancelled while it waits gives up its place in the queue. A running call keeps its permit until
    /// the inner connector has returned, and an open `Response.body` has ended, so the limit is never exceeded.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of concurrent calls; with less than 1, every call is refused.
    ///   - waiting: the maximum number of waiting calls; nil for no maximum.
    /// - Passes through: calls that start while fewer than `limit` calls run.
    /// - Order: outside of a time limit that should not include the waiting, inside of one that should. Inside of
    ///   `.retry`, so that a call that waits for its next attempt holds no permit. Inside of `.refreshToken`: outside,
    ///   the calls that wait for a refresh hold their permits, and a refresh that needs a permit, because it calls
    ///   through the app's own connector instead of the connector passed to it, waits forever. Inside of a cache, whose
    ///   answers need no permit.
    /// - Events: ``Waiting`` if the call has to wait.
    /// - Errors: ``TooManyCalls`` if the maximum number of calls already waits.
    /// - State: the running and the waiting calls, created once per wrap: all calls through the wrapped connector share
    ///   it.
    public static func limitConcurrency(_ limit: Int, waiting: Int? = nil) -> Wrapper {
        let waiting = limit < 1 ? 0 : waiting
        return limitConcurrency(
            by: ConcurrencyGate(limit: limit),
            TooManyCalls(limit: limit, waiting: waiting ?? 0),
            maxWaiting: waiting ?? .max,
            sharedBy: .connector,
            clock: ContinuousClock()
        ) { _, _ in { _, _ in EndedCall() } }
    }

    /// Limits the calls by a gate, which each of them passes when it starts and when its output has ended.
    ///
    /// - Parameter ended: returns a function for the end of a call, which returns what the gate learns from its output
    ///   and the time since its start.
    static func limitConcurrency(
        by gate: some AdmissionGate,
        _ refusal: TooManyCalls,
        maxWaiting: Int,
        sharedBy key: CallKey,
        clock: some Clock<Duration>,
        ended: @escaping @Sendable (Input, CallContext) -> @Sendable (Output, Duration) -> EndedCall
    ) -> Wrapper {
        Wrapper("limitConcurrency") { connector in
            let control = AdmissionControl(gate, maxWaiting: max(0, maxWaiting), clock: clock)
            let limiting = Wrapper { input, next in
                if next.context.isDryRun { return await next(input) }
                let key = key(input)
                let start: Duration
                switch await control.admission(to: key, maxWait: .maximum, next) {
                case .admitted(let call): start = call.start
                case .cancelled: return .noResponse(.cancelled)
                case .refused: return .noResponse(.refused(refusal))
                }
                let ended = ended(input, next.context)
                return await next(input).whenEnded { output in
                    control.end(ended(output, control.time() - start), of: key)
                }
            }
            return connector.wrapped(by: limiting)
        }
    }
}

/// The refusal of a limit of concurrent calls: all of them run, and the maximum number of others waits.
public struct TooManyCalls: Refusal {
    /// The maximum number of concurrent calls.
    public let limit: Int

    /// The maximum number of waiting calls.
    public let waiting: Int

    /// The name of the refusal.
    public var name: String { "tooManyCalls" }

    /// The reason, for developers.
    public var reason: String { "the limits of \(limit) running and \(waiting) waiting calls are reached" }

    /// The time from which a call may pass: unknown, since it depends on the calls that run.
    public var end: RefusalEnd { .unknown }

    /// The part whose change lets a later call pass: the limit.
    public var fault: ConnectionError.Fault { .limit }
}

extension ConnectionError {
    /// Returns the error of a call that a limit of concurrent calls refused (``TooManyCalls``).
    ///
    /// - Parameters:
    ///   - limit: the maximum number of concurrent calls.
    ///   - waiting: the maximum number of waiting calls.
    public static func tooManyCalls(limit: Int, waiting: Int) -> ConnectionError {
        .refused(TooManyCalls(limit: limit, waiting: waiting))
    }
}

struct ConcurrencyGate: AdmissionGate {
    let limit: Int
    private(set) var running = 0

    init(limit: Int) { self.limit = limit }

    mutating func admit(_ tokens: Int, at now: Duration) -> Bool {
        guard running < limit else { return false }
        running += 1
        return true
    }

    func start(of tokens: Int, behind others: CallsAhead, at now: Duration) -> Duration? { nil }

    mutating func end(_ call: EndedCall, at now: Duration) { running -= 1 }

    func isUnused(at now: Duration) -> Bool { running == 0 }
}
