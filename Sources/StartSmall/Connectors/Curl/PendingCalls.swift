#if os(Linux)
    /// Calls that have arrived and have not begun.
    ///
    /// Calls wait here so that a cancellation, or any other command, does not wait until thousands of calls have begun.
    /// Moreover, no call begins for which there can be no connection yet: libcurl would look for one again each time
    /// that another call ends.
    struct PendingCalls {
        private struct Entry {
            let call: CurlCall

            /// Whether the call counts as one of its server's running calls.
            var isReady: Bool
        }

        /// The calls to one server of which each needs its own connection.
        private struct HostQueue {
            var running = 0
            var waiting = Queue()
        }

        private let maxConnectionsPerHost: Int
        private var entries: [UInt64: Entry] = [:]
        private var hostQueues: [String: HostQueue] = [:]

        /// The calls that may begin, in the order in which they arrived or became ready.
        private var ready = Queue()

        init(maxConnectionsPerHost: Int) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
        }

        /// Whether no call is pending.
        var isEmpty: Bool { entries.isEmpty }

        /// Whether a call may begin.
        var hasReady: Bool { !ready.isEmpty }

        /// All pending calls, in any order.
        var calls: some Sequence<CurlCall> { entries.values.lazy.map(\.call) }

        mutating func append(_ call: CurlCall) {
            var isReady = true
            if let server = call.server {
                isReady = hostQueues[server, default: HostQueue()].running < maxConnectionsPerHost
                if isReady {
                    hostQueues[server, default: HostQueue()].running += 1
                } else {
                    hostQueues[server]?.waiting.append(call.id)
                }
            }
            if isReady { ready.append(call.id) }
            entries[call.id] = Entry(call: call, isReady: isReady)
        }

        /// Removes a pending call; returns nil if it is not pending.
        mutating func remove(_ id: UInt64) -> CurlCall? {
            guard let entry = entries.removeValue(forKey: id) else { return nil }
            if entry.isReady { end(entry.call.server) }
            return entry.call
        }

        /// Removes and returns the first call that may begin; call ``end(_:)`` when the call is over.
        mutating func next() -> CurlCall? {
            while let id = ready.popFirst() {
                if let entry = entries.removeValue(forKey: id) { return entry.call }
            }
            return nil
        }

        /// Records the end of a call to this server, so that another may begin.
        mutating func end(_ server: String?) {
            guard let server, var hostQueue = hostQueues[server] else { return }
            hostQueue.running -= 1
            while hostQueue.running < maxConnectionsPerHost, let id = hostQueue.waiting.popFirst() {
                guard entries[id] != nil else { continue }
                entries[id]?.isReady = true
                hostQueue.running += 1
                ready.append(id)
            }
            hostQueues[server] = hostQueue.running == 0 ? nil : hostQueue
        }
    }

    /// A first-in, first-out queue of call IDs.
    private struct Queue {
        private var ids: [UInt64] = []
        private var first = 0

        /// The number of removed elements that are kept at most, unless there are more remaining ones.
        private static let keptPlaces = 1024

        var isEmpty: Bool { ids.isEmpty }

        mutating func append(_ id: UInt64) {
            ids.append(id)
        }

        mutating func popFirst() -> UInt64? {
            guard first < ids.count else { return nil }
            let id = ids[first]
            first += 1
            if first == ids.count || first > max(Self.keptPlaces, ids.count / 2) {
                ids.removeFirst(first)
                first = 0
            }
            return id
        }
    }
#endif
