import Synchronization

/// The calls that run through ``Wrapper/tracked(in:)``: how many they are, and an end to all of them at once.
///
/// ```swift
/// let group = CallGroup()
/// let connector = Connector.standard.wrapped(by: .tracked(in: group))
/// group.cancelAll()
/// ```
///
/// A group may be shared by many connectors. Copies are the same group.
public struct CallGroup: Sendable {
    /// A call, from when it counts.
    private enum Call: Sendable {
        /// It has not waited for anything yet, but may be cancelled already.
        case beginning(isCancelled: Bool)

        /// Its task can be cancelled.
        case running(Task<Output, Never>)
    }

    private struct State: Sendable {
        var next: UInt64 = 0
        var calls: [UInt64: Call] = [:]
        var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]

        mutating func number() -> UInt64 {
            next &+= 1
            return next
        }
    }

    private let change: @Sendable ((inout State) -> Void) -> Void

    /// Creates a group without calls.
    public init() {
        let state = Mutex(State())
        change = { body in state.withLock { body(&$0) } }
    }

    /// How many calls run.
    public var count: Int {
        var count = 0
        change { count = $0.calls.count }
        return count
    }

    /// How many calls run now, and then each time that their number is another.
    ///
    /// Who takes slowly is told the newest number, not all of those between. It has no end of its own.
    public var changes: Changes {
        Changes(group: self)
    }

    /// Cancels all calls that run: each ends with ``ConnectionError/cancelled``, and one that starts later runs.
    public func cancelAll() {
        var tasks: [Task<Output, Never>] = []
        change { state in
            for (number, call) in state.calls {
                switch call {
                case .beginning: state.calls[number] = .beginning(isCancelled: true)
                case .running(let task): tasks.append(task)
                }
            }
        }
        for task in tasks { task.cancel() }
    }

    /// Runs an operation that `cancelAll` cancels.
    func run(_ operation: @escaping @Sendable () async -> Output) async -> Output {
        let number = begin()
        // Unstructured: only a task of its own can be cancelled from outside without its caller's.
        let task = Task.begun {
            let output = await operation()
            return end(number) || Task.isCancelled ? .noResponse(.cancelled) : output
        }
        let beginning = enter(task, as: number)
        if beginning == .over { return await task.value }
        if beginning == .cancelled { task.cancel() }
        let output = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return beginning == .cancelled ? .noResponse(.cancelled) : output
    }

    /// Counts a call, and gives its number.
    private func begin() -> UInt64 {
        var number: UInt64 = 0
        tell { state in
            number = state.number()
            state.calls[number] = .beginning(isCancelled: false)
        }
        return number
    }

    /// What became of a call while it began.
    private enum Beginning { case over, cancelled, runs }

    /// From now on, `cancelAll` cancels the task.
    private func enter(_ task: Task<Output, Never>, as number: UInt64) -> Beginning {
        var beginning = Beginning.over
        change { state in
            guard case .beginning(let isCancelled)? = state.calls[number] else { return }
            beginning = isCancelled ? .cancelled : .runs
            state.calls[number] = .running(task)
        }
        return beginning
    }

    /// Counts a call no more; whether it was cancelled before it waited for anything.
    private func end(_ number: UInt64) -> Bool {
        var isCancelled = false
        tell { state in
            if case .beginning(true)? = state.calls.removeValue(forKey: number) { isCancelled = true }
        }
        return isCancelled
    }

    /// Changes the calls, and tells who watches, outside of the lock.
    private func tell(_ body: (inout State) -> Void) {
        var watchers: [AsyncStream<Void>.Continuation] = []
        change { state in
            body(&state)
            if !state.watchers.isEmpty { watchers = Array(state.watchers.values) }
        }
        for watcher in watchers { watcher.yield() }
    }

    /// One tick at once, and one after each change.
    ///
    /// A number could be overtaken by an older one on its way; a tick can't.
    func ticks() -> AsyncStream<Void> {
        let (ticks, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        watcher.yield()
        var number: UInt64 = 0
        change { state in
            number = state.number()
            state.watchers[number] = watcher
        }
        watcher.onTermination = { [change, number] _ in change { $0.watchers[number] = nil } }
        return ticks
    }
}
