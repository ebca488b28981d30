import Synchronization

/// How many calls may be made again, shared by all calls that use it, so that a failing service meets no storm.
///
/// While a service is well, a few tries more do it no harm. When it is down, each client that tries three times makes
/// its load three times as large, just when it can bear the least. A budget allows a few tries in any case, and beyond
/// them a share of the calls that succeed. Copies are one budget.
///
/// A call succeeds when it ends with 2xx, or with 304 (RFC 9110 15.3 and 15.4.5), in which its ``RetryCondition`` finds
/// nothing to mend. Any other status, even where trying again would not help, counts for nothing, as no response does.
///
/// As Finagle, linkerd and tower have it, but counted in whole hundredths of a try, so that 30 % are 30 %.
public struct RetryBudget: Sendable {
    /// How long a success, or a try, counts: 10 seconds, as Finagle has it.
    public static let defaultWindow: Duration = .seconds(10)

    /// How many tries a second are free: 10, as Finagle has it.
    public static let defaultFreePerSecond = 10

    /// How many tries a hundred successes allow beyond that: 20, as Finagle has it.
    public static let defaultPercent = 20

    /// A budget that allows everything.
    public static let unlimited = RetryBudget(deposit: {}, withdraw: { true })

    /// Tells that a call succeeded.
    let deposit: @Sendable () -> Void

    /// Takes one try out of the budget; false if there is none left.
    let withdraw: @Sendable () -> Bool

    private init(deposit: @escaping @Sendable () -> Void, withdraw: @escaping @Sendable () -> Bool) {
        self.deposit = deposit
        self.withdraw = withdraw
    }

    /// Creates a budget that is full.
    ///
    /// - Parameters:
    ///   - window: how long a success or a try counts, or up to a hundredth less; clamped to 1 to 60 seconds.
    ///   - freePerSecond: how many tries a second are free, counted over the window: 0 to 1,000.
    ///   - percent: how many tries a hundred successes allow beyond that: 0 to 1,000.
    ///   - clock: what measures the window.
    public init(
        window: Duration = defaultWindow,
        freePerSecond: Int = defaultFreePerSecond,
        percent: Int = defaultPercent,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        let ledger = Mutex(RetryBudgetState(window: window, freePerSecond: freePerSecond, percent: percent))
        let now = clock.timeSinceNow()
        deposit = {
            let time = now()
            ledger.withLock { $0.deposit(at: time) }
        }
        withdraw = {
            let time = now()
            return ledger.withLock { $0.withdraw(at: time) }
        }
    }
}

/// Successes and tries of the last while, in hundredths of a try, by hundredths of the window.
struct RetryBudgetState: Hashable, Sendable {
    private let slotLength: Duration
    private let reserve: Int64
    private let percent: Int64
    private var slots = [Int64](repeating: 0, count: slotCount)
    private var newest: Int128 = 0

    /// The sum of all slots.
    private var balance: Int64 = 0

    /// The hundredth that has begun, and the 99 before it: what was told when a slot began is forgotten after the window,
    /// and what was told at its end a hundredth earlier.
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

    /// Takes a try, if there is a whole one left.
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

    /// The place of a time among the slots, after what is older than the window was forgotten.
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
