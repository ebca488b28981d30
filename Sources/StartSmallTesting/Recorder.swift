import StartSmall

/// A thread-safe list for concurrent appends, such as of the inputs of a stub or the events of a listener.
public struct Recorder<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    /// Creates an empty recorder.
    public init() {}

    /// Appends an element.
    public func append(_ element: Element) {
        storage.withLock { $0.append(element) }
    }

    /// All elements so far, in order.
    public var elements: [Element] {
        storage.withLock { $0 }
    }
}
