import Synchronization

/// One sleeping task for the alarms of many calls.
///
/// A task that sleeps for each call would be made and cancelled with each, and the timer of a cancelled sleep stays with
/// the system until its time: at a thousand calls a second with a limit of a minute, sixty thousand of them.
struct Alarms<C: Clock<Duration>>: Sendable {
    private let clock: C
    private let change: @Sendable ((inout State) -> Void) -> Void

    private struct State {
        var alarms: [UInt64: Alarm] = [:]
        var lastID: UInt64 = 0
        var sleeper: Sleeper?

        mutating func nextID() -> UInt64 {
            lastID &+= 1
            return lastID
        }
    }

    private struct Alarm {
        let time: C.Instant
        let ring: @Sendable () -> Void
    }

    private struct Sleeper {
        let id: UInt64
        let wakesAt: C.Instant
        let task: Task<Void, Never>
    }

    init(clock: C) {
        let state = Mutex(State())
        self.clock = clock
        self.change = { body in state.withLock { body(&$0) } }
    }

    /// Calls `ring` at that time, unless the alarm is turned off before.
    ///
    /// - Returns: what turns it off.
    func set(at time: C.Instant, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        var id: UInt64 = 0
        var late: Task<Void, Never>?
        change { state in
            id = state.nextID()
            state.alarms[id] = Alarm(time: time, ring: ring)
            if let sleeper = state.sleeper, sleeper.wakesAt <= time { return }
            late = state.sleeper?.task
            sleep(&state, until: time)
        }
        late?.cancel()
        return id
    }

    /// Turns an alarm off; one that rings already goes on.
    func turnOff(_ id: UInt64) {
        change { $0.alarms[id] = nil }
    }

    /// Nothing of the call that happens to come first goes along: neither its priority nor its task locals.
    private func sleep(_ state: inout State, until time: C.Instant) {
        let id = state.nextID()
        let task = Task.detached {
            do { try await clock.sleep(until: time, tolerance: nil) } catch { return }
            wake(id)
        }
        state.sleeper = Sleeper(id: id, wakesAt: time, task: task)
    }

    /// Rings all alarms whose time has come, and sleeps again if there are others.
    private func wake(_ id: UInt64) {
        var due: [Alarm] = []
        change { state in
            // Another sleeps in its place, since one was set that rings earlier.
            guard state.sleeper?.id == id else { return }
            let now = clock.now
            due = state.alarms.values.filter { $0.time <= now }.sorted { $0.time < $1.time }
            state.alarms = state.alarms.filter { $0.value.time > now }
            state.sleeper = nil
            if let next = state.alarms.values.map(\.time).min() { sleep(&state, until: next) }
        }
        for alarm in due { alarm.ring() }
    }
}
