public import StartSmallCore
import StartSmallSupport

extension Wrapper {
    /// Counts its calls in a group, which can cancel them all.
    ///
    /// The inner call runs in its own task, so that a call can be cancelled alone. The calling task continues, with
    /// ``ConnectionError/cancelled``; cancelling that task cancels the call, as always. The call ends at once even if
    /// the inner call does not: the inner call is abandoned, and its late output and the payload parts that it still
    /// delivers are discarded. A call with an open ``Response/body`` counts, and can be cancelled, until the body ends.
    ///
    /// - Passes through: all calls that the group does not cancel.
    /// - Order: outermost, so that a call counts as long as it runs, and cancelling ends its retries too.
    /// - Errors: ``ConnectionError/cancelled`` after ``CallGroup/cancelAll()``, regardless of the inner connector's
    ///   output.
    /// - State: the state of the group.
    public static func tracked(in group: CallGroup) -> Wrapper {
        Wrapper("tracked") { input, next in
            next.context.isDryRun ? await next(input) : await group.run(input, next)
        }
    }
}

/// The calls that run through ``Wrapper/tracked(in:)``, which can be counted, and cancelled all at once.
///
/// ```swift
/// let group = CallGroup()
/// let connector = Connector.standard.wrapped(by: .tracked(in: group))
/// group.cancelAll()
/// ```
///
/// Many connectors may share a group. Copies are the same group.
public struct CallGroup: Sendable {
    private struct State: Sendable {
        var next: UInt64 = 0
        var calls: [UInt64: AbandonableCall] = [:]
        var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]

        mutating func number() -> UInt64 {
            next &+= 1
            return next
        }
    }

    private let state = Locked(State())

    /// Creates a group without calls.
    public init() {}

    /// The number of running calls; a call with an open ``Response/body`` runs until the body has ended.
    public var count: Int {
        state.withLock { $0.calls.count }
    }

    /// The number of running calls: the current one first, then each change.
    ///
    /// A slow consumer gets the newest number, not each number between. The sequence never ends by itself. It is for
    /// one consumer: each use of this property is another sequence.
    public var changes: some AsyncSequence<Int, Never> & Sendable {
        let last = Locked<Int?>(nil)
        return ticks().compactMap { _ in
            let count = count
            return last.withLock { last in
                defer { last = count }
                return last == count ? nil : count
            }
        }
    }

    /// Cancels all running calls; each ends with ``ConnectionError/cancelled``, as does an open ``Response/body``.
    ///
    /// Calls that start later run normally. When this function returns, none of the cancelled calls sends another
    /// request, such as the next request of a redirect.
    public func cancelAll() {
        for call in state.withLock({ Array($0.calls.values) }) { call.abandon(.cancelled) }
    }

    /// Makes a call that `cancelAll` ends, even if the inner call ignores cancellation.
    func run(_ input: Input, _ next: Next) async -> Output {
        let call = AbandonableCall()
        let number = begin(call)
        return await call.output(of: input, next).onEnd { _ in end(number) }
    }

    /// Adds a call, and returns its number.
    private func begin(_ call: AbandonableCall) -> UInt64 {
        var number: UInt64 = 0
        update { state in
            number = state.number()
            state.calls[number] = call
        }
        return number
    }

    private func end(_ number: UInt64) {
        update { $0.calls[number] = nil }
    }

    /// Changes the calls, and notifies the watchers outside of the lock.
    private func update(_ change: (inout sending State) -> Void) {
        let watchers = state.withLock { state in
            change(&state)
            return state.watchers.isEmpty ? [] : Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Returns a stream of one tick at once, and one after each change.
    ///
    /// An older number could overtake a newer one on its way to the consumer; a tick has no number.
    private func ticks() -> AsyncStream<Void> {
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
