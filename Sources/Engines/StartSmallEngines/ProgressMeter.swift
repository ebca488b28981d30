package import StartSmallCore

/// A filter of progress reports: at most 20 a second, and always the last.
///
/// Times are measured from any one moment, by the clock of the engine.
package struct ProgressMeter: Sendable {
    /// The interval between reports: 20 a second, faster than the eye needs, slow enough to cost nothing.
    package static let interval = Duration.milliseconds(50)

    private var reported = TransferProgress()
    private var lastReportedAt: Duration

    /// Creates a meter for a transfer that begins now.
    ///
    /// A transfer that ends within one interval is reported once, at its end.
    package init(from now: Duration) { lastReportedAt = now }

    /// Returns whether to report this progress now.
    package mutating func isDue(_ progress: TransferProgress, at now: Duration) -> Bool {
        guard hasUnreported(progress), now - lastReportedAt >= Self.interval else { return false }
        (reported, lastReportedAt) = (progress, now)
        return true
    }

    /// Returns whether to report this progress if it is the last; without any transferred byte there is no report.
    package func hasUnreported(_ progress: TransferProgress) -> Bool {
        let isNew = progress.sent != reported.sent || progress.received != reported.received
        return isNew && max(progress.sent.bytes, progress.received.bytes) > 0
    }
}
