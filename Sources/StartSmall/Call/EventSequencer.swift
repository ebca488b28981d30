/// Says which event of a call is heard when, though several threads tell of some; does nothing itself.
///
/// As soon as the call tells of its end, no wrapper and no connector is heard any more. What one of them tells just then is
/// heard to the end first, and the call's own events wait for that, in their order.
struct EventSequencer: Sendable {
    /// How many events are being heard.
    private var hearing = 0
    private var isEnding = false
    private var waiting: [Event] = []

    /// Whether an event is to be heard now; if not, it is heard later, or never.
    mutating func mayBeHeard(_ event: Event) -> Bool {
        if event.isTheCalls {
            if case .started = event {} else { isEnding = true }
            if hearing > 0 {
                waiting.append(event)
                return false
            }
        } else if isEnding {
            return false
        }
        hearing += 1
        return true
    }

    /// An event was heard; gives the one that is to be heard next by whoever heard this.
    mutating func heard() -> Event? {
        if hearing > 1 || waiting.isEmpty {
            hearing -= 1
            return nil
        }
        return waiting.removeFirst()
    }
}
