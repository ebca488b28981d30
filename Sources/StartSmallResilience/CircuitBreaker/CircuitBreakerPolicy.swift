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
    ///
    /// - Parameters:
    ///   - trip: the failures that open the circuit; by default half of at least 20 calls in 30 seconds.
    ///   - openFor: the time for which an open circuit sends nothing; 5 seconds by default.
    public init(trip: Trip = .failureRate(), openFor: Duration = defaultOpenFor) {
        (self.trip, self.openFor) = (trip, openFor)
    }
}
