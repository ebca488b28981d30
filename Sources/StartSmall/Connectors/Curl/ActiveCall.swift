#if os(Linux)
    import CCurl
    import Foundation

    /// A call on the engine's thread.
    struct ActiveCall {
        /// Who waits for the outcome.
        struct Waiting {
            let id: UInt64
            let answer: CurlAnswer
        }

        /// Nil when the call has its answer, and only the handle is still busy.
        var waiting: Waiting?
        var transfer: CurlTransfer
        let url: URL
        let server: String?

        /// Whether another limit stands in for the idle timeout until the head of the response was handed on.
        let isLimitedUntilHead: Bool

        /// When the call came, so that what it waited for others counts.
        let startedAt: Int64

        /// What decides which progress is told; nil if nobody listens.
        var meter: ProgressMeter?

        /// Whether the head of the response was handed on.
        var hasGivenHead = false
    }

    extension CurlLoop {
        /// How many handles without work are kept for the next calls, with up to `keptBytes` of memory in each buffer.
        private static let keptHandles = 64
        private static let keptBytes = 64 * 1024

        mutating func start(_ call: CurlCall) {
            guard let multi = multi ?? openMulti() else {
                return refuse(call, "curl_multi_init: no memory or descriptor")
            }
            guard var transfer = spare.popLast() ?? CurlTransfer(round: round) else {
                return refuse(call, "curl_easy_init: no memory")
            }
            let slot = freeSlots.popLast() ?? running.count
            if let reason = transfer.prepare(for: call, options, slot: slot) {
                freeSlots.append(slot)
                if slot == running.count { running.append(nil) }
                transfer.free()
                return refuse(call, reason)
            }
            var entry = ActiveCall(
                waiting: ActiveCall.Waiting(id: call.id, answer: call.answer),
                transfer: transfer,
                url: call.request.url,
                server: call.server,
                isLimitedUntilHead: call.isLimitedUntilHead,
                startedAt: call.arrivedAt
            )
            if call.answer.hasListeners { entry.meter = ProgressMeter(from: .nanoseconds(now)) }
            if slot == running.count { running.append(entry) } else { running[slot] = entry }
            slots[call.id] = slot
            mostAtOnce = slots.count == 1 ? 1 : max(mostAtOnce, slots.count)
            if entry.server == nil { sharing += 1 }
            let code = ccurl_multi_add(multi, transfer.handle)
            if code != 0 {
                return end(slot, .refused("curl_multi_add_handle: \(String(cString: ccurl_multi_text(code)))"))
            }
            expectLimits()
        }

        /// Has the limits of time looked at when a call that begins now can reach the first of them.
        mutating func expectLimits() {
            if let limit = connectLimit { nextDue = min(nextDue, now + limit) }
            if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
        }

        /// Ends all calls where libcurl can't go on with any, and begins anew with the next: nothing is tried in a circle.
        mutating func failAll(_ what: String, _ code: Int32) {
            let reason = "\(what): \(String(cString: ccurl_multi_text(code)))"
            for slot in running.indices {
                guard let entry = running[slot] else { continue }
                entry.waiting?.answer.end(.refused(reason), entry.finalReport(isWhole: false))
                clear(slot)
            }
            forgetConnections()
        }

        private mutating func refuse(_ call: CurlCall, _ reason: String) {
            pending.end(call.server)
            call.answer.end(.refused(reason), FinalReport())
        }

        private mutating func openMulti() -> OpaquePointer? {
            guard let multi = ccurl_multi_create(watch) else { return nil }
            _ = ccurl_multi_set(multi, ccurl_connections_per_host, options.maxConnectionsPerHost)
            _ = ccurl_multi_set(multi, ccurl_connections_in_all, options.maxConnections)
            _ = ccurl_multi_set(multi, ccurl_kept_connections, options.maxConnections)
            self.multi = multi
            idleSince = now
            return multi
        }

        /// Answers a call before its handle is removed, since that may take its time.
        mutating func end(_ slot: Int, _ outcome: CurlOutcome) {
            guard let entry = running[slot], let waiting = entry.waiting else { return }
            slots[waiting.id] = nil
            waiting.answer.end(outcome, entry.finalReport(isWhole: false))
            let handle = entry.transfer.handle
            if handle.pointee.is_resolving {
                // Removing it would wait for the name lookup, and all other calls with it (curl 8515): it is left alone,
                // and ends when it would open a socket.
                ccurl_transfer_abandon(handle)
                running[slot]?.waiting = nil
            } else {
                clear(slot)
            }
        }

        /// Takes a handle away from libcurl, and keeps it for another call.
        mutating func clear(_ slot: Int) {
            guard var entry = running[slot] else { return }
            running[slot] = nil
            freeSlots.append(slot)
            idleSince = now
            sweepAt = now + sweepAge
            if entry.server == nil { sharing -= 1 }
            pending.end(entry.server)
            if let id = entry.waiting?.id { slots[id] = nil }
            // libcurl may go on telling of it while it is removed.
            ccurl_transfer_silence(entry.transfer.handle)
            if let multi { _ = ccurl_multi_remove(multi, entry.transfer.handle) }
            // A handle that has paused is not trusted to begin anew, and libcurl does not forget an error of the system.
            let isClean =
                !entry.transfer.handle.pointee.is_paused && ccurl_system_error(entry.transfer.handle) == 0
            if spare.count < Self.keptHandles, isClean {
                entry.transfer.reset(keeping: Self.keptBytes)
                spare.append(entry.transfer)
            } else {
                entry.transfer.free()
            }
        }
    }
#endif
