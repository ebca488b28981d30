import StartSmallSupport

/// Delivers elements from many threads, one at a time, in order.
///
/// Elements are delivered outside of the lock, so that the consumer of an element may add another.
///
/// No element is dropped, and no two are delivered at the same time. `EventSequencer` differs: it drops the events of
/// wrappers and connectors after the call has ended.
struct SerialQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var isDelivering = false
    }

    private let state = Locked(State())

    /// Adds an element; returns true if the caller has to deliver, false if another thread is delivering.
    func add(_ element: Element) -> Bool {
        state.withLock { state in
            state.waiting.append(element)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
    }

    /// Delivers the waiting elements, and those that are added meanwhile.
    func deliver(to consumer: (Element) -> Void) {
        while let elements = take() {
            for element in elements { consumer(element) }
        }
    }

    private func take() -> [Element]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isDelivering = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
