/// The progress of a call over a `URLSession`, and the filter that decides which progress is reported.
struct URLSessionTransferState: Sendable {
    /// The measurements of the session itself; nil on Linux.
    var measured: RequestTimings?

    private let start: SuspendingClock.Instant
    private var firstByte: Duration?
    private var progress = TransferProgress()
    private var meter = ProgressMeter(from: .zero)

    /// Creates the state of a call that starts now.
    init(from start: SuspendingClock.Instant) {
        self.start = start
    }

    /// Records the number of bytes of the payload that were sent until now, and the number of all, if it is known.
    mutating func sent(_ bytes: Int64, of total: Int64?) {
        progress.sent = TransferProgress.Count(bytes: bytes, total: total)
    }

    /// Records the head of the response, with the length of the payload by `Content-Length`.
    ///
    /// The length of a compressed payload is unknown, since a session reports decompressed bytes.
    mutating func received(head: Response, at now: SuspendingClock.Instant) {
        firstByte = start.duration(to: now)
        progress.status = head.statusCode
        let isCompressed = head.headers.contains("Content-Encoding")
        progress.received = TransferProgress.Count(
            total: isCompressed ? nil : head.headers["Content-Length"].flatMap { Int64($0) }
        )
    }

    /// Records this number of further bytes of the received payload.
    mutating func received(_ bytes: Int) {
        progress.received.bytes += Int64(bytes)
    }

    /// Whether there is progress that was not yet reported.
    var hasUnreportedProgress: Bool { meter.hasUnreported(progress) }

    /// Takes the progress that has to be reported now, if there is any.
    mutating func takeProgress(at now: SuspendingClock.Instant) -> TransferProgress? {
        meter.isDue(progress, at: start.duration(to: now)) ? progress : nil
    }

    /// Returns the last events: the last progress, unless it was reported, and the timings.
    ///
    /// The total of a complete response is the number of received bytes, regardless of the announced length.
    func reported(isWhole: Bool, at now: SuspendingClock.Instant) -> [Event] {
        var last = progress
        if isWhole { last.received.total = last.received.bytes }
        var timings = measured ?? RequestTimings(firstByte: firstByte, total: start.duration(to: now))
        (timings.sentBytes, timings.receivedBytes) = (last.sent.bytes, last.received.bytes)
        return (meter.hasUnreported(last) ? [.progress(last)] : []) + [.timings(timings)]
    }
}
