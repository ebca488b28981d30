public import StartSmallCore
import StartSmallSupport

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

/// A listener that records the events of each call.
///
/// ```swift
/// let log = EventLog()
/// _ = await endpoint.fetch(via: stub.wrapped(by: .listen(to: log.listener)))
/// #expect(log.names == ["started", "received", "transformed", "succeeded", "ended"])
/// ```
public struct EventLog: Sendable {
    /// Each event with its call, in the order in which the events were observed.
    public let observed = Recorder<(event: Event, call: CallID)>()

    /// Creates an empty log.
    public init() {}

    /// The listener that appends to this log.
    public var listener: Listener { Listener { [observed] event, callID in observed.append((event, callID)) } }

    /// All events in the order in which they were observed.
    public var events: [Event] { observed.elements.map(\.event) }

    /// The names of all events in the order in which they were observed.
    public var names: [String] { events.map(\.name) }

    /// The calls in the order of their first observed events.
    public var calls: [CallID] {
        observed.elements.reduce(into: []) { calls, element in
            if !calls.contains(element.call) { calls.append(element.call) }
        }
    }

    /// Returns the events of one call, in order.
    public func events(of callID: CallID) -> [Event] { observed.elements.filter { $0.call == callID }.map(\.event) }
}
