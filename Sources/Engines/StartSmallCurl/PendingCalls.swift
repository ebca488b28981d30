#if CURL_ENGINE
    /// The calls that have not begun, in a queue for each host, and the connections of those that have.
    ///
    /// A call begins only when it may have a connection. libcurl has calls wait for one as well, but of all of them, it
    /// continues with the first alone (7.88): one whose host is slow would delay the calls to other hosts, which have
    /// their turns here. A cancellation, or any other command, does not wait until thousands of calls have begun.
    struct PendingCalls {
        private struct Host {
            /// The order of the pending calls; one that was removed before its turn may still be listed.
            var order: ArraySlice<UInt64> = []

            /// The number of calls that have begun and have no connection yet, or one of their own (HTTP/1.1).
            var alone = 0

            /// The number of calls on connections that they share (HTTP/2 and HTTP/3).
            var shared = 0

            /// The number of connections that the calls need.
            var connections: Int { alone + min(1, shared) }

            var isUnused: Bool { order.isEmpty && connections == 0 }
        }

        /// The number of calls to a host with a shared connection that may wait in libcurl for a place on it: 128.
        ///
        /// Servers allow 100 streams or more (RFC 9113 6.5.2). libcurl looks through all calls that wait each time that
        /// one ends.
        private static let mostStreams = 128

        private let maxPerHost: Int
        private let maxInAll: Int

        private var calls: [UInt64: CurlCall] = [:]

        /// The hosts with calls, by the numbers of their origins.
        private var hosts: [UInt64: Host] = [:]

        /// The hosts with an order, in the order of their turns.
        private var turns: [UInt64] = []

        /// The number of connections that the calls that have begun need.
        private var connections = 0
        private var sharingHosts = 0

        /// Creates queues without a call.
        init(maxPerHost: Int, maxInAll: Int) {
            (self.maxPerHost, self.maxInAll) = (maxPerHost, maxInAll)
        }

        var isEmpty: Bool { calls.isEmpty }

        /// All pending calls, in any order.
        var all: [CurlCall] { Array(calls.values) }

        /// Whether there may be a call that may begin.
        var hasNext: Bool { !isEmpty && nextTurn != nil }

        mutating func append(_ call: CurlCall) {
            calls[call.id] = call
            if hosts[call.origin, default: Host()].order.isEmpty { turns.append(call.origin) }
            hosts[call.origin, default: Host()].order.append(call.id)
        }

        /// Counts a call that begins without having been pending; returns false if the call has to wait for its turn.
        mutating func begin(_ origin: UInt64) -> Bool {
            guard calls.isEmpty, hasRoom(hosts[origin, default: Host()]) else { return false }
            hosts[origin, default: Host()].alone += 1
            connections += 1
            return true
        }

        /// Removes a pending call; returns nil if it is not pending.
        mutating func remove(_ id: UInt64) -> CurlCall? { calls.removeValue(forKey: id) }

        mutating func removeAll() -> [CurlCall] {
            defer { calls = [:] }
            return all
        }

        /// Removes and returns the first call of the first host that may begin one.
        ///
        /// The other hosts have the next turns.
        mutating func next() -> CurlCall? {
            while let turn = nextTurn {
                let origin = turns.remove(at: turn)
                var first: CurlCall?
                while first == nil, let id = hosts[origin]?.order.popFirst() { first = calls.removeValue(forKey: id) }
                if hosts[origin]?.order.isEmpty == false { turns.append(origin) }
                change(origin) { if first != nil { $0.alone += 1 } }
                if let first { return first }
            }
            return nil
        }

        /// Notes that a call that has begun has a shared connection.
        mutating func share(_ origin: UInt64) {
            change(origin) { ($0.alone, $0.shared) = ($0.alone - 1, $0.shared + 1) }
        }

        /// Notes that a call that had begun is over.
        mutating func end(_ origin: UInt64, isShared: Bool) {
            change(origin) { if isShared { $0.shared -= 1 } else { $0.alone -= 1 } }
        }

        /// The index of the first host that may begin a call; nil if there is none.
        private var nextTurn: Int? {
            if connections >= maxInAll, sharingHosts == 0 { return nil }
            return turns.firstIndex { origin in hosts[origin].map(hasRoom) ?? false }
        }

        /// Whether one more call to a host may begin.
        private func hasRoom(_ host: Host) -> Bool {
            if host.shared > 0 { return host.alone < max(Self.mostStreams, maxPerHost) }
            return host.alone < maxPerHost && connections < maxInAll
        }

        private mutating func change(_ origin: UInt64, _ body: (inout Host) -> Void) {
            // In place, since each look-up takes a hash.
            guard let index = hosts.index(forKey: origin) else { return }
            let before = hosts.values[index]
            body(&hosts.values[index])
            let after = hosts.values[index]
            connections += after.connections - before.connections
            sharingHosts += (after.shared > 0 ? 1 : 0) - (before.shared > 0 ? 1 : 0)
            if after.isUnused { hosts.remove(at: index) }
        }
    }
#endif
