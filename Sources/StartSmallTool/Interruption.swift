import Dispatch
import Foundation
import Synchronization

/// Signals that end the tool: SIGINT, which Ctrl-C sends, and SIGTERM.
enum Interruption {
    /// Does the work, and cancels it at a signal, so that no partial file is left; a second signal ends the process at once.
    ///
    /// - Returns: the exit code of the work, or what a shell says of a process that the signal ended: 130 and 143.
    static func cancelling(_ work: @escaping @Sendable () async -> ExitCode) async -> Int32 {
        let task = Task { await work() }
        let received = Mutex<Int32?>(nil)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
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
        // Threads of Swift's pool block signals, so that the process can't end itself by one here.
        return received.withLock { $0 }.map { 128 + $0 } ?? exit.rawValue
    }
}
