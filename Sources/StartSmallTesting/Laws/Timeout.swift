import StartSmall

/// Waits for what may never end: the only place here that looks at a real clock, and only for what is wrong.
struct Timeout: Sendable {
    private let limit: Duration

    init(_ limit: Duration) {
        self.limit = min(limit, .maximumWait)
    }

    /// What `work` comes to, or nil if it takes too long: it is cancelled and let go then.
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
        // Before the work is cancelled, which may end it with a value that comes too late.
        let value = result.elements.first
        waiting.cancel()
        working.cancel()
        return value
    }
}
