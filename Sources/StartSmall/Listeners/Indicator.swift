import Synchronization

extension Listener {
    /// Listener that has an indicator shown while any call runs: `show(true)` when the count of running calls leaves 0,
    /// `show(false)` when it reaches 0 again.
    ///
    /// All calls that this listener hears count together, through whatever connectors they go. `show` is never called
    /// twice at once, and true and false take turns; with many calls at once it may be called by the thread of another.
    /// To be called on the main actor: `.indicator(MainActor.serialized { … })`.
    public static func indicator(_ show: @escaping @Sendable (_ isVisible: Bool) -> Void) -> Listener {
        let changes = SerialQueue<Int>()
        let running = Mutex(0)
        return Listener { event in
            guard let change = event.changeOfRunning, changes.add(change) else { return }
            changes.handOut { change in
                let count = running.withLock { running in
                    running += change
                    return running
                }
                if change > 0 && count == 1 { show(true) }
                if change < 0 && count == 0 { show(false) }
            }
        }
    }
}

extension Event {
    /// How many calls more run after this event; nil where it changes nothing.
    fileprivate var changeOfRunning: Int? {
        switch self {
        case .started: 1
        case .ended: -1
        default: nil
        }
    }
}
