/// Decides which progress is worth telling: at most 20 a second, and always the last.
///
/// Times are counted from any one moment, by whatever clock an engine has.
struct ProgressMeter: Sendable {
    /// 20 a second: faster than the eye needs, slow enough to cost nothing.
    static let interval = Duration.milliseconds(50)

    private var told = TransferProgress()
    private var toldAt: Duration

    /// Creates a meter for what begins now: what is over within an interval is told once, at its end.
    init(from now: Duration) { toldAt = now }

    /// Whether this progress is to be told now.
    mutating func tells(_ progress: TransferProgress, at now: Duration) -> Bool {
        guard owes(progress), now - toldAt >= Self.interval else { return false }
        (told, toldAt) = (progress, now)
        return true
    }

    /// Whether this progress is still to be told if it is the last; where no byte went by, there is none.
    func owes(_ progress: TransferProgress) -> Bool {
        let isNew = progress.sent != told.sent || progress.received != told.received
        return isNew && max(progress.sent.bytes, progress.received.bytes) > 0
    }
}
