import Synchronization

/// Lets through one at a time, in the order in which they come.
struct Turnstile: ~Copyable, Sendable {
    // Not private: Swift 6.3 makes a broken module of it where a turnstile is kept in a value of another file.
    struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Takes the place if it is free.
        mutating func enter() -> Bool {
            if isTaken { return false }
            isTaken = true
            return true
        }
    }

    let state = Mutex(State())

    /// Does something when all who came before are done.
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
