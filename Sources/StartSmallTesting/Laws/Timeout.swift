import StartSmall

/// A time limit for work that may never end: the only use of a real clock here, and only for violations.
struct Timeout: Sendable {
    private let limit: Duration

    init(_ limit: Duration) {
        self.limit = min(limit, .maximumWait)
    }

    /// Returns the result of `work`, or nil after the time limit: the work is cancelled then, but not awaited.
    func result<Value: Sendable>(of work: @escaping @Sendable () async -> Value) async -> Value? {
        let (over, result) = (Latch(), Recorder<Value>())
        let working = Task { @concurrent in
            result.append(await work())
            over.open()
        }
        let waiting = Task { @concurrent [limit] in
            try? await Task.sleep(for: limit)
            over.open()
        }
        await over.wait()
        // The result is read before the work is cancelled, since cancelled work may end with a late value.
        let value = result.elements.first
        waiting.cancel()
        working.cancel()
        return value
    }
}
