import StartSmallSupport
public import Foundation

/// A clock that advances only on request, so that tests of waiting do not wait.
///
/// ```swift
/// let clock = ManualClock()
/// async let output = WebAPI.call(with: input, via: silent.wrapped(by: .timeout(.seconds(10), clock: clock)))
/// await clock.waitForSleepers(count: 1)
/// clock.advance(by: .seconds(10))
/// ```
///
/// Copies share one clock.
///
/// A test of a limit needs something that is still open when the clock moves, such as `.silent()` or a stub with
/// `until:`. The parts of a plain `.stub(parts:)` are there at once, so that its stream ends well whatever the limit;
/// ``remaining`` is empty after that, which proves nothing.
public struct ManualClock: Clock {
    /// A point in time, relative to the clock's start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Duration

        /// Creates a point in time.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// Returns the point in time that is later by `duration`.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from this point to another one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether the left point is earlier than the right one.
        ///
        /// - Parameters:
        ///   - left: a point in time.
        ///   - right: another point in time.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let queue = Locked(SleeperQueue())

    /// Creates a clock at zero.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { snapshot.now }

    /// The smallest step of the clock.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks.
    public var sleeperCount: Int { snapshot.sleepers.count }

    /// The remaining times of the sleeping tasks, the next to wake first.
    public var remaining: [Duration] {
        let snapshot = snapshot
        return snapshot.sleepers.map { snapshot.now.duration(to: $0.deadline) }
    }

    /// Advances the clock, and wakes all due tasks in the order of their deadlines, and then of their arrival.
    ///
    /// The clock shows its new time before any task wakes, and never goes back.
    public func advance(by duration: Duration) {
        for sleeper in queue.withLock({ $0.advance(by: duration) }) { sleeper.wake(.success(())) }
    }

    /// The real time after which a wait for sleepers fails: 20 seconds.
    ///
    /// Longer than a task needs to reach its sleep on a machine that is busy with other tests, and shorter than the
    /// least time limit of a test, a minute.
    @usableFromInline static let defaultSleeperLimit = Duration.seconds(20)

    /// Waits until at least `count` tasks sleep on the clock.
    ///
    /// If so many tasks do not sleep within a limit of real time, the number is probably wrong. The wait then fails: it
    /// prints how many tasks sleep, and for how long, and cancels the task of the test. The calls that the test awaits
    /// end as cancelled, so that the test fails instead of waiting for ever. In a test that expects nothing after this,
    /// expect the result.
    ///
    /// - Parameters:
    ///   - count: the number of tasks.
    ///   - limit: the limit of real time; 20 seconds by default.
    ///   - clock: the clock of that limit.
    ///   - fileID: the file of the caller, for the text.
    ///   - line: the line of the caller, for the text.
    ///   - print: writes the text; by default to standard error.
    /// - Returns: true as soon as that many tasks sleep; false if the limit was reached, or the task was cancelled.
    @discardableResult
    public func waitForSleepers(
        count: Int,
        within limit: Duration = defaultSleeperLimit,
        clock: some Clock<Duration> = ContinuousClock(),
        fileID: String = #fileID,
        line: Int = #line,
        print: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    ) async -> Bool {
        let reached = Latch()
        if queue.withLock({ $0.watch(count, reached) }) { return true }
        let isLate = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await reached.wait()
                return false
            }
            group.addTask { (try? await clock.sleep(for: limit)) != nil }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        // The number may have been reached after the limit, and a cancelled wait returns before it.
        if reached.isOpen { return true }
        guard isLate, !Task.isCancelled else { return false }
        let remaining = remaining
        let sleepers = remaining.isEmpty ? "" : ", for \(remaining.map { "\($0)" }.joined(separator: ", "))"
        let place = "\(fileID):\(line): waitForSleepers(count: \(count))"
        print("\(place): only \(remaining.count) sleep after \(limit)\(sleepers)")
        withUnsafeCurrentTask { $0?.cancel() }
        return false
    }

    /// Sleeps until the clock is advanced to a deadline.
    ///
    /// - Parameters:
    ///   - deadline: the time at which to wake.
    ///   - tolerance: ignored.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let ticket = queue.withLock { $0.takeTicket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                addSleeper(SleeperQueue.Sleeper(deadline: deadline, ticket: ticket) { continuation.resume(with: $0) })
                // If the task was cancelled before this point, the handler found no sleeper to wake.
                if Task.isCancelled { cancelSleeper(ticket) }
            }
        } onCancel: {
            cancelSleeper(ticket)
        }
    }

    private var snapshot: SleeperQueue {
        queue.withLock { $0 }
    }

    private func addSleeper(_ sleeper: SleeperQueue.Sleeper) {
        let (isDue, watchers) = queue.withLock { queue in
            sleeper.deadline <= queue.now ? (true, []) : (false, queue.add(sleeper))
        }
        for watcher in watchers { watcher.open() }
        if isDue { sleeper.wake(.success(())) }
    }

    private func cancelSleeper(_ ticket: UInt64) {
        queue.withLock { $0.remove(ticket) }?.wake(.failure(CancellationError()))
    }
}

/// The sleeping tasks with their deadlines, and the watchers of their number.
private struct SleeperQueue {
    struct Sleeper: Sendable {
        let deadline: ManualClock.Instant
        let ticket: UInt64
        let wake: @Sendable (Result<Void, any Error>) -> Void
    }

    var now = ManualClock.Instant()
    private(set) var sleepers: [Sleeper] = []
    private var watchers: [(count: Int, reached: Latch)] = []
    private var ticket: UInt64 = 0

    mutating func takeTicket() -> UInt64 {
        ticket += 1
        return ticket
    }

    /// Adds a watcher of the number of sleepers, and returns whether the number is reached already.
    mutating func watch(_ count: Int, _ reached: Latch) -> Bool {
        if sleepers.count < count { watchers.append((count, reached)) }
        return sleepers.count >= count
    }

    /// Inserts a sleeper after all that wake before or with it, and returns the watchers whose count is reached.
    mutating func add(_ sleeper: Sleeper) -> [Latch] {
        let index = sleepers.firstIndex { sleeper.deadline < $0.deadline } ?? sleepers.endIndex
        sleepers.insert(sleeper, at: index)
        defer { watchers.removeAll { $0.count <= sleepers.count } }
        return watchers.filter { $0.count <= sleepers.count }.map(\.reached)
    }

    mutating func remove(_ ticket: UInt64) -> Sleeper? {
        sleepers.firstIndex { $0.ticket == ticket }.map { sleepers.remove(at: $0) }
    }

    mutating func advance(by duration: Duration) -> ArraySlice<Sleeper> {
        if duration > .zero { now = now.advanced(by: duration) }
        let due = sleepers.prefix { $0.deadline <= now }
        sleepers.removeFirst(due.count)
        return due
    }
}
