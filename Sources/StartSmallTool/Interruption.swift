import Dispatch
import Foundation
import Synchronization

/// The signals that end the tool: SIGINT, which Ctrl-C sends, SIGTERM, and SIGHUP of a closed terminal.
enum Interruption {
    /// Runs work and cancels it at a signal, so that no partial file is left; a second signal ends the process at once.
    ///
    /// - Parameter work: the work, which returns its exit code.
    /// - Returns: the exit code of the work. After a signal, the exit status that a shell reports for a process ended
    ///   by that signal: 130, 143 or 129.
    static func cancelling(_ work: @escaping @Sendable () async -> ExitCode) async -> Int32 {
        let state = Mutex<(received: Int32?, task: Task<ExitCode, Never>?)>((nil, nil))
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` starts a process that ignores SIGHUP: SIG_IGN is 1.
            if unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == 1, number == SIGHUP { continue }
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                state.withLock { state in
                    state.received = number
                    state.task?.cancel()
                }
            }
            // Before it is registered, a signal would be lost.
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.resume()
            }
            sources.append(source)
        }
        let task = Task { await work() }
        state.withLock { state in
            state.task = task
            if state.received != nil { task.cancel() }
        }
        let exit = await task.value
        for source in sources { source.cancel() }
        // Threads of Swift's pool block signals, so the process can't end itself with a signal here.
        return state.withLock { $0.received }.map { 128 + $0 } ?? exit.rawValue
    }
}
