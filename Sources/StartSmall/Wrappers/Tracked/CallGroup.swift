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
        /// Its task is not there yet, but may be cancelled already.
        case starting(isCancelled: Bool)

        /// Its task can be cancelled.
        case running(cancel: @Sendable () -> Void)
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
        var cancels: [@Sendable () -> Void] = []
        change { state in
            for (number, call) in state.calls {
                switch call {
                case .starting: state.calls[number] = .starting(isCancelled: true)
                case .running(let cancel): cancels.append(cancel)
                }
            }
        }
        for cancel in cancels { cancel() }
    }

    /// Runs an operation that `cancelAll` cancels.
    func run(_ operation: @escaping @Sendable () async -> Output) async -> Output {
        var number: UInt64 = 0
        tell { state in
            number = state.number()
            state.calls[number] = .starting(isCancelled: false)
        }
        // Unstructured: only a task of its own can be cancelled from outside without its caller's.
        let task = Task {
            let output = await operation()
            return Task.isCancelled ? .noResponse(.cancelled) : output
        }
        var isCancelled = false
        change { state in
            if case .starting(let cancelled)? = state.calls[number] { isCancelled = cancelled }
            state.calls[number] = .running(cancel: task.cancel)
        }
        if isCancelled { task.cancel() }
        let output = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        tell { $0.calls[number] = nil }
        return output
    }

    /// Changes the calls, and tells who watches, outside of the lock.
    private func tell(_ body: (inout State) -> Void) {
        var watchers: [AsyncStream<Void>.Continuation] = []
        change { state in
            body(&state)
            watchers = Array(state.watchers.values)
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
