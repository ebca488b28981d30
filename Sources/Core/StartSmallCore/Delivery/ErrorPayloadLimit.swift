import StartSmallSupport
import StartSmallFoundation

/// The limits of the payload of a response outside of 2xx, whatever the delivery.
///
/// A payload that exceeds them is broken: the head decides on retries, and no problem is decoded from the part.
final class ErrorPayloadLimit: Sendable {
    /// The default limit of the bytes, 1 MiB: a description of a problem (RFC 9457) has a few KB.
    static let defaultBytes = 1 << 20

    /// The default limit of the time from the head to the end of the payload: 10 seconds.
    ///
    /// RFC 9110 sets none. The payload of an error is made with its head, and 100 KB arrive in 10 seconds at 80 kbit/s,
    /// the slowest of mobile networks (GPRS). A server that sends a byte now and then would otherwise keep the status
    /// from retries, new tokens and fallbacks until the time limit of the call.
    static let defaultTime = Duration.seconds(10)

    let bytes: Int
    private let time: Duration
    private let timers: TimerScheduler

    init(
        bytes: Int = defaultBytes,
        time: Duration = defaultTime,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        (self.bytes, self.time, timers) = (bytes, time, TimerScheduler(clock: clock))
    }

    /// Limits the time of a body until the returned function is called.
    func startTimer(for body: ResponseBody) -> @Sendable () -> Void {
        timers.interrupt(body, with: .timedOut(.overduePayload(limit: time)), after: time)
    }
}

extension TimerScheduler {
    /// Ends a body with an error after a time, unless the returned function is called before.
    func interrupt(
        _ body: ResponseBody,
        with error: ConnectionError,
        after time: Duration
    ) -> @Sendable () -> Void {
        let timer = set(at: now() + time) { [body = body.weak] in body.interrupt(with: error) }
        return { cancel(timer) }
    }
}

extension Response {
    /// The size up to which the payload of a rejected response is kept: 64 KiB.
    ///
    /// A description of a problem (RFC 9457) has a few KB.
    @usableFromInline static let rejectedPayloadLimit = 64 << 10

    /// The time for which the payload of a rejected response is read: 1 second.
    ///
    /// A server sends a description of a problem together with the head. A second is more than a round trip over a
    /// satellite, and the caller of an endless or silent payload does not wait much longer for the error.
    @usableFromInline static let rejectedPayloadTime = Duration.seconds(1)

    /// Returns the response with what arrives of its ``body`` within a size and a time; the rest is discarded.
    ///
    /// An error that rejects a response keeps the reason of the service by this. A response without a body is returned
    /// as it is.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes; 64 KiB by default.
    ///   - time: the maximum time; 1 second by default.
    ///   - clock: the clock that measures the time.
    public func keepingPayload(
        upTo limit: Int = rejectedPayloadLimit,
        within time: Duration = rejectedPayloadTime,
        clock: some Clock<Duration> = ContinuousClock()
    ) async -> Response {
        guard let body else { return self }
        var kept = head
        let timers = TimerScheduler(clock: clock)
        // The end of a body whose rest is not wanted, as wrappers inside see it.
        let stopTimer = timers.interrupt(body, with: .cancelled, after: time)
        while let chunk = try? await body.next(), kept.append(chunk, upTo: max(0, limit)) {}
        stopTimer()
        body.discard()
        kept.trailers = body.trailers
        return kept
    }

    /// Appends a chunk to the payload in memory, up to a size; returns whether all of the chunk fits.
    @inline(never)
    mutating func append(_ chunk: Data, upTo limit: Int) -> Bool {
        let room = limit - payload.count
        payload += chunk.prefix(room)
        return chunk.count <= room
    }
}

extension Response {
    /// The time after the head of a redirect for which its payload is read: 100 ms.
    ///
    /// The payload is a note for readers (RFC 9110 15.4.3), and mostly arrives with the head. OkHttp waits as long for
    /// the rest of a response that is not wanted, so that its connection can be used again
    /// (`DISCARD_STREAM_TIMEOUT_MILLIS`).
    package static let redirectPayloadTime = Duration.milliseconds(100)

    /// The number of bytes of such a payload that are read at most: 64 KiB.
    package static let redirectPayloadLimit = 64 * 1024

    /// Whether a wrapper can follow this response: a redirect with a `Location`.
    package var isFollowable: Bool {
        switch statusCode {
        case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect:
            headers["Location"]?.isEmpty == false
        default: false
        }
    }
}
