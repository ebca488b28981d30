import Foundation
import StartSmall
import Synchronization

/// Checks that each call begins once and ends once, with no event after its end.
final class CallAudit: Sendable {
    private struct State {
        var running: Set<CallID> = []
        var started = 0
        var objections: [String] = []
    }

    private let state = Mutex(State())

    var listener: Listener {
        Listener { [self] event, call in
            state.withLock { state in
                switch event {
                case .started:
                    state.started += 1
                    if !state.running.insert(call).inserted { state.objections.append("started twice") }
                case .ended: if state.running.remove(call) == nil { state.objections.append("ended twice") }
                default: if !state.running.contains(call) { state.objections.append("\(event.name) after the end") }
                }
            }
        }
    }

    /// The number of begun calls, of those that have not ended, and the violations.
    var summary: (started: Int, running: Int, objections: Set<String>) {
        state.withLock { ($0.started, $0.running.count, Set($0.objections)) }
    }
}

/// Counts concurrent calls: the current and the highest number.
final class Meter: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }
    var now: Int { counts.withLock { $0.now } }

    func counting(_ work: () async -> Output) async -> Output {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        return await work()
    }
}
