import StartSmallSupport
import Synchronization

/// A budget of retries, shared by all calls that use it, so that clients do not overload a failing service.
///
/// A few retries do no harm to a healthy service. When a service is down, each client that tries three times triples
/// its load, just when the service can handle the least. A budget allows a few retries in any case, and beyond them a
/// share of the successful calls. Copies are one budget.
///
/// A call succeeds when it ends with 2xx, or with 304 (RFC 9110 15.3 and 15.4.5), and its ``RetryCondition`` does not
/// hold. Any other status, even one for which a retry would not help, does not count, and neither does a call without a
/// response.
///
/// Finagle, linkerd and tower have the same design; here, the budget is counted in whole hundredths of a retry, so that
/// 30 % are 30 %.
public struct RetryBudget: Sendable {
    /// The default time for which a success, or a retry, counts: 10 seconds, as in Finagle.
    @usableFromInline static let defaultWindow: Duration = .seconds(10)

    /// The default number of free retries per second: 10, as in Finagle.
    @usableFromInline static let defaultFreePerSecond = 10

    /// The default number of retries that a hundred successes allow beyond the free ones: 20, as in Finagle.
    @usableFromInline static let defaultPercent = 20

    /// A budget that allows all retries.
    public static let unlimited = RetryBudget(add: {}, take: { true })

    private let add: @Sendable () -> Void
    private let take: @Sendable () -> Bool

    private init(add: @escaping @Sendable () -> Void, take: @escaping @Sendable () -> Bool) {
        (self.add, self.take) = (add, take)
    }

    /// Records a successful call; for a custom wrapper that sends requests more than once, as ``withdraw()`` is.
    public func deposit() { add() }

    /// Takes one retry from the budget.
    ///
    /// - Returns: false if none is left.
    public func withdraw() -> Bool { take() }

    /// Creates a full budget.
    ///
    /// - Parameters:
    ///   - window: the time for which a success or a retry counts, or up to a hundredth less; 10 seconds by
    ///     default, clamped to 1 to 60 seconds.
    ///   - freePerSecond: the number of free retries per second, counted over the window: 0 to 1,000, 10 by default.
    ///   - percent: the number of retries that a hundred successes allow beyond the free ones: 0 to 1,000, 20 by
    ///     default.
    ///   - clock: the clock that measures the window.
    public init(
        window: Duration = defaultWindow,
        freePerSecond: Int = defaultFreePerSecond,
        percent: Int = defaultPercent,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        let ledger = Mutex(RetryBudgetState(window: window, freePerSecond: freePerSecond, percent: percent))
        let now = clock.timeSinceNow()
        add = {
            let time = now()
            ledger.withLock { $0.deposit(at: time) }
        }
        take = {
            let time = now()
            return ledger.withLock { $0.withdraw(at: time) }
        }
    }
}

/// The recent successes and retries, in hundredths of a retry, by hundredths of the window.
struct RetryBudgetState: Equatable, Sendable {
    private let slotLength: Duration
    private let reserve: Int64
    private let percent: Int64
    private var slots = [Int64](repeating: 0, count: slotCount)
    private var newest: Int128 = 0

    /// The sum of all slots.
    private var balance: Int64 = 0

    /// The current hundredth of the window, and the 99 before it.
    ///
    /// An entry from the beginning of a slot is discarded after the whole window, an entry from its end one hundredth
    /// earlier.
    private static let slotCount = 100
    private static let oneTry: Int64 = 100

    init(window: Duration, freePerSecond: Int, percent: Int) {
        let window = min(max(window, .seconds(1)), .seconds(60))
        slotLength = window / Self.slotCount
        let seconds = window.attoseconds * Int128(min(max(freePerSecond, 0), 1_000)) / 1_000_000_000_000_000_000
        reserve = Int64(seconds) * Self.oneTry
        self.percent = Int64(min(max(percent, 0), 1_000))
    }

    /// Adds a success.
    mutating func deposit(at time: Duration) {
        add(percent, to: slot(of: time))
    }

    /// Takes one retry from the budget, if a whole one is left.
    mutating func withdraw(at time: Duration) -> Bool {
        let slot = slot(of: time)
        guard reserve + balance >= Self.oneTry else { return false }
        add(-Self.oneTry, to: slot)
        return true
    }

    private mutating func add(_ hundredths: Int64, to slot: Int) {
        slots[slot] += hundredths
        balance += hundredths
    }

    /// Returns the index of the slot for a time, after discarding entries older than the window.
    private mutating func slot(of time: Duration) -> Int {
        let current = max(newest, time.attoseconds / slotLength.attoseconds)
        for passed in 0..<min(current - newest, Int128(Self.slotCount)) {
            let slot = Int((current - passed) % Int128(Self.slotCount))
            add(-slots[slot], to: slot)
        }
        newest = current
        return Int(current % Int128(Self.slotCount))
    }
}
