import StartSmallCore
import StartSmallEngines

/// The progress of a call over a `URLSession`, and the filter that decides which progress is reported.
struct URLSessionTransferState: Sendable {
    /// The measurements of the session itself; nil on Linux.
    var measured: RequestTimings?

    private let start: SuspendingClock.Instant
    private var firstByte: Duration?
    private var progress = TransferProgress()
    private var meter = ProgressMeter(from: .zero)
    private var lastReport: SuspendingClock.Instant

    init(from start: SuspendingClock.Instant) {
        (self.start, lastReport) = (start, start)
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

    mutating func received(_ bytes: Int) {
        progress.received.bytes += Int64(bytes)
    }

    /// The time at which unreported progress has to be reported; nil if there is none.
    var reportTime: SuspendingClock.Instant? {
        meter.hasUnreported(progress) ? lastReport.advanced(by: ProgressMeter.interval) : nil
    }

    /// Takes the progress that has to be reported now, if there is any.
    mutating func takeProgress(at now: SuspendingClock.Instant) -> TransferProgress? {
        guard meter.isDue(progress, at: start.duration(to: now)) else { return nil }
        lastReport = now
        return progress
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

extension RequestTimings {
    /// Creates the timings of a task's last request; nil on Linux, where Foundation measures nothing.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last, let start = last.fetchStartDate else { return nil }
        let time = { (date: Date?) in date.map { Duration.seconds($0.timeIntervalSince(start)) } }
        let port = last.remotePort.map { ":\($0)" } ?? ""
        self.init(
            nameLookup: time(last.domainLookupEndDate),
            connect: time(last.connectEndDate),
            secureConnection: time(last.secureConnectionEndDate),
            firstByte: time(last.responseStartDate),
            total: time(last.responseEndDate) ?? .seconds(metrics.taskInterval.duration),
            reusedConnection: last.isReusedConnection,
            httpVersion: last.networkProtocolName.flatMap { Self.versions[$0] },
            remoteAddress: last.remoteAddress.map { ($0.contains(":") ? "[\($0)]" : $0) + port }
        )
    }

    /// The versions of HTTP by the names of protocols in TLS (RFC 7301, the IANA registry of ALPN protocol IDs).
    private static let versions = ["http/1.0": "1.0", "http/1.1": "1.1", "h2": "2", "h3": "3"]
}
