#if os(Linux)
    import CCurl

    /// The events of a finished call besides its outcome, for listeners.
    struct FinalReport: Sendable {
        /// The last progress, unless it was reported.
        var progress: TransferProgress?

        /// The timings, or nil if the request did not reach the wire.
        var timings: RequestTimings?

        /// The head of an incomplete response, unless it was delivered.
        var head: Response?
    }

    extension ActiveCall {
        /// Returns the events that are still to be reported for a call that ends now.
        func finalReport(isWhole: Bool) -> FinalReport {
            guard let meter, transfer.handle.pointee.is_connected else { return FinalReport() }
            let last = transfer.progress(isWhole: isWhole)
            let timings = transfer.timings(total: .nanoseconds(ccurl_now() - call.arrivedAt))
            let head = isWhole || hasDeliveredHead ? nil : transfer.head.response
            return FinalReport(progress: meter.hasUnreported(last) ? last : nil, timings: timings, head: head)
        }
    }
#endif
