public import StartSmallCore
public import StartSmallFoundation
import StartSmallHeaders
public import StartSmallRetry
import Synchronization

extension Wrapper {
    /// Sends no requests to a service that fails, until a test call succeeds.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .retry(), .circuitBreaker())
    /// ```
    ///
    /// | circuit | calls | becomes |
    /// | --- | --- | --- |
    /// | closed | are sent | open, when enough of them fail (``CircuitBreakerPolicy/Trip``) |
    /// | open | fail at once | half-open, after ``CircuitBreakerPolicy/openFor`` |
    /// | half-open | one is sent at a time, the others fail at once | closed after a success, open after a failure |
    ///
    /// A call that began before a change of its circuit has no effect on the circuit. A call that is cancelled, or that
    /// was never sent, counts neither as a success nor as a failure; a call that an outer time limit ends counts as a
    /// failure. A stream counts at the end of its body: a body that breaks off is a failure, and one that is discarded
    /// is a cancelled call. A cancelled test call leaves its place to the next call, and so does one that takes longer
    /// than ``CircuitBreakerPolicy/openFor``, such as a stream.
    ///
    /// - Parameters:
    ///   - policy: the rules by which a circuit opens and closes.
    ///   - key: the calls that share a circuit; those to one origin by default.
    ///   - isFailure: whether the output of a call is a failure of the service; by default a transient one, as
    ///     `RetryCondition.isTransient` decides.
    ///   - clock: the clock that measures the times.
    ///   - now: returns the current time, for the error.
    /// - Passes through: all calls while the circuit is closed.
    /// - Order: inside of `.fallback` and `.retry`: each attempt counts, and an open circuit is not retried. Inside of
    ///   `.rateLimit` and `.limitConcurrency`: calls that wait there would reach the service although it has failed
    ///   meanwhile. Outside of the time limit of each attempt, which counts as a failure at once.
    /// - Events: ``CircuitEvent`` when the circuit opens or closes, for a test call, and for a refused call. A
    ///   change by a call that an outer time limit has ended is not reported: that call is over.
    /// - Errors: ``CircuitOpen`` for a refused call, with the time from which a call is sent
    ///   again.
    /// - State: the circuits, created once per wrap: all calls through the wrapped connector share them.
    public static func circuitBreaker(
        _ policy: CircuitBreakerPolicy = CircuitBreakerPolicy(),
        sharedBy key: CallKey = .origin,
        countingAsFailure isFailure: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool = {
            RetryCondition.isTransient($1)
        },
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper("circuitBreaker") { connector in
            let time = clock.timeSinceNow()
            let circuits = Mutex(KeyedStates { Circuit(policy) })
            let breaking = Wrapper { input, next in
                if next.context.isDryRun { return await next(input) }
                if next.isOver { return .noResponse(.cancelled) }
                let (key, start) = (key(input), time())
                switch circuits.withLock({ $0.withState(of: key, at: start) { $0.begin(at: start) } }) {
                case .refuse(let duration):
                    next.report(CircuitEvent.refused(for: duration))
                    return .noResponse(.circuitOpen(until: now().advanced(by: duration)))
                case .send(let permit, let isTest):
                    if isTest { next.report(CircuitEvent.halfOpen) }
                    return await next(input).whenEnded { ended in
                        let outcome = CallOutcome(ended, in: next.context) {
                            isFailure(input, ended)
                        }
                        let now = time()
                        let change = circuits.withLock {
                            $0.withState(of: key, at: now) { $0.end(permit, outcome, at: now) }
                        }
                        if let change { next.report(change) }
                    }
                }
            }
            return connector.wrapped(by: breaking)
        }
    }
}

/// A change of a circuit, or a refused call, as `.circuitBreaker` reports it.
public enum CircuitEvent: ReportedEvent, Hashable {
    /// The circuit opened: no request is sent for this time.
    case opened(for: Duration)

    /// The call tests the service.
    case halfOpen

    /// The circuit closed, since a test call succeeded.
    case closed

    /// The call was refused; one may be sent after this time.
    case refused(for: Duration)

    /// The name of the event.
    public var name: String { "circuit" }
}

/// The refusal of a circuit breaker, which sends no requests before a time, since the service fails.
public struct CircuitOpen: Refusal {
    /// The time from which a call is sent again.
    public let until: Date

    /// The name of the refusal.
    public var name: String { "circuitOpen" }

    /// The reason, for developers.
    public var reason: String { "the service fails, and gets no request before \(until.ISO8601Format())" }

    /// The time from which a call may pass.
    public var end: RefusalEnd { .at(until) }

    /// The part whose change lets a later call pass: the service.
    public var fault: ConnectionError.Fault { .service }
}

extension ConnectionError {
    /// Returns the error of a call that a circuit breaker refused (``CircuitOpen``).
    public static func circuitOpen(until date: Date) -> ConnectionError { .refused(CircuitOpen(until: date)) }
}

/// The rules by which a circuit breaker opens and closes.
public struct CircuitBreakerPolicy: Hashable, Sendable {
    /// The failures that open a circuit.
    public enum Trip: Hashable, Sendable {
        /// A share of the calls of the last time failed.
        ///
        /// - Parameters:
        ///   - rate: the share from 0 to 1 that opens the circuit; half by default.
        ///   - window: the time whose calls count; 30 seconds by default.
        ///   - minimumCalls: the number of calls in that time below which the circuit stays closed; 20 by default.
        case failureRate(
            Double = CircuitBreakerPolicy.defaultFailureRate,
            over: Duration = CircuitBreakerPolicy.defaultWindow,
            minimumCalls: Int = CircuitBreakerPolicy.defaultMinimumCalls
        )

        /// A number of calls in a row failed.
        case consecutiveFailures(Int)
    }

    /// The failures that open the circuit.
    public var trip: Trip

    /// The time for which an open circuit sends nothing.
    public var openFor: Duration

    /// Half of the calls, as in Hystrix and resilience4j.
    @usableFromInline static let defaultFailureRate = 0.5

    /// The calls of 30 seconds, as in Polly and .NET.
    @usableFromInline static let defaultWindow: Duration = .seconds(30)

    /// 20 calls, as in Hystrix: two failures of two calls do not say that a service is down.
    @usableFromInline static let defaultMinimumCalls = 20

    /// 5 seconds, as in Polly and Hystrix.
    @usableFromInline static let defaultOpenFor: Duration = .seconds(5)

    /// Creates a policy.
    public init(trip: Trip = .failureRate(), openFor: Duration = defaultOpenFor) {
        (self.trip, self.openFor) = (trip, openFor)
    }
}
