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
    private struct State: Sendable {
        var next: UInt64 = 0
        var calls: [UInt64: Promise<Output>] = [:]
        var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]

        mutating func number() -> UInt64 {
            next &+= 1
            return next
        }
    }

    private let state = Locked(State())

    /// Creates a group without calls.
    public init() {}

    /// How many calls run.
    public var count: Int {
        state.withLock { $0.calls.count }
    }

    /// How many calls run now, and then each time that their number is another.
    ///
    /// Who takes slowly is told the newest number, not all of those between. It has no end of its own.
    public var changes: Changes {
        Changes(group: self)
    }

    /// Cancels all calls that run: each ends with ``ConnectionError/cancelled``, and one that starts later runs.
    ///
    /// When this returns, none of them sends another request, such as the next of a redirect.
    public func cancelAll() {
        for call in state.withLock({ Array($0.calls.values) }) { call.abandon(.noResponse(.cancelled)) }
    }

    /// Makes a call that `cancelAll` ends, even if what is inside ignores that it is cancelled.
    func run(_ input: Input, _ next: Next) async -> Output {
        let answer = Promise<Output>()
        let number = begin(answer)
        // What is inside begins on this thread, and may be cancelled before anybody waits for it.
        let output = await answer.whileWanted {
            let task = answer.begin(input, next)
            let output = await answer.value() ?? .noResponse(.cancelled)
            task?.cancel()
            return output
        }
        end(number)
        return output
    }

    /// Counts a call, and gives its number.
    private func begin(_ answer: Promise<Output>) -> UInt64 {
        var number: UInt64 = 0
        tell { state in
            number = state.number()
            state.calls[number] = answer
        }
        return number
    }

    /// Counts a call no more.
    private func end(_ number: UInt64) {
        tell { $0.calls[number] = nil }
    }

    /// Changes the calls, and tells who watches, outside of the lock.
    private func tell(_ body: (inout sending State) -> Void) {
        let watchers = state.withLock { state in
            body(&state)
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// One tick at once, and one after each change.
    ///
    /// A number could be overtaken by an older one on its way; a tick can't.
    func ticks() -> AsyncStream<Void> {
        let (ticks, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        watcher.yield()
        let number = state.withLock { state in
            let number = state.number()
            state.watchers[number] = watcher
            return number
        }
        watcher.onTermination = { [state] _ in state.withLock { $0.watchers[number] = nil } }
        return ticks
    }
}
