#if os(Linux)
    /// The calls that the router has given to an event loop, and that have not begun.
    ///
    /// Calls wait here so that a cancellation, or any other command, does not wait until thousands of calls have begun.
    struct PendingCalls {
        private var calls: [UInt64: CurlCall] = [:]
        private var order = CallIDQueue()

        /// Whether no call is pending.
        var isEmpty: Bool { calls.isEmpty }

        /// All calls, in any order.
        var all: [CurlCall] { Array(calls.values) }

        mutating func append(_ call: CurlCall) {
            calls[call.id] = call
            order.append(call.id)
        }

        /// Removes a pending call; returns nil if it is not pending.
        mutating func remove(_ id: UInt64) -> CurlCall? { calls.removeValue(forKey: id) }

        /// Removes and returns the first call.
        mutating func next() -> CurlCall? {
            while let id = order.popFirst() {
                if let call = calls.removeValue(forKey: id) { return call }
            }
            return nil
        }
    }
#endif
