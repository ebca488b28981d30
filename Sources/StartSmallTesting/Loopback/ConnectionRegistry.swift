import Foundation
import StartSmall

/// The threads of a server, each of which owns a socket and is woken when the server stops.
///
/// Only its owner releases a socket, and a socket can be woken only before its release. This keeps a descriptor from
/// being closed twice, or after its number was reused for another one.
struct ConnectionRegistry: Sendable {
    private struct State {
        var isStopped = false
        var ticket: UInt64 = 0
        var wakes: [UInt64: @Sendable () -> Void] = [:]
        var threads = 0
    }

    /// The stack size of each thread: 256 KiB, so that thousands of connections fit.
    ///
    /// The default for threads that do as little is 512 KiB on Darwin and 8 MiB on Linux.
    private static let stackBytes = 256 * 1024

    /// A latch that opens when the server stops.
    let stopped = Latch()

    /// A latch that opens when the server has stopped and the last thread has released its socket.
    let ended = Latch()

    private let state = Locked(State())

    /// Starts a thread that works until it is woken or done, and then releases its resources.
    ///
    /// If the server has stopped, or the system can't create a thread, the resources are released immediately.
    func start(
        wake: @escaping @Sendable () -> Void,
        release: @escaping @Sendable () -> Void,
        work: @escaping @Sendable () -> Void
    ) {
        let taken = state.withLock { state -> UInt64? in
            guard !state.isStopped else { return nil }
            state.ticket += 1
            state.threads += 1
            state.wakes[state.ticket] = wake
            return state.ticket
        }
        guard let ticket = taken else { return release() }
        let leave: @Sendable () -> Void = {
            state.withLock { $0.wakes[ticket] = nil }
            release()
            endThread()
        }
        let isStarted = POSIXThread.start(stackBytes: Self.stackBytes) {
            work()
            leave()
        }
        if !isStarted { leave() }
    }

    /// Wakes all threads, and prevents new ones from starting.
    func stop() {
        let isEmpty = state.withLock { state in
            state.isStopped = true
            for wake in state.wakes.values { wake() }
            return state.threads == 0
        }
        stopped.open()
        if isEmpty { ended.open() }
    }

    private func endThread() {
        let isLast = state.withLock { state in
            state.threads -= 1
            return state.isStopped && state.threads == 0
        }
        if isLast { ended.open() }
    }
}
