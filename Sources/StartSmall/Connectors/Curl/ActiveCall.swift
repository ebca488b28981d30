#if os(Linux)
    /// A call that runs on the engine's thread.
    struct ActiveCall {
        let call: CurlCall
        var transfer: CurlTransfer
        var route: CallRoute?

        /// Whether the outcome was sent, and only the handle is still busy.
        var isAnswered = false

        /// The filter that decides which progress is reported; nil without listeners.
        var meter: ProgressMeter?

        /// The connections of the engine, for listeners; nil without listeners.
        var pool: ConnectionPool?

        /// Whether the head of the response was delivered.
        var hasDeliveredHead = false

        /// The channel to the task that waits for the outcome; nil when the outcome was sent.
        var reply: CurlReply? { isAnswered ? nil : call.reply }

        /// Returns the reply channel with the result of libcurl; nil if the call has been replied to.
        ///
        /// The call counts as replied to from now on.
        ///
        /// - Parameters:
        ///   - result: the result of libcurl.
        ///   - options: the options of the engine.
        mutating func takeReply(for result: Int32, _ options: ConnectionOptions) -> EndedCall.Reply? {
            if isAnswered { return nil }
            isAnswered = true
            let failure = transfer.failure(result, options)
            let outcome = CurlOutcome.ended(transfer.transferResult(failure))
            return (call.reply, outcome, finalReport(isWhole: failure == nil))
        }

        init(_ call: CurlCall, _ transfer: CurlTransfer) {
            (self.call, self.transfer, route) = (call, transfer, call.route)
        }
    }
#endif
