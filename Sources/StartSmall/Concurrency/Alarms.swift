import Synchronization

/// One sleeping task for the alarms of many calls.
///
/// A task that sleeps for each call would be made and cancelled with each, and the timer of a cancelled sleep stays with
/// the system until its time: at a thousand calls a second with a limit of a minute, sixty thousand of them.
struct Alarms: Sendable {
    /// How much time has passed since these were made: what the times of alarms are counted from.
    let now: @Sendable () -> Duration

    private let sleep: @Sendable (_ end: Duration) async throws -> Void
    private let change: @Sendable ((inout State) -> Void) -> Void

    private struct State {
        var queue = AlarmQueue<Duration, @Sendable () -> Void>()
        var sleepers: UInt64 = 0
        var sleeper: Sleeper?
    }

    private struct Sleeper {
        let id: UInt64
        let wakesAt: Duration
        let task: Task<Void, Never>
    }

    init(clock: some Clock<Duration>) {
        let state = Mutex(State())
        now = clock.timeSinceNow()
        // Later than that, so that nobody wakes too early.
        let start = clock.now
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        change = { body in state.withLock { body(&$0) } }
    }

    /// Calls `ring` at that time, unless the alarm is turned off before.
    ///
    /// - Returns: what turns it off.
    func set(at time: Duration, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        var id: UInt64 = 0
        var late: Task<Void, Never>?
        change { state in
            id = state.queue.set(at: time, ring)
            if let sleeper = state.sleeper, sleeper.wakesAt <= time { return }
            late = state.sleeper?.task
            beginSleep(&state, until: time)
        }
        late?.cancel()
        return id
    }

    /// Turns an alarm off; one that rings already goes on.
    func turnOff(_ id: UInt64) {
        change { $0.queue.turnOff(id) }
    }

    /// Nothing of the call that happens to come first goes along: neither its priority nor its task locals.
    private func beginSleep(_ state: inout State, until time: Duration) {
        state.sleepers &+= 1
        let id = state.sleepers
        let task = Task.detached {
            do { try await sleep(time) } catch { return }
            wake(id)
        }
        state.sleeper = Sleeper(id: id, wakesAt: time, task: task)
    }

    /// Rings all alarms whose time has come, and sleeps again if there are others.
    private func wake(_ id: UInt64) {
        var due: [@Sendable () -> Void] = []
        let now = now()
        change { state in
            // Another sleeps in its place, since one was set that rings earlier.
            guard state.sleeper?.id == id else { return }
            due = state.queue.due(at: now)
            state.sleeper = nil
            if let next = state.queue.next { beginSleep(&state, until: next) }
        }
        for ring in due { ring() }
    }
}
