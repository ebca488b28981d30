public import StartSmall

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
    public var listener: Listener {
        Listener { [observed] event, callID in observed.append((event, callID)) }
    }

    /// All events in the order in which they were observed.
    public var events: [Event] {
        observed.elements.map(\.event)
    }

    /// The names of all events in the order in which they were observed.
    public var names: [String] {
        events.map(\.name)
    }

    /// The calls in the order of their first observed events.
    public var calls: [CallID] {
        observed.elements.reduce(into: []) { calls, element in
            if !calls.contains(element.call) { calls.append(element.call) }
        }
    }

    /// Returns the events of one call, in order.
    public func events(of callID: CallID) -> [Event] {
        observed.elements.filter { $0.call == callID }.map(\.event)
    }
}
