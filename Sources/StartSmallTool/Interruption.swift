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
        let task = Task { await work() }
        let received = Mutex<Int32?>(nil)
        let sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number -> (any DispatchSourceSignal)? in
            // `nohup` starts a process that ignores SIGHUP: SIG_IGN is 1.
            if unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == 1, number == SIGHUP { return nil }
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                received.withLock { $0 = number }
                task.cancel()
            }
            source.resume()
            return source
        }
        let exit = await task.value
        for source in sources { source.cancel() }
        // Threads of Swift's pool block signals, so the process can't end itself with a signal here.
        return received.withLock { $0 }.map { 128 + $0 } ?? exit.rawValue
    }
}
