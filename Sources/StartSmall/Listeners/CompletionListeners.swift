public import StartSmallCore
import Synchronization

extension Listener {
    /// Returns a listener that is called once for each failed call, with the input and the event of the failure.
    ///
    /// The event is one of ``Event/noResponse(_:)``, ``Event/rejected(_:)``, ``Event/malformed(_:debugInfo:)``,
    /// ``Event/invalid(_:reason:)`` and ``Event/cancelled``. The listener is called at ``Event/failed``, so after the
    /// caller's block. The input is nil if none could be built.
    ///
    /// - Parameter observe: receives the input and the event of the failure.
    public static func onFailure(
        _ observe: @escaping @Sendable (_ input: Input?, _ reason: Event) -> Void
    ) -> Listener {
        atEnd(of: .failed, observe)
    }

    /// Returns a listener that is called once for each call when the call ends, with the input and the outcome.
    ///
    /// The outcome is ``Event/succeeded``, or the event of the failure. The input is nil if none could be built.
    public static func onEnd(
        _ observe: @escaping @Sendable (_ input: Input?, _ outcome: Event) -> Void
    ) -> Listener {
        atEnd(of: .ended, observe)
    }

    /// Returns a listener that stores the input and the last outcome of each call until the call ends.
    private static func atEnd(
        of moment: Event,
        _ observe: @escaping @Sendable (Input?, Event) -> Void
    ) -> Listener {
        let running = Mutex<[CallID: (input: Input?, outcome: Event?)]>([:])
        return Listener { event, call in
            let record = running.withLock { running in
                switch event {
                case .started(let input): running[call] = (input, nil)
                case .succeeded: running[call]?.outcome = event
                case .ended: return running.removeValue(forKey: call)
                default: if event.isFailure { running[call]?.outcome = event }
                }
                return running[call]
            }
            if event == moment, let record, let outcome = record.outcome { observe(record.input, outcome) }
        }
    }
}
