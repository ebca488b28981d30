import Synchronization

/// A call whose payload is read as it arrives, by a reader that decides how the call ends.
package struct OpenCall: Sendable {
    package let head: Response
    package let body: ResponseBody
    package let ending: CallEnding
}

/// The end of an open call, which is reported once.
///
/// A body that breaks off ends the call at once, whether a task is reading or not. After a complete payload, the reader
/// ends the call; without a reader, the call is cancelled.
package final class CallEnding: Sendable {
    private let context: CallContext
    private let state = Mutex<(output: Output?, isReported: Bool)>((nil, false))

    init(_ context: CallContext) { self.context = context }

    deinit { end(with: .noResponse(.cancelled)) }

    /// The head with its trailers, or the error that ended the body; nil until the body has ended.
    package var output: Output? { state.withLock { $0.output } }

    /// Ends the call if its body has broken off.
    ///
    /// - Parameter output: the output that a whole call would have had.
    func bodyEnded(with output: Output) {
        state.withLock { $0.output = output }
        if case .noResponse = output { end(with: output) }
    }

    /// Ends the call, unless it has ended.
    package func end(with output: Output, _ event: Event? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        if isFirst { WebAPI.end(with: output, event, context) }
    }
}
