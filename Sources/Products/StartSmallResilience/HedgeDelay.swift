import StartSmallFoundation

/// The time after which a call gets a second request.
public enum HedgeDelay: Hashable, Sendable {
    /// A fixed time.
    case fixed(Duration)

    /// A percentile of the observed durations, from 0 to 100: with 95, the slowest 5 % get a second request.
    ///
    /// There is no second request before 20 calls have succeeded.
    case percentile(Double)
}

/// The delay of one key, with the durations of its last requests if the delay depends on them.
struct Latencies: ExpiringState {
    /// The number of durations that are kept: with 256, the 95th percentile has 13 longer ones.
    private static let capacity = 256

    /// The number of durations without which no percentile is known: the 95th of 20 is the longest but one.
    private static let minimumCount = 20

    /// The number of new durations after which the percentile is determined anew: sorting costs as much as ten calls.
    private static let refreshInterval = 64

    /// The time without requests after which the durations are forgotten.
    private static let retention: Duration = .seconds(600)

    private let percentile: Double?

    /// The durations in nanoseconds, which are sorted faster than durations.
    private var durations: [Int64] = []
    private var next = 0
    private var sinceRefresh = 0
    private var lastTime: Duration = .zero

    /// The delay of a second request; nil until enough durations are known.
    private(set) var delay: Duration?

    init(_ delay: HedgeDelay) {
        switch delay {
        case .fixed(let delay): (percentile, self.delay) = (nil, delay.bounded)
        case .percentile(let percentile): self.percentile = percentile.isNaN ? 100 : min(max(percentile, 0), 100)
        }
    }

    mutating func add(_ duration: Duration, at now: Duration) {
        lastTime = max(lastTime, now)
        guard let percentile else { return }
        let nanoseconds = Int64(duration.bounded / .nanoseconds(1))
        if durations.count < Self.capacity { durations.append(nanoseconds) } else { durations[next] = nanoseconds }
        next = (next + 1) % Self.capacity
        sinceRefresh += 1
        guard durations.count >= Self.minimumCount, delay == nil || sinceRefresh >= Self.refreshInterval else { return }
        sinceRefresh = 0
        let sorted = durations.sorted()
        let rank = Int((percentile / 100 * Double(sorted.count)).rounded(.up))
        delay = .nanoseconds(sorted[min(max(rank, 1), sorted.count) - 1])
    }

    func isUnused(at now: Duration) -> Bool { now - lastTime >= Self.retention }
}
