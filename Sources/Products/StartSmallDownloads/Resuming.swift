public import StartSmallCore

/// A request for the rest of a payload after a delay that begins now, as `.resumeDownloads` reports it.
public struct Resuming: ReportedEvent {
    /// The number of bytes that have arrived.
    public let size: Int

    /// The delay before the request.
    public let delay: Duration

    /// The output of the request before, without its body.
    public let after: Output

    /// Creates an event.
    public init(size: Int, delay: Duration, after: Output) {
        (self.size, self.delay, self.after) = (size, delay, after)
    }

    /// The name of the event.
    public var name: String { "resuming" }
}

extension Resuming: CustomStringConvertible {
    /// A text such as `at 1000 bytes in 0.3 seconds, after connectionLost`.
    public var description: String {
        let outcome = after.connectionError?.description ?? after.response?.description ?? ""
        return "at \(size) bytes in \(delay), after \(outcome)"
    }
}
