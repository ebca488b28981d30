import StartSmallSupport
import StartSmallFoundation

/// The limits of the payload of a response outside of 2xx, whatever the delivery.
///
/// A payload that exceeds them is broken: the head decides on retries, and no problem is decoded from the part.
package final class ErrorPayloadLimit: Sendable {
    /// The default limit of the bytes, 1 MiB: a description of a problem (RFC 9457) has a few KB.
    package static let defaultBytes = 1 << 20

    /// The default limit of the time from the head to the end of the payload: 10 seconds.
    ///
    /// RFC 9110 sets none. The payload of an error is made with its head, and 100 KB arrive in 10 seconds at 80 kbit/s,
    /// the slowest of mobile networks (GPRS). A server that sends a byte now and then would otherwise keep the status
    /// from retries, new tokens and fallbacks until the time limit of the call.
    package static let defaultTime = Duration.seconds(10)

    let bytes: Int
    private let time: Duration
    private let timers: TimerScheduler

    package init(
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
