public import StartSmallCore
import Synchronization

extension Listener {
    /// Returns a listener that shows an indicator while any call runs.
    ///
    /// The listener calls `show(true)` when the number of running calls leaves 0, and `show(false)` when the number
    /// reaches 0 again. All calls that this listener observes count together, through all connectors. `show` is never
    /// called concurrently, and true and false alternate; with concurrent calls, the thread of another call may call
    /// it. To be called on the main actor: `.indicator(MainActor.serialized { … })`.
    public static func indicator(_ show: @escaping @Sendable (_ isVisible: Bool) -> Void) -> Listener {
        let changes = SerialQueue<Int>()
        let running = Mutex(0)
        return Listener { event in
            let change: Int
            switch event {
            case .started: change = 1
            case .ended: change = -1
            default: return
            }
            guard changes.add(change) else { return }
            changes.deliver { change in
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
