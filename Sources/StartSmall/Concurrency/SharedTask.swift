/// A task that several callers await together, and that is cancelled when the last of them stops waiting.
///
/// ```swift
/// let session = SharedTask { await logIn() }
/// let token = await session.value()  // joins the login that is running, or begins one
/// ```
///
/// A shared task is for a wrapper whose calls need one result, such as a login or a configuration. After the work has
/// ended, the next caller starts it again. Copies share one task.
public struct SharedTask<Value: Sendable>: Sendable {
    /// One run of the work, with the callers that wait for it.
    private struct Run {
        let number: UInt64
        var waiting: [UInt64: Promise<Value>] = [:]
        var task: Task<Void, Never>?
    }

    private struct State {
        var run: Run?
        var lastRun: UInt64 = 0
        var lastCaller: UInt64 = 0
    }

    private let work: @Sendable () async -> Value
    private let state: Locked<State>

    /// Creates a shared task, which starts when its value is first requested.
    ///
    /// - Parameter work: produces the value. Only one run is active at a time, apart from a cancelled run that has not
    ///   ended yet.
    public init(_ work: @escaping @Sendable () async -> Value) {
        self.work = work
        state = Locked(State())
    }

    /// Waits for the value of the running work, and starts the work if none is running.
    ///
    /// - Returns: the value; nil if the calling task was cancelled before the value was available.
    public func value() async -> Value? {
        if Task.isCancelled { return nil }
        let promise = Promise<Value>()
        let (run, caller, isFirst) = state.withLock { state in
            state.lastCaller += 1
            let isFirst = state.run == nil
            if isFirst {
                state.lastRun += 1
                state.run = Run(number: state.lastRun)
            }
            state.run?.waiting[state.lastCaller] = promise
            return (state.lastRun, state.lastCaller, isFirst)
        }
        if isFirst { begin(run) }
        let value = await promise.value()
        if value == nil { remove(caller, from: run) }
        return value
    }

    /// The number of waiting callers.
    var waitingCount: Int {
        state.withLock { $0.run?.waiting.count ?? 0 }
    }

    /// Runs the work in a separate task, which no single caller's end cancels.
    private func begin(_ run: UInt64) {
        let task = Task {
            let value = await work()
            end(run, with: value)
        }
        let isWanted = state.withLock { state in
            guard state.run?.number == run else { return false }
            state.run?.task = task
            return true
        }
        // All callers have left already, or the run has ended.
        if !isWanted { task.cancel() }
    }

    private func end(_ run: UInt64, with value: Value) {
        let waiting = state.withLock { state -> [Promise<Value>] in
            guard let ended = state.run, ended.number == run else { return [] }
            state.run = nil
            return Array(ended.waiting.values)
        }
        for promise in waiting { promise.fulfill(value) }
    }

    /// Removes a caller, and cancels the work if no other caller waits for it.
    private func remove(_ caller: UInt64, from run: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.run?.number == run else { return nil }
            state.run?.waiting[caller] = nil
            guard state.run?.waiting.isEmpty == true else { return nil }
            defer { state.run = nil }
            return state.run?.task
        }
        task?.cancel()
    }
}
