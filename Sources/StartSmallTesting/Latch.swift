import Dispatch
import Synchronization

/// A door that is opened once: whoever waits before goes on then, and whoever comes later goes straight through.
///
/// It stands in for a pause: a script that says `.wait(gate)` goes on when the test says `gate.open()`.
public struct Latch: Sendable {
    private struct State {
        var isOpen = false
        var ticket: UInt64 = 0
        var waiting: [UInt64: @Sendable () -> Void] = [:]
    }

    private let change: @Sendable ((inout State) -> Void) -> Void

    /// Creates a closed gate.
    public init() {
        let state = Mutex(State())
        change = { body in state.withLock { body(&$0) } }
    }

    /// Opens the gate for good; a second time changes nothing.
    public func open() {
        var waiting: [@Sendable () -> Void] = []
        change { state in
            state.isOpen = true
            waiting = Array(state.waiting.values)
            state.waiting = [:]
        }
        for goOn in waiting { goOn() }
    }

    /// Returns as soon as the gate is open, or the task is cancelled.
    public func wait() async {
        let ticket = takeTicket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                stand(ticket) { continuation.resume() }
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
    }

    /// Blocks the thread until one of the gates is open: for threads of our own, never for those of Swift's pool.
    static func block(untilOneOpens gates: Latch...) {
        let semaphore = DispatchSemaphore(value: 0)
        let tickets = gates.map { gate in
            let ticket = gate.takeTicket()
            gate.stand(ticket) { semaphore.signal() }
            return ticket
        }
        semaphore.wait()
        for (gate, ticket) in zip(gates, tickets) { gate.leave(ticket) }
    }

    private func takeTicket() -> UInt64 {
        var ticket: UInt64 = 0
        change { state in
            state.ticket += 1
            ticket = state.ticket
        }
        return ticket
    }

    /// Calls `goOn` once: when the gate opens, or whoever waits leaves; at once if the gate is open.
    private func stand(_ ticket: UInt64, _ goOn: @escaping @Sendable () -> Void) {
        var isOpen = false
        change { state in
            isOpen = state.isOpen
            if !isOpen { state.waiting[ticket] = goOn }
        }
        if isOpen { goOn() }
    }

    private func leave(_ ticket: UInt64) {
        var goOn: (@Sendable () -> Void)?
        change { goOn = $0.waiting.removeValue(forKey: ticket) }
        goOn?()
    }
}
