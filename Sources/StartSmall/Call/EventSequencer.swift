/// The order in which listeners receive the events that several threads report in one call; no side effects.
///
/// After the call has reported its end, events of wrappers and connectors are dropped. An event of theirs that is just
/// being delivered is completed first; the call's own events wait for that, in their order.
struct EventSequencer: Sendable {
    /// The number of events that are being delivered.
    private var observing = 0
    private var isEnding = false
    private var waiting: [Event] = []

    /// Returns whether to deliver an event now; if not, it is delivered later, or dropped.
    mutating func isObserved(_ event: Event) -> Bool {
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

    /// Records that an event was delivered, and returns the next one for the same thread to deliver.
    mutating func observed() -> Event? {
        if observing > 1 || waiting.isEmpty {
            observing -= 1
            return nil
        }
        return waiting.removeFirst()
    }
}
