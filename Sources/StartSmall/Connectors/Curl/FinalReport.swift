#if os(Linux)
    import CCurl

    /// The events of a finished call besides its outcome, for listeners.
    struct FinalReport: Sendable {
        /// The head of an incomplete response, unless it was delivered; the last progress, unless it was reported; and
        /// the timings, if the request reached the wire.
        var events: [Event] = []
    }

    extension ActiveCall {
        /// Returns the events that are still to be reported for a call that ends now.
        func finalReport(isWhole: Bool) -> FinalReport {
            guard let meter, transfer.handle.pointee.is_connected else { return FinalReport() }
            let last = transfer.progress(isWhole: isWhole)
            var report = FinalReport()
            if !isWhole, !hasDeliveredHead, let head = transfer.head.response {
                report.events.append(.receivedHead(head))
            }
            if meter.hasUnreported(last) { report.events.append(.progress(last)) }
            let total = Duration.nanoseconds(ccurl_now() - call.arrivedAt)
            var timings = transfer.timings(total: total, since: call.arrivedAt)
            (timings.origin, timings.pool) = (Origin(call.request.url), pool)
            report.events.append(.timings(timings))
            return report
        }
    }
#endif
