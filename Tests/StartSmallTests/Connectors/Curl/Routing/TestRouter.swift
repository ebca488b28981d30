#if os(Linux)
    import Testing

    @testable import StartSmall

    /// A router with loops that do nothing: it records where each call runs, as the loops and the engine do.
    struct TestRouter {
        var router: CallRouter
        let shares: [ConnectionShare]

        /// The calls that run, and the loop of each call that has started.
        private(set) var running: [UInt64: CurlCall] = [:]
        private(set) var loopOf: [UInt64: Int] = [:]

        /// The calls that wait, in the order in which they were added.
        private(set) var waiting: [CurlCall] = []

        /// The loops whose threads can't be started.
        var failing: Set<Int> = []

        /// The IDs in the order in which calls to each origin have started.
        private(set) var started: [String: [UInt64]] = [:]

        init(loops: Int, perHost: Int, total: Int) {
            let options = ConnectionOptions(
                maxConnectionsPerHost: perHost,
                maxConnections: total,
                threads: loops,
                proxy: .none
            )
            shares = ConnectionShare.all(of: options)
            router = CallRouter(shares)
        }

        /// Adds a call; returns its loop, or nil if the call waits or is refused.
        @discardableResult
        mutating func start(_ id: UInt64, _ url: String) throws -> Int? {
            let call = try CurlCall.sample(id, url)
            while true {
                switch router.add(call) {
                case .start(let call):
                    begin([call])
                    return call.route?.loop
                case .needsThread(let loop): startThread(loop)
                case .waits:
                    waiting.append(call)
                    return nil
                case .refused: return nil
                }
            }
        }

        /// Ends a running call.
        mutating func end(_ id: UInt64) {
            guard let call = running.removeValue(forKey: id) else { return }
            begin(router.end(call.route))
        }

        mutating func cancel(_ id: UInt64) {
            if router.removeWaiting(id) != nil { waiting.removeAll { $0.id == id } } else { end(id) }
        }

        /// Reports the use of the connection of a running call.
        mutating func identify(_ id: UInt64, as use: ConnectionUse) {
            guard let route = running[id]?.route, let started = router.identify(route, as: use) else { return }
            begin(started)
            for loop in shares.indices where router.canStartWaiting(in: loop) {
                if router.needsThread(loop) { startThread(loop) }
                begin(router.startWaiting(in: loop))
            }
        }

        private mutating func startThread(_ loop: Int) {
            if failing.contains(loop) { router.threadFailed(loop) } else { router.threadStarted(loop) }
        }

        private mutating func begin(_ calls: [CurlCall]) {
            for call in calls {
                #expect(running[call.id] == nil && loopOf[call.id] == nil, "each call starts once")
                running[call.id] = call
                loopOf[call.id] = call.route?.loop
                started[call.origin, default: []].append(call.id)
                waiting.removeAll { $0.id == call.id }
            }
        }
    }
#endif
