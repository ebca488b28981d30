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
        guard sequencer.withLock({ $0.begin(event) }) else { return }
        // The event itself, and not a copy in a variable: the copies would cost more than a listener.
        listener.observe(event, callID)
        while !sequencer.withLock({ $0.end() }), let next = sequencer.withLock({ $0.next() }) {
            listener.observe(next, callID)
        }
    }

    /// Returns the number of the next request that an engine sends for the call: 1 for the first one.
    func nextAttempt() -> Int {
        attempts.add(1, ordering: .relaxed).newValue
    }
}

/// The order in which listeners receive the events that several threads report in one call: one at a time; no side
/// effects.
///
/// After the first event of the call that follows `started`, such as `received`, events of wrappers and connectors are
/// dropped.
struct EventSequencer: Sendable {
    private var isDelivering = false
    private var isEnding = false
    private var waiting: [Event] = []

    /// Takes an event.
    ///
    /// - Returns: whether the caller delivers it, and those of ``next()`` after it; if not, the event is dropped, or
    ///   the thread that is delivering another one delivers it.
    mutating func begin(_ event: Event) -> Bool {
        if event.isReportedByCall {
            if case .started = event {} else { isEnding = true }
        } else if isEnding {
            return false
        }
        if isDelivering { waiting.append(event) }
        defer { isDelivering = true }
        return !isDelivering
    }

    /// Ends the delivery, unless an event waits; returns whether it has ended.
    mutating func end() -> Bool {
        if waiting.isEmpty { isDelivering = false }
        return waiting.isEmpty
    }

    /// Returns the next event to deliver; nil if there is none, which ends the delivery.
    mutating func next() -> Event? {
        isDelivering = !waiting.isEmpty
        return isDelivering ? waiting.removeFirst() : nil
    }
}
