public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// The delay that a server requests from its clients, in any of several header fields.
public enum RetryAfter {
    /// Returns the delay before the next request; nil if the response requests none.
    ///
    /// `Retry-After` (RFC 9110 10.2.3), in seconds or as a date, determines the delay. A fraction of a second, which
    /// the RFC does not allow, is rounded up, so that no request comes too early. `Retry-After-Ms` and
    /// `X-Ms-Retry-After-Ms` of Azure and OpenAI, in milliseconds, replace it if they are the same delay before it was
    /// rounded up; else the longest counts. Without any of them, the delay is the time until the reset of a limit
    /// (``RateLimits``) of which nothing remains. Many servers send such limits with each response, and request a
    /// delay only then. A time in the past is no delay, and a number too large to represent is a very long one.
    ///
    /// A date counts from the `Date` of the response, less its `Age`, since the clocks of server and client may differ.
    /// If the client's clock makes a shorter delay of it, but does not have it in the past, that delay counts; and if
    /// the response has no `Date` that can be read, only the client's clock.
    ///
    /// - Parameters:
    ///   - response: the response of the server.
    ///   - now: the current time, for fields that contain a time.
    public static func delay(of response: Response, now: Date) -> Duration? {
        let headers = response.headers
        let delay = headers["Retry-After"].flatMap { text in
            HTTPToken.deltaSeconds(text, atMost: RateLimitReset.mostSeconds) ?? RateLimitReset.secondsRoundedUp(text)
                ?? ResponseClock(of: response, now: now).duration(untilDate: text)
        }
        guard let finer = fieldsInMilliseconds.compactMap({ $0.delay(of: response) }).max() else {
            return delay ?? response.rateLimits(now: now)?.delay
        }
        let isSame = delay.map { finer <= $0 && $0 < finer + .seconds(1) } ?? true
        return isSame ? finer : max(finer, delay ?? .zero)
    }

    /// The fields of Azure and OpenAI in which a delay has milliseconds.
    private static let fieldsInMilliseconds: [DelayField] = [
        .milliseconds("Retry-After-Ms"), .milliseconds("X-Ms-Retry-After-Ms"),
    ]
}

/// A header field in which one API requests a delay, beside those of ``RetryAfter``.
///
/// ```swift
/// let openAI = DelayField.milliseconds("OpenAI-Poll-After-Ms")
/// let gitHub = DelayField.seconds("X-Poll-Interval")
/// ```
public struct DelayField: Hashable, Sendable {
    private let name: String
    private let isInMilliseconds: Bool

    /// Returns the field of this name, ignoring case, with a number of seconds; a fraction is rounded up.
    public static func seconds(_ name: String) -> DelayField { DelayField(name: name, isInMilliseconds: false) }

    /// Returns the field of this name, ignoring case, with a number of milliseconds, which may have a fraction.
    public static func milliseconds(_ name: String) -> DelayField { DelayField(name: name, isInMilliseconds: true) }

    /// Returns the delay that a response requests; nil if the field is missing, or no number.
    public func delay(of response: Response) -> Duration? {
        response.headers[name].flatMap {
            isInMilliseconds ? RateLimitReset.milliseconds($0) : RateLimitReset.secondsRoundedUp($0)
        }
    }
}

/// The clocks by which the dates in a response are delays from now.
struct ResponseClock {
    /// The current time on this machine.
    private let now: Date

    /// The current time on the server: `Date` plus `Age` (RFC 9110 6.6.1, RFC 9111 5.1); nil without a valid `Date`.
    private let serverNow: Date?

    init(of response: Response, now: Date) {
        let (date, age) = (response.headers["Date"], response.headers.age ?? .zero)
        serverNow = date.flatMap { HTTPDate.date($0, now: now) }.map { $0 + TimeInterval(age.components.seconds) }
        self.now = now
    }

    /// Returns the time until a date; nil for a text that is no date of HTTP (RFC 9110 5.6.7) or of RFC 3339.
    func duration(untilDate text: String) -> Duration? {
        let timestamp = Date.ISO8601FormatStyle(includingFractionalSeconds: text.utf8.contains(UInt8(ascii: ".")))
        // RFC 3339 5.6 allows small letters, and Foundation does not.
        return (HTTPDate.date(text, now: now) ?? timestamp.date(text.uppercased())).map(duration)
    }

    /// Returns the time until a date, at least 0 and at most `RateLimitReset.mostSeconds` seconds.
    ///
    /// An old or hostile `Date` makes no delay longer than this machine's clock does, unless that says it is over.
    func duration(until date: Date) -> Duration {
        let own = Self.duration(from: now, to: date)
        let delay = serverNow.map { Self.duration(from: $0, to: date) } ?? own
        return own > .zero ? min(own, delay) : delay
    }

    private static func duration(from start: Date, to end: Date) -> Duration {
        let seconds = end.timeIntervalSince(start)
        return seconds > 0 ? .seconds(min(seconds, Double(RateLimitReset.mostSeconds))) : .zero
    }
}
