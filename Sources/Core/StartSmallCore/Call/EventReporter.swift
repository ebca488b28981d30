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
