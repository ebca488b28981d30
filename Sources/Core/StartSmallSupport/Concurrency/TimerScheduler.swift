/// A scheduler of timers for many calls, with one sleeping task, which ends when no timer is left.
///
/// One sleeping task for each call would be created and cancelled with each call, and the system keeps the timer of a
/// cancelled sleep until its time: at a thousand calls a second with a limit of a minute, sixty thousand of them.
/// Therefore, with the system's clocks, the task sleeps in short steps, and no sleep is cancelled for lack of timers.
/// With another clock, such as that of a test, the task sleeps until the first timer and is cancelled with the last
/// one: in a test, a manual clock then has a sleeping task exactly while a timer is waiting.
package struct TimerScheduler: Sendable {
    /// The time since the scheduler was created: the times of timers are relative to this.
    package let now: @Sendable () -> Duration

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

    /// The step of the system's clocks: one second.
    ///
    /// With this step, a task sleeps little longer than its calls, and wakes too rarely to matter.
    static let systemStep = Duration.seconds(1)

    /// Creates a scheduler with a clock, which sleeps in steps if the clock is one of the system's.
    package init(clock: some Clock<Duration>) {
        self.init(clock: clock, step: clock is ContinuousClock || clock is SuspendingClock ? Self.systemStep : nil)
    }

    /// Creates a scheduler with a clock.
    ///
    /// - Parameter step: the maximum time of one sleep; nil to sleep until the first timer, and only while there are
    ///   timers.
    init(clock: some Clock<Duration>, step: Duration?) {
        self.step = step
        now = clock.timeSinceNow()
        // Read after `now` was created, so that no sleep ends too early.
        let start = clock.now
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Adds a timer that calls a handler, unless the timer is cancelled before.
    ///
    /// - Returns: the ID of the timer, to cancel it.
    package func set(at time: Duration, _ handler: @escaping @Sendable () -> Void) -> UInt64 {
        // No clock is read under the lock.
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

    /// Cancels a timer; a handler that is running continues.
    package func cancel(_ id: UInt64) {
        let idle = state.withLock { state -> Task<Void, Never>? in
            state.queue.cancel(id)
            guard step == nil, state.queue.isEmpty else { return nil }
            defer { state.sleeper = nil }
            return state.sleeper?.task
        }
        idle?.cancel()
    }

    /// Starts a sleep; the detached task inherits neither the priority nor the task locals of the current call.
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

    /// Calls the handlers of all due timers, and sleeps again if there are more timers.
    private func wake(_ id: UInt64) {
        let now = now()
        let due = state.withLock { state -> [@Sendable () -> Void] in
            // Another task sleeps instead, since an earlier timer was added.
            guard state.sleeper?.id == id else { return [] }
            let due = state.queue.due(at: now)
            state.sleeper = nil
            if let next = state.queue.next { beginSleep(&state, until: next, now: now) }
            return due
        }
        for handler in due { handler() }
    }
}
