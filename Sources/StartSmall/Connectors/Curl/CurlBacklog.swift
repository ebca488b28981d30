#if os(Linux)
    /// Calls that have come and have not begun, in their order.
    ///
    /// So that whoever cancels one, or any other, does not wait until thousands have begun.
    struct CurlBacklog {
        private var order: [UInt64] = []
        private var first = 0
        private var calls: [UInt64: CurlCall] = [:]

        var isEmpty: Bool { calls.isEmpty }

        mutating func append(_ call: CurlCall) {
            order.append(call.id)
            calls[call.id] = call
        }

        /// Takes a call out, wherever it stands; nil if it is not here.
        mutating func leave(_ id: UInt64) -> CurlCall? {
            let call = calls.removeValue(forKey: id)
            if calls.isEmpty { reset() }
            return call
        }

        /// Takes the call that has been here for longest.
        mutating func next() -> CurlCall? {
            while first < order.count {
                let id = order[first]
                first += 1
                if let call = leave(id) { return call }
            }
            return nil
        }

        private mutating func reset() {
            (order, first) = ([], 0)
            calls = [:]
        }
    }
#endif
