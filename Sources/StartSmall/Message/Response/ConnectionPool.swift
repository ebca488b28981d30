/// The established connections of an engine, as numbers for each origin that can be read at any time.
///
/// Copies are one pool, and a pool is equal to its copies only. An engine that reports its pool
/// (``RequestTimings/pool``) keeps the numbers up to date, also while no call runs. When the engine ends, no connection
/// is left.
public struct ConnectionPool: Hashable, Sendable {
    /// The numbers of connections for one origin.
    public struct Counts: Hashable, Sendable {
        /// The number of connections that carry a request; several requests may share one (HTTP/2).
        public var inUse: Int

        /// The number of connections that are kept for further requests.
        public var idle: Int

        /// Creates numbers of connections.
        ///
        /// - Parameters:
        ///   - inUse: the number of connections that carry a request.
        ///   - idle: the number of connections that are kept for further requests.
        public init(inUse: Int = 0, idle: Int = 0) {
            (self.inUse, self.idle) = (inUse, idle)
        }
    }

    private let parts = Locked<[Int: [Origin: Counts]]>([:])

    /// Creates a pool without connections, for an engine.
    public init() {}

    /// The numbers of connections, for each origin that has any.
    public var counts: [Origin: Counts] {
        parts.withLock { Array($0.values) }.reduce(into: [:]) { sum, part in
            for (origin, counts) in part {
                sum[origin, default: Counts()].inUse += counts.inUse
                sum[origin, default: Counts()].idle += counts.idle
            }
        }
    }

    /// Replaces the numbers of a part of an engine, such as one of its threads; negative ones count as zero.
    ///
    /// - Parameters:
    ///   - counts: the numbers of connections of this part, for each origin that has any.
    ///   - part: the number of the part.
    public func replaceCounts(_ counts: [Origin: Counts], ofPart part: Int = 0) {
        let counts = counts.mapValues { Counts(inUse: max(0, $0.inUse), idle: max(0, $0.idle)) }
            .filter { $0.value != Counts() }
        parts.withLock { $0[part] = counts.isEmpty ? nil : counts }
    }

    /// Returns whether two pools are copies of each other.
    public static func == (one: ConnectionPool, other: ConnectionPool) -> Bool { one.parts === other.parts }

    /// Hashes the identity of the pool.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(parts)) }
}
