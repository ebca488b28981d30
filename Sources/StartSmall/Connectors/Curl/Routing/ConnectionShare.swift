#if os(Linux)
    /// The part of the limits of connections that one event loop may use, idle connections included.
    ///
    /// Each event loop has connections of its own, which no other can use. The limits hold without any agreement
    /// between the loops, because the shares are constant, and their sums are the limits.
    struct ConnectionShare: Hashable, Sendable {
        /// The largest number of connections to one host, at least 1.
        let perHost: Int

        /// The largest number of connections to all hosts, at least 1.
        let total: Int

        /// Returns the share of each event loop.
        ///
        /// There are as many loops as threads are allowed, unless a limit is too small to give each of them a
        /// connection. With a proxy, there is one: libcurl counts connections to the proxy, whatever the host.
        static func all(of options: ConnectionOptions) -> [ConnectionShare] {
            let (perHost, total) = (options.maxConnectionsPerHost, options.maxConnections)
            let count = options.mayUseProxy ? 1 : max(1, min(options.threads, perHost, total))
            return (0..<count).map { index in
                ConnectionShare(perHost: part(index, of: perHost, count), total: part(index, of: total, count))
            }
        }

        /// Returns one of `count` parts of a limit, which differ by one at most; the first are the larger ones.
        private static func part(_ index: Int, of limit: Int, _ count: Int) -> Int {
            max(1, limit / count + (index < limit % count ? 1 : 0))
        }
    }
#endif
