#if os(Linux)
    import Foundation

    /// A call that runs on the engine's thread.
    struct ActiveCall {
        /// The call's ID and its reply channel.
        struct Waiting {
            let id: UInt64
            let reply: CurlReply
        }

        /// The task that waits for the outcome; nil when the outcome was sent, and only the handle is still busy.
        var waiting: Waiting?
        var transfer: CurlTransfer
        let url: URL
        let server: String?

        /// Whether another limit replaces the idle timeout until the head of the response is delivered.
        let isLimitedUntilHead: Bool

        /// The time at which the call arrived, so that the time that the call waited for other calls counts.
        let startedAt: Int64

        /// The filter that decides which progress is reported; nil without listeners.
        var meter: ProgressMeter?

        /// Whether the head of the response was delivered.
        var hasDeliveredHead = false
    }
#endif
