import Synchronization

/// The reporter of one call's events to its listeners, which several threads may use.
final class EventReporter: Sendable {
    private let listener: Listener
    private let callID: CallID
    private let sequencer = Mutex(EventSequencer())
    private let attempts = Atomic(0)

    init(_ context: ListenerContext) {
        (listener, callID) = (context.listener, context.nextCallID())
    }

    /// Calls the listeners with an event, unless another thread has to, or the call is over.
    ///
    /// No listener runs under the lock: one that cancels the call can cause another event in the same thread.
    func report(_ event: Event) {
        guard sequencer.withLock({ $0.beginObserving(event) }) else { return }
        listener.observe(event, callID)
        if sequencer.withLock({ $0.endObserving() }) { reportWaiting() }
    }

    private func reportWaiting() {
        while let next = sequencer.withLock({ $0.nextWaiting() }) { listener.observe(next, callID) }
    }

    /// Returns the number of the next request that an engine sends for the call: 1 for the first one.
    func nextAttempt() -> Int {
        attempts.add(1, ordering: .relaxed).newValue
    }
}

/// The order in which listeners receive the events that several threads report in one call; no side effects.
///
/// After the first event of the call that follows `started`, such as `received`, events of wrappers and connectors are
/// dropped. An event of theirs that is just being delivered is completed first; the call's own events wait for that, in their order.
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
