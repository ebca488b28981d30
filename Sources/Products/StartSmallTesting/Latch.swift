import StartSmallSupport
import Dispatch

/// A latch that opens once: earlier waiters resume then, and later waiters do not wait.
///
/// A latch replaces a pause: a script that contains `.wait(latch)` continues when the test calls `latch.open()`.
public struct Latch: Sendable {
    private struct State {
        var isOpen = false
        var ticket: UInt64 = 0
        var waiting: [UInt64: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// Creates a closed latch.
    public init() {}

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the latch permanently; a second call has no effect.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for resume in waiting { resume() }
    }

    /// Returns as soon as the latch is open, or the task is cancelled.
    public func wait() async {
        let ticket = takeTicket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                addWaiter(ticket) { continuation.resume() }
                if Task.isCancelled { removeWaiter(ticket) }
            }
        } onCancel: {
            removeWaiter(ticket)
        }
    }

    /// Returns as soon as this latch or another one is open, or the task is cancelled.
    func wait(or other: Latch) async {
        await withTaskGroup(of: Void.self) { group in
            for latch in [self, other] { group.addTask { await latch.wait() } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Blocks the thread until one of the latches is open.
    ///
    /// The function is for this module's own threads, never for those of Swift's pool.
    static func block(untilOneOpens latches: Latch...) {
        let semaphore = DispatchSemaphore(value: 0)
        let tickets = latches.map { latch in
            let ticket = latch.takeTicket()
            latch.addWaiter(ticket) { semaphore.signal() }
            return ticket
        }
        semaphore.wait()
        for (latch, ticket) in zip(latches, tickets) { latch.removeWaiter(ticket) }
    }

    private func takeTicket() -> UInt64 {
        state.withLock { state in
            state.ticket += 1
            return state.ticket
        }
    }

    /// Calls `resume` once: when the latch opens or the waiter is removed, or immediately if the latch is open.
    private func addWaiter(_ ticket: UInt64, _ resume: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting[ticket] = resume }
            return state.isOpen
        }
        if isOpen { resume() }
    }

    private func removeWaiter(_ ticket: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?()
    }
}
