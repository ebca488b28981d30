import Dispatch
import Foundation

/// One pass over a streamed payload: a thread that may block reads, and the call's task ends the pass.
struct URLSessionProductionPipe: Sendable {
    private struct State: Sendable {
        var offset = 0
        var isAtEnd = false
        var failure: ConnectionError?
    }

    private let production: PayloadProduction
    private let wakes: DispatchSemaphore
    private let state = Locked(State())

    /// Creates a pass in the task of the call; the stream begins with the first read.
    init(_ stream: PayloadStream) {
        let wakes = DispatchSemaphore(value: 0)
        self.wakes = wakes
        production = PayloadProduction(stream) { _ in wakes.signal() }
    }

    /// Whether there may be more to read.
    var hasMore: Bool { state.withLock { !$0.isAtEnd } }

    /// Reads the next bytes into a buffer; blocks the thread until there are some, or the pass is over.
    ///
    /// - Returns: The number of read bytes; 0 at the end; -1 if they can't be read, or after ``end()``.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            let offset = state.withLock { $0.offset }
            switch production.read(from: offset, into: UnsafeMutableRawBufferPointer(buffer)) {
            case .bytes(let count):
                state.withLock { $0.offset += count }
                return count
            case .end:
                state.withLock { $0.isAtEnd = true }
                return 0
            case .failed(let error):
                state.withLock { $0.failure = error }
                return -1
            case .pending: wakes.wait()
            }
        }
    }

    /// Ends the production, and returns the reason why the payload could not be read, if it could not.
    func end() -> ConnectionError? {
        let failure = state.withLock { $0.failure }
        production.end()
        return failure
    }
}
