import StartSmall

extension CallMetrics {
    /// The statistics of the connections to one origin.
    ///
    /// Engines that do not report their connections (`RequestTimings.pool`) have none.
    public struct ConnectionStatistics: Hashable, Sendable {
        /// The number of connections that carry a request now.
        public var inUse: Int

        /// The number of connections that are kept for further requests now.
        public var idle: Int

        /// The durations for which requests waited for a connection, or for the permission to open one.
        public var queued: Histogram

        /// The durations of name lookup, connecting and TLS, one for each new connection.
        public var connecting: Histogram

        /// Creates statistics without a request.
        init(_ empty: Histogram) {
            (inUse, idle, queued, connecting) = (0, 0, empty, empty)
        }

        /// Returns the name of an origin, such as `https://api.example.com:443`: no user, path or query.
        static func name(of origin: Origin) -> String { "\(origin.scheme)://\(origin.host):\(origin.port)" }
    }
}

extension CallMetrics.Snapshot {
    /// Adds the connections of engines at this moment.
    ///
    /// - Parameters:
    ///   - pools: the connections of each engine.
    ///   - nameLimit: the maximum number of origins with a name of their own.
    ///   - empty: the statistics of an origin that has none yet.
    mutating func add(
        _ pools: Set<ConnectionPool>,
        nameLimit: Int,
        default empty: CallMetrics.ConnectionStatistics
    ) {
        for pool in pools {
            for (origin, counts) in pool.counts {
                let text = CallMetrics.ConnectionStatistics.name(of: origin)
                let isNamed = connections[text] != nil || connections.count < nameLimit
                let name = isNamed ? text : CallMetrics.otherName
                connections[name, default: empty].inUse += counts.inUse
                connections[name, default: empty].idle += counts.idle
            }
        }
    }
}
