#if os(Linux)
    /// A call whose transfer is over, and whose handle is still to be removed.
    struct EndedCall {
        typealias Reply = (channel: CurlReply, outcome: CurlOutcome, finalReport: FinalReport)

        /// The index of the call among the running ones.
        let slot: Int

        /// The reply channel with the result; nil if the call has been replied to.
        private var reply: Reply?

        /// Creates an ended call.
        ///
        /// - Parameters:
        ///   - slot: the index of the call among the running ones.
        ///   - reply: the reply channel with the result; nil if the call has been replied to before.
        init(slot: Int, reply: Reply?) {
            (self.slot, self.reply) = (slot, reply)
        }

        /// Replies to the call, and keeps no reference to the result.
        mutating func sendReply() {
            guard let (channel, outcome, finalReport) = reply.take() else { return }
            channel.end(outcome, finalReport)
        }
    }
#endif
