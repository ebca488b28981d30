#if os(Linux)
    /// The router of calls to event loops: it decides where each call runs, and which calls wait.
    ///
    /// Calls to one host stay together in one loop while the loop keeps up, so that they share connections. Beyond
    /// that, and if the loop has no room within its share of the limits, further loops are used. A call for which no
    /// loop has room waits here, in one queue for each host, and starts in the first loop that has room.
    ///
    /// All loops share one router, guarded by one lock.
    struct CallRouter {
        /// The decision for a call.
        enum Decision {
            /// The call runs in the loop of its route.
            case start(CurlCall)

            /// The call should run in this loop, whose thread must be started first.
            case needsThread(Int)

            /// The call waits in the router.
            case waits

            /// No loop takes calls.
            case refused
        }

        /// The state of a loop, as far as the router needs to know.
        private struct Loop {
            enum Thread { case none, started, unavailable }

            var thread = Thread.none
            var running = 0

            /// The number of connections that the running calls need.
            var connections = 0
        }

        /// The number of hosts that are remembered without a call, with the protocol that they use.
        private static let keptHosts = 1024

        /// The number of calls in a loop, relative to the mean of all loops, above which a call goes to the next: 1.25.
        ///
        /// This is consistent hashing with bounded loads (Mirrokni, Thorup and Zadimoghaddam, 2016): calls stay with
        /// their host's first loop as long as the loop has not much more than the others.
        private static let boundedLoad = 1.25

        private let shares: [ConnectionShare]
        private var loops: [Loop]
        private var activeLoops: ActiveLoops
        private var hosts: [RoutedHost] = []
        private var numbers: [String: Int] = [:]
        private var freeNumbers: [Int] = []
        private var lastSerial: UInt64 = 0

        private var waitingCalls: [UInt64: CurlCall] = [:]

        /// The hosts with waiting calls, in the order of their turns.
        private var waitingHosts: [Int] = []
        private var isStopping = false
        private var isClosed = false

        init(_ shares: [ConnectionShare]) {
            self.shares = shares
            loops = Array(repeating: Loop(), count: shares.count)
            activeLoops = ActiveLoops(maximum: shares.count)
        }

        // MARK: calls

        /// Decides where a new call runs.
        ///
        /// After ``Decision/needsThread(_:)``, nothing has changed: call ``threadStarted(_:)`` or ``threadFailed(_:)``,
        /// and add the call again.
        mutating func add(_ call: CurlCall) -> Decision {
            if isClosed { return .refused }
            let number = number(of: call)
            // A new call does not overtake the waiting ones.
            if hosts[number].waiting == 0, let loop = firstLoop(for: number) {
                if loops[loop].thread == .none { return .needsThread(loop) }
                return .start(begin(call, number, in: loop))
            }
            if loops.allSatisfy({ $0.thread == .unavailable }) {
                forgetIfIdle(number)
                retryThreads()
                return .refused
            }
            if hosts[number].waiting == 0 { waitingHosts.append(number) }
            hosts[number].addWaiting(call.id)
            waitingCalls[call.id] = call
            return .waits
        }

        /// Records the end of a call, and returns the calls that start in its loop now.
        mutating func end(_ route: CallRoute?) -> [CurlCall] {
            guard let route else { return [] }
            let wasFull = isFull(route.loop)
            changeConnections(of: route.host, in: route.loop) { $0.end(in: route.loop) }
            loops[route.loop].running -= 1
            defer {
                forgetIfIdle(route.host)
                if loops.allSatisfy({ $0.running == 0 }) { retryThreads() }
            }
            // While the loop was full, calls to any host may have waited for it.
            let isNext = hosts[route.host].runningInAll == 0 || !wasFull
            let own = isNext ? startWaiting(for: route.host, in: route.loop) : []
            return wasFull ? own + startWaiting(in: route.loop) : own
        }

        /// Returns the waiting calls that start in a loop now, those of each host in order.
        mutating func startWaiting(in loop: Int) -> [CurlCall] {
            var started: [CurlCall] = []
            for number in waitingHosts {
                if isFull(loop) { break }
                started += startWaiting(for: number, in: loop)
            }
            return started
        }

        /// Removes a call that waits; nil if the call does not wait.
        mutating func removeWaiting(_ id: UInt64) -> CurlCall? {
            guard let call = waitingCalls.removeValue(forKey: id) else { return nil }
            let number = number(of: call)
            hosts[number].removeWaiting()
            if hosts[number].waiting == 0 { waitingHosts.removeAll { $0 == number } }
            forgetIfIdle(number)
            return call
        }

        /// The waiting calls whose time limit a loop has to check: for each host, the first loop that blocks its calls.
        func waitingCalls(checkedBy loop: Int) -> [CurlCall] {
            if waitingCalls.isEmpty { return [] }
            let origins = waitingHosts.filter { number in
                let blocking = loops.indices.first { hosts[number].running[$0] > 0 }
                return loop == blocking ?? loops.indices.first(where: isFull)
            }.map { hosts[$0].origin }
            let checked = Set(origins)
            return waitingCalls.values.filter { checked.contains($0.origin) }
        }

        /// Removes all waiting calls, and refuses further calls.
        mutating func close() -> [CurlCall] {
            isClosed = true
            defer { (waitingCalls, waitingHosts) = ([:], []) }
            return Array(waitingCalls.values)
        }

        // MARK: loops

        /// Records whether the calls of a host share connections, and returns the calls that start in its loop now.
        ///
        /// Other loops may have room for calls, too. The result is nil if nothing has changed.
        mutating func identify(_ route: CallRoute, as use: ConnectionUse) -> [CurlCall]? {
            if hosts[route.host].use == use { return nil }
            for loop in loops.indices { loops[loop].connections -= hosts[route.host].connections(in: loop) }
            hosts[route.host].use = use
            for loop in loops.indices { loops[loop].connections += hosts[route.host].connections(in: loop) }
            return startWaiting(for: route.host, in: route.loop) + startWaiting(in: route.loop)
        }

        /// Whether a loop has room for a waiting call, and still takes calls.
        func canStartWaiting(in loop: Int) -> Bool {
            !isStopping && waitingHosts.contains { mayRun($0, in: loop) }
        }

        /// Records that no thread is started any more; the waiting calls start in the loops that block them.
        mutating func stop() { isStopping = true }

        mutating func threadStarted(_ loop: Int) { loops[loop].thread = .started }

        /// Records that the system has no thread or no descriptor left for a loop: other loops take its calls.
        ///
        /// The loop is tried again when no call runs.
        mutating func threadFailed(_ loop: Int) { loops[loop].thread = .unavailable }

        mutating func threadEnded(_ loop: Int) { loops[loop].thread = .none }

        /// Whether a loop's thread must be started before the loop takes calls.
        func needsThread(_ loop: Int) -> Bool { loops[loop].thread == .none }

        /// Records the load of a loop's thread: see ``ActiveLoops``.
        mutating func record(_ load: Double, of loop: Int, at now: Int64) {
            activeLoops.record(load, of: loop, at: now)
        }

        private mutating func retryThreads() {
            for loop in loops.indices where loops[loop].thread == .unavailable { loops[loop].thread = .none }
        }

        // MARK: decisions

        /// Returns the loop in which a call to a host runs; nil if no loop has room.
        private func firstLoop(for number: Int) -> Int? {
            let active = activeLoops.count
            if active == 1 { return loops.indices.first { mayRun(number, in: $0) } }
            let inUse = (0..<active).map { (number + $0) % active }
            let running = inUse.reduce(0) { $0 + loops[$1].running }
            let most = Int((Self.boundedLoad * Double(running + 1) / Double(active)).rounded(.up))
            return inUse.first { loops[$0].running < most && mayRun(number, in: $0) }
                ?? inUse.first { mayRun(number, in: $0) }
                ?? loops.indices.dropFirst(active).first { mayRun(number, in: $0) }
        }

        private func mayRun(_ number: Int, in loop: Int) -> Bool {
            if loops[loop].thread == .unavailable { return false }
            if !hosts[number].mayRun(in: loop, share: shares[loop]) { return false }
            return !isFull(loop) || hosts[number].sharesConnection(in: loop)
        }

        private func isFull(_ loop: Int) -> Bool { loops[loop].connections >= shares[loop].total }

        /// Starts the waiting calls of a host for which a loop has room.
        private mutating func startWaiting(for number: Int, in loop: Int) -> [CurlCall] {
            var started: [CurlCall] = []
            while hosts[number].waiting > 0, mayRun(number, in: loop), let id = hosts[number].popFirst() {
                guard let call = waitingCalls.removeValue(forKey: id) else { continue }
                hosts[number].removeWaiting()
                started.append(begin(call, number, in: loop))
            }
            if started.isEmpty { return [] }
            // The other hosts have their turn first.
            waitingHosts.removeAll { $0 == number }
            if hosts[number].waiting > 0 { waitingHosts.append(number) }
            return started
        }

        private mutating func begin(_ call: CurlCall, _ number: Int, in loop: Int) -> CurlCall {
            changeConnections(of: number, in: loop) { $0.begin(in: loop) }
            loops[loop].running += 1
            var call = call
            call.route = CallRoute(host: number, loop: loop, origin: hosts[number].serial, use: hosts[number].use)
            return call
        }

        private mutating func changeConnections(of number: Int, in loop: Int, _ change: (inout RoutedHost) -> Void) {
            let before = hosts[number].connections(in: loop)
            change(&hosts[number])
            loops[loop].connections += hosts[number].connections(in: loop) - before
        }

        // MARK: hosts

        /// The number of hosts that are remembered.
        var hostCount: Int { numbers.count }

        private mutating func number(of call: CurlCall) -> Int {
            if let number = numbers[call.origin] { return number }
            let use = call.needsOwnConnection ? ConnectionUse.exclusive : .unknown
            lastSerial += 1
            let host = RoutedHost(origin: call.origin, serial: lastSerial, use: use, loops: loops.count)
            let number = freeNumbers.popLast() ?? hosts.count
            if number == hosts.count { hosts.append(host) } else { hosts[number] = host }
            numbers[call.origin] = number
            return number
        }

        private mutating func forgetIfIdle(_ number: Int) {
            guard numbers.count > Self.keptHosts, hosts[number].isIdle else { return }
            numbers[hosts[number].origin] = nil
            freeNumbers.append(number)
        }
    }
#endif
