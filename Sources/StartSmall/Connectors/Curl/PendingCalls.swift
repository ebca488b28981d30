#if os(Linux)
    /// Calls that have come and have not begun.
    ///
    /// So that whoever cancels one, or any other, does not wait until thousands have begun; and so that none begins for
    /// which there can be no connection yet: libcurl would look for one anew each time that another call ends.
    struct PendingCalls {
        private struct Entry {
            let call: CurlCall

            /// Whether it counts as one of its server's that run.
            var isReady: Bool
        }

        /// The calls to one server of which each needs a connection of its own.
        private struct HostQueue {
            var running = 0
            var waiting = Queue()
        }

        private let maxConnectionsPerHost: Int
        private var entries: [UInt64: Entry] = [:]
        private var lines: [String: HostQueue] = [:]

        /// The calls that may begin, in the order in which they came or were let go.
        private var ready = Queue()

        init(maxConnectionsPerHost: Int) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
        }

        /// Whether no call is here.
        var isEmpty: Bool { entries.isEmpty }

        /// Whether a call is here that may begin.
        var hasReady: Bool { !ready.isEmpty }

        /// All calls that are here, in any order.
        var calls: some Sequence<CurlCall> { entries.values.lazy.map(\.call) }

        mutating func append(_ call: CurlCall) {
            var isReady = true
            if let server = call.server {
                isReady = lines[server, default: HostQueue()].running < maxConnectionsPerHost
                if isReady {
                    lines[server, default: HostQueue()].running += 1
                } else {
                    lines[server]?.waiting.append(call.id)
                }
            }
            if isReady { ready.append(call.id) }
            entries[call.id] = Entry(call: call, isReady: isReady)
        }

        /// Takes a call out, wherever it stands; nil if it is not here.
        mutating func leave(_ id: UInt64) -> CurlCall? {
            guard let entry = entries.removeValue(forKey: id) else { return nil }
            if entry.isReady { end(entry.call.server) }
            return entry.call
        }

        /// Takes the first call that may begin; ``end(_:)`` is to be told when it is over.
        mutating func next() -> CurlCall? {
            while let id = ready.popFirst() {
                if let entry = entries.removeValue(forKey: id) { return entry.call }
            }
            return nil
        }

        /// A call to this server is over: another may begin.
        mutating func end(_ server: String?) {
            guard let server, var line = lines[server] else { return }
            line.running -= 1
            while line.running < maxConnectionsPerHost, let id = line.waiting.popFirst() {
                guard entries[id] != nil else { continue }
                entries[id]?.isReady = true
                line.running += 1
                ready.append(id)
            }
            lines[server] = line.running == 0 ? nil : line
        }
    }

    /// Numbers in the order in which they came.
    private struct Queue {
        private var ids: [UInt64] = []
        private var first = 0

        /// How many places of those that have left are kept at most, unless there are more that have not.
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
