/// Things from many threads that are to be handed out by one, in the order in which they came.
///
/// Handing out is done without the lock, so that whoever takes a thing may add another.
struct SerialQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var isHandedOut = false
    }

    private let state = Locked(State())

    /// Adds an element; true if it is for the caller to hand out, false if someone is at it.
    func add(_ element: Element) -> Bool {
        state.withLock { state in
            state.waiting.append(element)
            defer { state.isHandedOut = true }
            return !state.isHandedOut
        }
    }

    /// Hands out what is there, and what comes meanwhile.
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
