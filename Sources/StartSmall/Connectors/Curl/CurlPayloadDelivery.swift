#if os(Linux)
    import CCurl

    /// The delivery of parts of the response, and of progress, before a call is over.
    ///
    /// Nothing waits here. If the task of a call has no room for a part, the part stays in the transfer, which pauses
    /// when it has as much as it may hold; the task reports when it has room again.
    extension CurlLoop {
        /// Delivers the new parts of all responses that are taken in parts.
        mutating func deliverEvents() {
            while let handle = ccurl_next_ready(sharedState) {
                let slot = Int(handle.pointee.slot)
                if running.indices.contains(slot) { deliver(slot) }
            }
        }

        /// Delivers the new parts of one response, and resumes its transfer if it was paused.
        mutating func deliver(_ slot: Int) {
            guard let entry = running[slot] else { return }
            let handle = entry.transfer.handle
            if handle.pointee.is_redirect { nextDue = min(nextDue, endOfRedirect(handle)) }
            guard case .parts(let channel) = entry.reply else { return }
            guard handle.pointee.is_in_parts else { return }
            if !entry.hasDeliveredHead {
                running[slot]?.hasDeliveredHead = true
                channel.send(.head(entry.transfer.head))
            }
            guard handle.pointee.payload.count > 0, channel.hasRoom(for: index) else { return }
            channel.send(.chunk(entry.transfer.takeChunk()))
            if handle.pointee.is_paused { resume(slot, entry) }
        }

        private mutating func resume(_ slot: Int, _ entry: ActiveCall) {
            let code = ccurl_transfer_resume(entry.transfer.handle)
            // The transfer is over already, without a connection: libcurl reports its outcome next.
            let badArgument: Int32 = 43
            if code == badArgument, entry.transfer.handle.pointee.stop == ccurl_stop_none { return }
            if code != 0 {
                return end(slot, .ended(entry.transfer.transferResult(entry.transfer.failure(code, options))))
            }
            if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
        }

        /// Reports the progress of the calls that have listeners, at most once per interval.
        mutating func reportProgress() {
            guard sharedState.pointee.has_progress, nextProgressReport <= now else { return }
            sharedState.pointee.has_progress = false
            nextProgressReport = now + ProgressMeter.interval.clampedNanoseconds
            for slot in running.indices {
                guard let entry = running[slot], var meter = entry.meter else { continue }
                guard case .parts(let channel) = entry.reply else { continue }
                let progress = entry.transfer.progress(isWhole: false)
                if meter.isDue(progress, at: .nanoseconds(now)) {
                    running[slot]?.meter = meter
                    channel.send(.progress(progress))
                } else if meter.hasUnreported(progress) {
                    sharedState.pointee.has_progress = true
                }
            }
        }
    }
#endif
