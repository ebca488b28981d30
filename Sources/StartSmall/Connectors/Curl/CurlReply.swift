#if os(Linux)
    /// The reply channel of a call: the engine's thread replies once, or in parts.
    enum CurlReply: Sendable {
        /// One reply, with the outcome of the call.
        ///
        /// The continuation is unsafe, as the check would allocate memory for each call: the engine replies to each
        /// call exactly once, since a call is removed from its queue or from the running calls when it is replied to.
        case once(UnsafeContinuation<CurlOutcome, Never>)

        /// Several replies: the parts of the response, the events for listeners, and the outcome.
        case parts(CurlChannel)

        var takesParts: Bool { if case .parts(let channel) = self { channel.takesParts } else { false } }
        var hasListeners: Bool { if case .parts(let channel) = self { channel.hasListeners } else { false } }

        /// Reports that the call is over; nothing may be sent after this.
        func end(_ outcome: CurlOutcome, _ finalReport: FinalReport) {
            switch self {
            case .once(let continuation): continuation.resume(returning: outcome)
            case .parts(let channel): channel.send(.end(outcome, finalReport))
            }
        }
    }
#endif
