import StartSmall

/// A list that many may append to at once: what a stub was sent, what a listener heard.
public struct Recorder<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    /// Creates an empty recorder.
    public init() {}

    /// Adds an element at the end.
    public func append(_ element: Element) {
        storage.withLock { $0.append(element) }
    }

    /// All elements so far, in order.
    public var elements: [Element] {
        storage.withLock { $0 }
    }
}
