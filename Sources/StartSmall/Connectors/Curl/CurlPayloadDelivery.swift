#if os(Linux)
    import CCurl

    /// What the engine's thread hands on before a call is over: parts of the response, and progress.
    ///
    /// Nobody is waited for here. A part that its call's task has no room for stays in the transfer, which pauses when it
    /// has as much as it may; the task says when it has room again.
    extension CurlLoop {
        /// Hands on what came of all responses that are taken in parts.
        mutating func handOnNews() {
            while let handle = ccurl_next_news(round) {
                let slot = Int(handle.pointee.slot)
                if running.indices.contains(slot) { handOn(slot) }
            }
        }

        /// Hands on what came of one response, and has it go on if it had paused.
        mutating func handOn(_ slot: Int) {
            guard let entry = running[slot], case .parts(let channel) = entry.waiting?.answer else { return }
            let handle = entry.transfer.handle
            if !entry.hasGivenHead, handle.pointee.is_in_parts || handle.pointee.tells_head {
                running[slot]?.hasGivenHead = true
                channel.send(.head(entry.transfer.head))
            }
            guard handle.pointee.is_in_parts, handle.pointee.payload.count > 0, channel.hasRoom() else { return }
            channel.send(.chunk(entry.transfer.takeChunk()))
            if handle.pointee.is_paused { goOn(slot, entry) }
        }

        private mutating func goOn(_ slot: Int, _ entry: ActiveCall) {
            let code = ccurl_transfer_resume(entry.transfer.handle)
            // It is over already, without a connection: how it ended is the next that libcurl says.
            let badArgument: Int32 = 43
            if code == badArgument, entry.transfer.handle.pointee.stop == ccurl_stop_none { return }
            if code != 0 { return end(slot, .ended(entry.transfer.remains(entry.transfer.failure(code, options)))) }
            if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
        }

        /// Hands on how far the calls are, for those of whom somebody hears, not oftener than is worth it.
        mutating func tellProgress() {
            guard round.pointee.has_progress, nextLook <= now else { return }
            round.pointee.has_progress = false
            nextLook = now + ProgressMeter.interval.clampedNanoseconds
            for slot in running.indices {
                guard let entry = running[slot], var meter = entry.meter else { continue }
                guard case .parts(let channel) = entry.waiting?.answer else { continue }
                let progress = entry.transfer.progress(isWhole: false)
                if meter.tells(progress, at: .nanoseconds(now)) {
                    running[slot]?.meter = meter
                    channel.send(.progress(progress))
                } else if meter.owes(progress) {
                    round.pointee.has_progress = true
                }
            }
        }
    }

    /// What the engine's thread tells of a call that is over besides its outcome, if somebody listens.
    struct FinalReport: Sendable {
        /// The last progress, unless it was told.
        var progress: TransferProgress?

        /// Nil if the request did not reach the wire.
        var timings: RequestTimings?

        /// The head of a response that is not whole, unless it was handed on.
        var head: Response?
    }

    extension ActiveCall {
        /// What is still to be told of a call that ends now.
        func finalReport(isWhole: Bool) -> FinalReport {
            guard let meter, transfer.handle.pointee.is_connected else { return FinalReport() }
            let last = transfer.progress(isWhole: isWhole)
            let timings = transfer.timings(total: .nanoseconds(ccurl_now() - startedAt))
            let head = isWhole || hasGivenHead ? nil : transfer.head.response
            return FinalReport(progress: meter.owes(last) ? last : nil, timings: timings, head: head)
        }
    }
#endif
