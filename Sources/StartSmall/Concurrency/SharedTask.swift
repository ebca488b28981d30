import Synchronization

/// A task that several callers await together, and that is cancelled when the last of them stops waiting.
///
/// ```swift
/// let session = SharedTask { await logIn() }
/// let token = await session.value()  // joins the login that is running, or begins one
/// ```
///
/// For a wrapper whose calls need one result, such as a login or a configuration. When the work has ended, the next caller
/// begins it anew. Copies are one task.
public struct SharedTask<Value: Sendable>: Sendable {
    /// One run of the work, and the callers that wait for it.
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
    private let change: @Sendable ((inout State) -> Void) -> Void

    /// Creates a shared task, which does not begin before its value is asked for.
    ///
    /// - Parameter work: makes the value; runs at most once at a time, but for a cancelled run that has not ended yet.
    public init(_ work: @escaping @Sendable () async -> Value) {
        self.work = work
        let state = Mutex(State())
        change = { body in state.withLock { body(&$0) } }
    }

    /// Waits for the value of the running work, which begins if there is none.
    ///
    /// - Returns: the value; nil if the task that asks was cancelled before it came.
    public func value() async -> Value? {
        if Task.isCancelled { return nil }
        let promise = Promise<Value>()
        var (run, caller, isFirst) = (UInt64(0), UInt64(0), false)
        change { state in
            state.lastCaller += 1
            caller = state.lastCaller
            if state.run == nil {
                state.lastRun += 1
                state.run = Run(number: state.lastRun)
                isFirst = true
            }
            state.run?.waiting[caller] = promise
            run = state.lastRun
        }
        if isFirst { begin(run) }
        let value = await promise.value()
        if value == nil { leave(caller, run) }
        return value
    }

    /// The number of callers that wait.
    var waitingCount: Int {
        var count = 0
        change { count = $0.run?.waiting.count ?? 0 }
        return count
    }

    /// Runs the work in a task of its own, which the end of no single caller cancels.
    private func begin(_ run: UInt64) {
        let task = Task {
            let value = await work()
            end(run, with: value)
        }
        var isWanted = true
        change { state in
            isWanted = state.run?.number == run
            if isWanted { state.run?.task = task }
        }
        // All have left already, or it has ended.
        if !isWanted { task.cancel() }
    }

    private func end(_ run: UInt64, with value: Value) {
        var waiting: [Promise<Value>] = []
        change { state in
            guard let ended = state.run, ended.number == run else { return }
            waiting = Array(ended.waiting.values)
            state.run = nil
        }
        for promise in waiting { promise.fulfill(value) }
    }

    /// Cancels the work if nobody else waits for it.
    private func leave(_ caller: UInt64, _ run: UInt64) {
        var task: Task<Void, Never>?
        change { state in
            guard state.run?.number == run else { return }
            state.run?.waiting[caller] = nil
            guard state.run?.waiting.isEmpty == true else { return }
            task = state.run?.task
            state.run = nil
        }
        task?.cancel()
    }
}
