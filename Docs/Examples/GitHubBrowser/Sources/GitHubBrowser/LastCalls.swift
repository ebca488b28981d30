import StartSmall
import StartSmallDiagnostics
import Synchronization

/// The last calls and where their time went, for the option `--times`.
final class LastCalls: Sendable {
    private let timelines = Mutex<[Timeline]>([])

    /// The maximum number of calls: a screen of text.
    static let maximumCount = 10

    var listener: Listener {
        .timeline { [self] timeline in add(timeline) }
    }

    private func add(_ timeline: Timeline) {
        timelines.withLock { $0 = Array($0.suffix(Self.maximumCount - 1)) + [timeline] }
    }

    var text: String { Timeline.text(of: timelines.withLock { $0 }) }
}
