import Synchronization

extension Listener {
    /// Listener that is called once for each call that fails, with what was to be sent and the event that says why.
    ///
    /// That is one of ``Event/noResponse(_:)``, ``Event/refused(_:)``, ``Event/malformed(_:debugInfo:)``,
    /// ``Event/invalid(_:reason:)`` and ``Event/cancelled``; it is told at ``Event/failed``, so behind the caller's block.
    /// The input is nil if none could be built.
    public static func onFailure(
        _ hear: @escaping @Sendable (_ input: Input?, _ reason: Event) -> Void
    ) -> Listener {
        atEnd(of: .failed, hear)
    }

    /// Listener that is called once for each call, when it is over, with what was to be sent and how it ended.
    ///
    /// The outcome is ``Event/succeeded``, or the event that says why it did not. The input is nil if none could be built.
    public static func onEnd(
        _ hear: @escaping @Sendable (_ input: Input?, _ outcome: Event) -> Void
    ) -> Listener {
        atEnd(of: .ended, hear)
    }

    /// Remembers of each call what it began with and what came of it last, until it is over.
    private static func atEnd(
        of moment: Event,
        _ hear: @escaping @Sendable (Input?, Event) -> Void
    ) -> Listener {
        let running = Mutex<[CallID: (input: Input?, outcome: Event?)]>([:])
        return Listener { event, call in
            let course = running.withLock { running in
                switch event {
                case .started(let input): running[call] = (input, nil)
                case .succeeded: running[call]?.outcome = event
                case .ended: return running.removeValue(forKey: call)
                default: if event.isReason { running[call]?.outcome = event }
                }
                return running[call]
            }
            if event == moment, let course, let outcome = course.outcome { hear(course.input, outcome) }
        }
    }
}

extension Event {
    /// Whether it says why a call fails.
    var isReason: Bool {
        switch self {
        case .noResponse, .refused, .malformed, .invalid, .cancelled: true
        default: false
        }
    }
}
