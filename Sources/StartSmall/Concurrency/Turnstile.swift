import Synchronization

/// An asynchronous lock that admits one task at a time, in the order of arrival.
struct Turnstile: ~Copyable, Sendable {
    // Not private: otherwise, Swift 6.3 emits a broken module if a turnstile is stored in a value of another file.
    struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Takes the lock if it is free, and returns whether it was.
        mutating func enter() -> Bool {
            if isTaken { return false }
            isTaken = true
            return true
        }
    }

    let state = Mutex(State())

    /// Runs a function after all tasks that arrived before have finished theirs.
    func pass<Result>(_ body: () async -> Result) async -> Result {
        await enter()
        let result = await body()
        leave()
        return result
    }

    private func enter() async {
        if state.withLock({ $0.enter() }) { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.enter() { return true }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
