/// How far a call over a `URLSession` has come, and what of it is worth telling.
struct URLSessionTransferState: Sendable {
    /// What the session itself has measured; on Linux, nothing.
    var measured: RequestTimings?

    private let start: SuspendingClock.Instant
    private var firstByte: Duration?
    private var progress = TransferProgress()
    private var meter = ProgressMeter(from: .zero)

    /// A call that starts now.
    init(from start: SuspendingClock.Instant) {
        self.start = start
    }

    /// So many bytes of the payload were sent by now, of so many.
    mutating func sent(_ bytes: Int64, of total: Int64?) {
        progress.sent = TransferProgress.Count(bytes: bytes, total: total)
    }

    /// The response began; how long its payload is says `Content-Length`, unless it comes compressed, since a session
    /// gives the bytes it has decompressed.
    mutating func received(head: Response, at now: SuspendingClock.Instant) {
        firstByte = start.duration(to: now)
        progress.status = head.statusCode
        let isCompressed = head.headers.contains("Content-Encoding")
        progress.received = TransferProgress.Count(
            total: isCompressed ? nil : head.headers["Content-Length"].flatMap { Int64($0) }
        )
    }

    /// So many more bytes of the payload were received.
    mutating func received(_ bytes: Int) {
        progress.received.bytes += Int64(bytes)
    }

    /// Whether there is a progress that was not told yet.
    var owesProgress: Bool { meter.owes(progress) }

    /// A progress that is to be told now, if there is one.
    mutating func takeProgress(at now: SuspendingClock.Instant) -> TransferProgress? {
        meter.tells(progress, at: start.duration(to: now)) ? progress : nil
    }

    /// What is told at the end: the last progress, unless it was told, and where the time went.
    ///
    /// What came of a whole response is the whole of its payload, whatever was said of its length.
    func told(isWhole: Bool, at now: SuspendingClock.Instant) -> [Event] {
        var last = progress
        if isWhole { last.received.total = last.received.bytes }
        var timings = measured ?? RequestTimings(firstByte: firstByte, total: start.duration(to: now))
        (timings.sentBytes, timings.receivedBytes) = (last.sent.bytes, last.received.bytes)
        return (meter.owes(last) ? [.progress(last)] : []) + [.timings(timings)]
    }
}
