#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import CCurl
    import StartSmallFoundation

    /// The beginning and the end of calls in libcurl, and the handles that are kept for further calls.
    extension CurlLoop {
        /// The number of idle handles that are kept, with up to `keptBytes` of memory in each buffer.
        ///
        /// To create a handle takes as long as half a call. The number is that of all connections by default, since so
        /// many calls may end in one iteration, and begin again in the next one.
        private static let keptHandles = ConnectionOptions.defaultMaxConnections
        private static let keptBytes = 16 * 1024

        /// The largest number of ended calls for which memory is kept after an iteration.
        private static let keptEnded = 256

        mutating func start(_ call: CurlCall) {
            guard let multi = multi ?? openMulti() else {
                return refuse(call, "curl_multi_init: no memory or descriptor")
            }
            guard var transfer = idleTransfers.popLast() ?? CurlTransfer(sharedState: sharedState) else {
                return refuse(call, "curl_easy_init: no memory")
            }
            if let reason = transfer.prepare(for: call, options) {
                transfer.free()
                return refuse(call, reason)
            }
            transfer.handle.pointee.may_not_look_up = !mayLookUp(call)
            var entry = ActiveCall(call, transfer)
            if call.reply.hasListeners { entry.meter = ProgressMeter(from: .nanoseconds(now)) }
            let slot = slots.insert(entry)
            transfer.handle.pointee.slot = Int64(slot)
            let code = ccurl_multi_add(multi, transfer.handle)
            if code != 0 {
                return end(slot, .refused("curl_multi_add_handle: \(String(cString: ccurl_multi_text(code)))"))
            }
            deadlines.callBegins(at: now)
        }

        /// Takes the results of the transfers that are over, except of those that are sent a second time.
        mutating func takeEnded(_ multi: OpaquePointer) {
            let now = now
            var result: Int32 = 0
            while let handle = ccurl_multi_next_ended(multi, &result) {
                let slot = Int(handle.pointee.slot)
                if ccurl_multi_repeat(multi, handle, result) {
                    deadlines.callBegins(at: now)
                    continue
                }
                deadlines.lastEnd = now
                if result == 0, !handle.pointee.is_multiplexed { slots[slot]?.transfer.noteKeepAlive(at: now) }
                ended.append((slot, slots[slot]?.takeReply(for: result, options) ?? nil))
            }
        }

        /// Replies to the calls whose transfers are over, and then removes their handles.
        ///
        /// The replies precede the removal, which takes time: the callers may continue meanwhile. They follow each
        /// other at once, so that the threads of the callers wake up once for all of them.
        mutating func answerEnded() {
            if ended.isEmpty { return }
            for index in ended.indices {
                // The result is not kept until all handles are removed.
                guard let (reply, outcome, events) = ended[index].reply.take() else { continue }
                reply.end(outcome, events)
            }
            for call in ended { clear(call.slot) }
            ended.removeAll(keepingCapacity: ended.count <= Self.keptEnded)
        }

        /// Ends all calls because libcurl can't continue any of them, and starts over with the next call.
        ///
        /// There are no retries, so that there is no endless loop.
        mutating func failAll(_ what: String, _ code: Int32) {
            let reason = "\(what): \(String(cString: ccurl_multi_text(code)))"
            for slot in slots.indices {
                guard let entry = slots[slot] else { continue }
                entry.reply?.end(.refused(reason), entry.finalEvents(isWhole: false))
                clear(slot)
            }
            forgetConnections()
        }

        /// Ends a call that can't begin.
        private mutating func refuse(_ call: CurlCall, _ reason: String) {
            call.reply.end(.refused(reason))
            pending.end(call.origin, isShared: false)
        }

        private mutating func openMulti() -> OpaquePointer? {
            multi = ccurl_multi_create(epollDescriptor, options.maxConnectionsPerHost, options.maxConnections)
            deadlines.idleSince = now
            return multi
        }

        /// Ends a call, and replies before its handle is removed, since removing the handle may take time.
        mutating func end(_ slot: Int, _ outcome: CurlOutcome) {
            guard let entry = slots[slot], let reply = entry.reply else { return }
            slots.noteEnd(of: entry.call.id)
            reply.end(outcome, entry.finalEvents(isWhole: false))
            let handle = entry.transfer.handle
            if handle.pointee.is_resolving, Self.waitsForLookup(ccurl_version()) {
                // The handle is left alone, and ends when it would open a socket. Until then, libcurl counts it as a
                // connection.
                ccurl_transfer_abandon(handle)
                slots[slot]?.reply = nil
            } else {
                if handle.pointee.is_resolving { noteEndedLookup() }
                clear(slot)
            }
        }

        /// Whether removing a handle waits for its name lookup, and blocks all other calls: before 7.87 (curl 8515),
        /// which has no `ccurl_quick_exit`.
        static func waitsForLookup(_ version: UInt32) -> Bool { version < 0x075700 }

        /// Whether libcurl keeps to `ccurl_lookup_limit`.
        static func limitsLookups(_ version: UInt32) -> Bool { version >= 0x081400 }

        /// Notes that a lookup goes on without its call.
        private mutating func noteEndedLookup() {
            if Self.limitsLookups(ccurl_version()) { return }
            endedLookups.append(now)
            if endedLookups.count > ccurl_lookup_limit { endedLookups.removeFirst() }
        }

        /// Whether a call may look up its host, or need not.
        private func mayLookUp(_ call: CurlCall) -> Bool {
            guard let first = endedLookups.first, endedLookups.count >= ccurl_lookup_limit,
                now - first < Self.longestLookup
            else { return true }
            let host = call.request.url.host(percentEncoded: true) ?? ""
            return host == "localhost" || NetworkAddress(host) != nil
        }

        /// The time that a lookup takes at most: 30 seconds, for three name servers of five seconds, asked twice
        /// (resolv.conf(5)).
        private static let longestLookup: Int64 = 30_000_000_000

        /// Removes a handle from libcurl, and keeps the handle for another call.
        mutating func clear(_ slot: Int) {
            guard var entry = slots.remove(slot) else { return }
            let handle = entry.transfer.handle
            deadlines.idleSince = now
            pending.end(entry.call.origin, isShared: entry.isShared)
            // libcurl may go on reporting the transfer while the transfer is removed.
            ccurl_transfer_silence(handle)
            if let multi { _ = ccurl_multi_remove(multi, handle) }
            // A handle that has paused is not trusted to start another transfer, and libcurl does not clear an error of
            // the system, or a refused expectation.
            let isClean =
                !handle.pointee.is_paused && !handle.pointee.is_starved
                && handle.pointee.expectation.rawValue < ccurl_expectation_failed.rawValue
                && ccurl_system_error(handle) == 0
            if idleTransfers.count < Self.keptHandles, isClean {
                entry.transfer.reset(keeping: Self.keptBytes)
                idleTransfers.append(entry.transfer)
            } else {
                entry.transfer.free()
            }
        }
    }

    /// The delivery of parts of the response, and of progress, before a call is over.
    ///
    /// Nothing waits here. If the task of a call has no room for a part, the part stays in the transfer, which pauses
    /// when it has as much as it may hold; the task reports when it has room again.
    extension CurlLoop {
        /// Delivers the new parts of all responses that are taken in parts.
        mutating func deliverEvents() {
            while let handle = ccurl_next_ready(sharedState) {
                deliver(Int(handle.pointee.slot))
            }
        }

        /// Delivers the new parts of one response, and resumes its transfer if it was paused.
        ///
        /// Also notes that the connection of the transfer is shared.
        mutating func deliver(_ slot: Int) {
            guard let entry = slots[slot] else { return }
            let handle = entry.transfer.handle
            if handle.pointee.is_multiplexed, !entry.isShared {
                slots[slot]?.isShared = true
                pending.share(entry.call.origin)
            }
            let redirectedAt = handle.pointee.response.redirected_at
            if redirectedAt != 0 { _ = deadlines.givesUpRedirect(since: redirectedAt, at: now) }
            guard ccurl_is_in_parts(handle), let channel = channel(slot) else { return }
            if !entry.hasDeliveredHead {
                slots[slot]?.hasDeliveredHead = true
                channel.send(.head(entry.transfer.head))
            }
            guard handle.pointee.payload.count > 0, channel.hasRoom() else { return }
            channel.send(.chunk(entry.transfer.takeChunk()))
            if handle.pointee.is_paused { resume(slot, entry) }
        }

        /// Returns the channel of a call, which begins with the head of an error; nil if the call has been replied to.
        private mutating func channel(_ slot: Int) -> CurlChannel? {
            switch slots[slot]?.reply {
            case nil: return nil
            case .parts(let channel): return channel
            case .once(let continuation):
                let channel = CurlChannel(takesParts: true, hasListeners: false)
                slots[slot]?.reply = .parts(channel)
                continuation.resume(returning: .opened(channel))
                return channel
            }
        }

        private mutating func resume(_ slot: Int, _ entry: ActiveCall) {
            let code = ccurl_transfer_resume(entry.transfer.handle)
            // The transfer is over already, without a connection: libcurl reports its outcome next.
            let badArgument: Int32 = 43
            if code == badArgument, entry.transfer.handle.pointee.stop == ccurl_stop_none { return }
            if code != 0 {
                return end(slot, .ended(entry.transfer.transferResult(entry.transfer.failure(code, options))))
            }
            deadlines.callContinues(at: now)
        }

        /// Reports the progress of the calls that have listeners, at most once per interval.
        mutating func reportProgress() {
            guard sharedState.pointee.has_progress, deadlines.reportsProgress(at: now) else { return }
            sharedState.pointee.has_progress = false
            for slot in slots.indices {
                guard let entry = slots[slot], var meter = entry.meter else { continue }
                guard case .parts(let channel) = entry.reply else { continue }
                let progress = entry.transfer.progress(isWhole: false)
                if meter.isDue(progress, at: .nanoseconds(now)) {
                    slots[slot]?.meter = meter
                    channel.send(.progress(progress))
                } else if meter.hasUnreported(progress) {
                    sharedState.pointee.has_progress = true
                }
            }
        }

        /// Resumes the sending of a request whose stream had no bytes.
        mutating func resumeSending(_ slot: Int) {
            guard let entry = slots[slot], entry.reply != nil else { return }
            // Also if the bytes have been sent meanwhile: the last check passed over the call while it was starved.
            deadlines.callContinues(at: now)
            if !entry.transfer.handle.pointee.is_starved { return }
            // A result other than 0 means that the transfer is over already: libcurl reports its outcome next.
            _ = ccurl_transfer_resume_sending(entry.transfer.handle)
        }
    }
#endif
