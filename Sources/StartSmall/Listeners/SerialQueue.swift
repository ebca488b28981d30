import Synchronization

/// Things from many threads that are to be handed out by one, in the order in which they came.
///
/// Handing out is done without the lock, so that whoever takes a thing may add another.
struct SerialQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var isHandedOut = false
    }

    private let change: @Sendable ((inout State) -> Void) -> Void

    init() {
        let state = Mutex(State())
        change = { body in state.withLock { body(&$0) } }
    }

    /// Adds an element; true if it is for the caller to hand out, false if someone is at it.
    func add(_ element: Element) -> Bool {
        var isFirst = false
        change { state in
            state.waiting.append(element)
            isFirst = !state.isHandedOut
            state.isHandedOut = true
        }
        return isFirst
    }

    /// Hands out what is there, and what comes meanwhile.
    func handOut(to body: (Element) -> Void) {
        while let elements = take() {
            for element in elements { body(element) }
        }
    }

    private func take() -> [Element]? {
        var taken: [Element] = []
        change { state in
            swap(&taken, &state.waiting)
            if taken.isEmpty { state.isHandedOut = false }
        }
        return taken.isEmpty ? nil : taken
    }
}
