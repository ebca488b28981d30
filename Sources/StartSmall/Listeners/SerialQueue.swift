/// Delivers elements from many threads, one at a time, in order.
///
/// Elements are delivered outside of the lock, so that the consumer of an element may add another.
struct SerialQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var isHandedOut = false
    }

    private let state = Locked(State())

    /// Adds an element; returns true if the caller has to deliver, false if another thread is delivering.
    func add(_ element: Element) -> Bool {
        state.withLock { state in
            state.waiting.append(element)
            defer { state.isHandedOut = true }
            return !state.isHandedOut
        }
    }

    /// Delivers the waiting elements, and those that are added meanwhile.
    func handOut(to body: (Element) -> Void) {
        while let elements = take() {
            for element in elements { body(element) }
        }
    }

    private func take() -> [Element]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isHandedOut = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
