/// A limit of concurrent calls that follows what the service can bear: additive increase, multiplicative decrease.
///
/// ```swift
/// .limitConcurrency(.adaptive(in: 1...50))
/// ```
public struct AdaptiveConcurrency: Hashable, Sendable {
    /// The smallest and the largest limit.
    let bounds: ClosedRange<Int>

    /// The first limit.
    let initial: Int

    /// The duration above which a call is a sign of overload.
    let slowCall: Duration

    /// From 1, so that one call always tests the service, to 200, as in Netflix's concurrency-limits.
    @usableFromInline static let defaultBounds = 1...200

    /// 20 calls, as in Netflix's concurrency-limits and Palantir's dialogue.
    @usableFromInline static let defaultInitial = 20

    /// 5 seconds, the timeout of Netflix's `AIMDLimit`.
    @usableFromInline static let defaultSlowCall: Duration = .seconds(5)

    /// The largest limit: a number of calls that `Double` counts exactly on all platforms.
    private static let largestLimit = Int(Int32.max)

    /// The factor of a decrease: 0.9, as in Netflix's `AIMDLimit` and Palantir's dialogue.
    static let decrease = 0.9

    /// Returns a limit.
    ///
    /// - Parameters:
    ///   - bounds: the smallest and the largest limit; the smallest is at least 1. 1 to 200 by default.
    ///   - initial: the first limit; 20 by default, or the nearest bound.
    ///   - slowCall: the duration above which a call is a sign of overload; 5 seconds by default.
    public static func adaptive(
        in bounds: ClosedRange<Int> = defaultBounds,
        from initial: Int = defaultInitial,
        slowerThan slowCall: Duration = defaultSlowCall
    ) -> AdaptiveConcurrency {
        let bounds = bounds.clamped(to: 1...largestLimit)
        let initial = min(max(initial, bounds.lowerBound), bounds.upperBound)
        return AdaptiveConcurrency(bounds: bounds, initial: initial, slowCall: slowCall)
    }
}

/// The decisions of an adaptive limit.
struct AdaptiveGate: AdmissionGate {
    /// The time without calls after which a limit is forgotten: the load of a service is another one by then.
    private static let retention: Duration = .seconds(600)

    private let policy: AdaptiveConcurrency

    /// The limit, whose whole part counts.
    private(set) var limit: Double
    private(set) var running = 0

    /// The time of the last decrease: a call that began before says nothing about the new limit.
    private var lastDecrease: Duration?
    private var lastEnd: Duration = .zero

    init(_ policy: AdaptiveConcurrency) {
        self.policy = policy
        limit = Double(policy.initial)
    }

    mutating func admit(at now: Duration) -> UInt64? {
        guard running < Int(limit) else { return nil }
        running += 1
        return 0
    }

    func start(behind others: Int, at now: Duration) -> Duration? { nil }

    mutating func end(_ call: EndedCall, at now: Duration) -> AffectedCalls {
        // A limit that is not used shows nothing about a larger one.
        let isUsed = 2 * running > Int(limit)
        running -= 1
        lastEnd = now
        switch call.outcome {
        case .unknown: break
        case .success where call.duration <= policy.slowCall:
            if isUsed { limit = min(limit + 1 / limit, Double(policy.bounds.upperBound)) }
        case .success, .failure:
            if let lastDecrease, now - call.duration < lastDecrease { break }
            limit = max(limit * AdaptiveConcurrency.decrease, Double(policy.bounds.lowerBound))
            lastDecrease = now
        }
        return .next
    }

    func isUnused(at now: Duration) -> Bool {
        running == 0 && (limit == Double(policy.initial) || now - lastEnd >= Self.retention)
    }
}
