/// One sleeping task for the alarms of many calls, which ends when none of them is left.
///
/// A task that sleeps for each call would be made and cancelled with each, and the timer of a cancelled sleep stays with
/// the system until its time: at a thousand calls a second with a limit of a minute, sixty thousand of them. So by the
/// system's clocks it sleeps in short steps, and none of them is cancelled because nobody waits any more. By another clock,
/// such as that of a test, it sleeps until the first alarm, and is cancelled with the last: whoever sleeps waits.
struct TimerScheduler: Sendable {
    /// How much time has passed since these were made: what the times of alarms are counted from.
    let now: @Sendable () -> Duration

    private let step: Duration?
    private let sleep: @Sendable (_ end: Duration) async throws -> Void
    private let state = Locked(State())

    private struct State {
        var queue = TimerQueue<Duration, @Sendable () -> Void>()
        var sleepers: UInt64 = 0
        var sleeper: Sleeper?
    }

    private struct Sleeper {
        let id: UInt64
        let wakesAt: Duration
        let task: Task<Void, Never>
    }

    /// One second: a sleeper is not there for much longer than its calls, and wakes too rarely to matter while they wait.
    static let systemStep = Duration.seconds(1)

    /// Creates alarms by a clock, in steps if it is one of the system's.
    init(clock: some Clock<Duration>) {
        self.init(clock: clock, step: clock is ContinuousClock || clock is SuspendingClock ? Self.systemStep : nil)
    }

    /// Creates alarms by a clock; with a step, nobody sleeps for longer than that, and without, longer than there are alarms.
    init(clock: some Clock<Duration>, step: Duration?) {
        self.step = step
        now = clock.timeSinceNow()
        // Later than that, so that nobody wakes too early.
        let start = clock.now
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Calls `handler` at that time, unless the alarm is turned off before.
    ///
    /// - Returns: what turns it off.
    func set(at time: Duration, _ handler: @escaping @Sendable () -> Void) -> UInt64 {
        // No clock is asked under the lock.
        let now = now()
        let (id, late) = state.withLock { state -> (UInt64, Task<Void, Never>?) in
            let id = state.queue.set(at: time, handler)
            if let sleeper = state.sleeper, sleeper.wakesAt <= time { return (id, nil) }
            let late = state.sleeper?.task
            beginSleep(&state, until: time, now: now)
            return (id, late)
        }
        late?.cancel()
        return id
    }

    /// Turns an alarm off; one that rings already goes on.
    func cancel(_ id: UInt64) {
        let idle = state.withLock { state -> Task<Void, Never>? in
            state.queue.cancel(id)
            guard step == nil, state.queue.isEmpty else { return nil }
            defer { state.sleeper = nil }
            return state.sleeper?.task
        }
        idle?.cancel()
    }

    /// Nothing of the call that happens to come first goes along: neither its priority nor its task locals.
    private func beginSleep(_ state: inout State, until time: Duration, now: Duration) {
        state.sleepers &+= 1
        let id = state.sleepers
        let end = step.map { min(time, now + $0) } ?? time
        let task = Task.detached {
            do { try await sleep(end) } catch { return }
            wake(id)
        }
        state.sleeper = Sleeper(id: id, wakesAt: end, task: task)
    }

    /// Rings all alarms whose time has come, and sleeps again if there are others.
    private func wake(_ id: UInt64) {
        let now = now()
        let due = state.withLock { state -> [@Sendable () -> Void] in
            // Another sleeps in its place, since one was set that rings earlier.
            guard state.sleeper?.id == id else { return [] }
            let due = state.queue.due(at: now)
            state.sleeper = nil
            if let next = state.queue.next { beginSleep(&state, until: next, now: now) }
            return due
        }
        for handler in due { handler() }
    }
}
