import Synchronization

/// A list that many may append to at once: what a stub was sent, what a listener heard.
public struct Recorder<Element: Sendable>: Sendable {
    private let change: @Sendable ((inout [Element]) -> Void) -> Void

    /// Creates an empty recorder.
    public init() {
        let storage = Mutex<[Element]>([])
        change = { body in storage.withLock { body(&$0) } }
    }

    /// Adds an element at the end.
    public func append(_ element: Element) {
        change { $0.append(element) }
    }

    /// All elements so far, in order.
    public var elements: [Element] {
        var copy: [Element] = []
        change { copy = $0 }
        return copy
    }
}
