/// The order in which listeners receive the events that several threads report in one call; no side effects.
///
/// After the call has reported its end, events of wrappers and connectors are dropped. An event of theirs that is just
/// being delivered is completed first; the call's own events wait for that, in their order.
struct EventSequencer: Sendable {
    /// The number of events that are being delivered.
    private var observing = 0
    private var isEnding = false
    private var waiting: [Event] = []

    /// Begins the delivery of an event.
    ///
    /// - Returns: whether to deliver the event now; if not, it is delivered later, or dropped.
    mutating func beginObserving(_ event: Event) -> Bool {
        if event.isReportedByCall {
            if case .started = event {} else { isEnding = true }
            if observing > 0 {
                waiting.append(event)
                return false
            }
        } else if isEnding {
            return false
        }
        observing += 1
        return true
    }

    /// Ends the delivery of an event.
    ///
    /// - Returns: whether the same thread delivers the waiting events, by ``nextWaiting()``.
    mutating func endObserving() -> Bool {
        if observing == 1, !waiting.isEmpty { return true }
        observing -= 1
        return false
    }

    /// Returns the next event to deliver; nil if there is none, which ends the delivery.
    mutating func nextWaiting() -> Event? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        observing -= 1
        return nil
    }
}
