public import StartSmallCore
import StartSmallSupport

extension CallOption {
    /// Limits the time of the whole call, in place of the ``Wrapper/timeout(_:clock:)`` of its connector.
    ///
    /// The limit needs no wrapper. It includes all that wrappers do, and the last byte of the payload, also of an open
    /// ``Response/body``. A `.timeout` that is a limit of each attempt (``CallContext/isAttempt``) stays: see
    /// ``attemptTimeLimit(_:)``. So do `.deadline`, and all limits around the call: the smallest one ends it. For several
    /// requests, such as those of a ``CompositeCall``, it is a common end, beside the limits that they have chosen.
    ///
    /// A stream without an end has no limit: `.with(.timeLimit(nil), .attemptTimeLimit(nil))`. The engine still ends it
    /// when nothing arrives for its idle timeout (``ConnectionOptions/idleTimeout``), which a long limit would lengthen.
    ///
    /// - Parameters:
    ///   - limit: the maximum duration, up to a year, which may be longer than that of the `.timeout`; nil for none, in
    ///     place of the `.timeout` and of the connector's default options.
    ///   - clock: the clock that measures the duration.
    public static func timeLimit(_ limit: Duration?, clock: some Clock<Duration> = ContinuousClock()) -> CallOption {
        guard let limit else { return CallOption(TimeLimit.self, nil) }
        if let refusal = refusal(of: limit, TimeLimit.name) { return refusal }
        let limiter = clock is ContinuousClock ? .continuous : TimeLimiter(clock: clock)
        return CallOption(beginning: { common(limit, limiter) }) { request, isDefault in
            let own = TimeLimit.Limit(duration: limit, limiter: limiter, isChosen: !isDefault)
            request.options.set(TimeLimit.self, to: own, isDefault: isDefault)
        }
    }

    /// Returns the common end of several requests that begin now, each of which may have chosen an earlier one.
    private static func common(_ duration: Duration, _ limiter: TimeLimiter) -> CallOption {
        let end = limiter.now() + duration
        let common = TimeLimit.Limit(duration: duration, limiter: limiter, isChosen: true, end: end)
        return CallOption { request, isDefault in
            let own = request.options[TimeLimit.self]
            // One that has chosen no limit, and one with a later end, ends with the others.
            let isEarlier =
                own.map { $0.map { $0.isChosen && common.remainingTime < $0.remainingTime } ?? true } ?? false
            request.options.set(TimeLimit.self, to: common, isDefault: isDefault && !isEarlier)
        }
    }

    /// Limits the time of each attempt, in place of the ``Wrapper/timeout(_:clock:)`` inside of a `.retry` or `.hedge`.
    ///
    /// A `.timeout` has to be there for it: outside of each attempt, and without one, it has no effect.
    ///
    /// - Parameter limit: the maximum duration, up to a year, which may be longer than that of the `.timeout`; nil for
    ///   none, in place of the `.timeout`.
    public static func attemptTimeLimit(_ limit: Duration?) -> CallOption {
        guard let limit else { return CallOption(AttemptTimeLimit.self, nil) }
        return refusal(of: limit, AttemptTimeLimit.name)
            ?? CallOption { request, isDefault in
                let own = AttemptTimeLimit.Limit(duration: limit, isChosen: !isDefault)
                request.options.set(AttemptTimeLimit.self, to: own, isDefault: isDefault)
            }
    }

    private static func refusal(of limit: Duration, _ name: String) -> CallOption? {
        if limit > .zero, limit <= longestTimeLimit { return nil }
        return refused("\(name) of \(limit) is not more than zero, and at most \(longestTimeLimit)")
    }

    /// The longest time limit of a call: a year, which is longer than any call, and far from an overflow of a clock.
    private static let longestTimeLimit = Duration.seconds(366 * 86_400)

    /// Limits the retries of a call, in place of the number of attempts of its ``Wrapper/retry(_:budget:clock:random:now:)``.
    ///
    /// The number may be larger than that of the policy, if its `Backoff` is exponential. The condition, the budget and
    /// the time limits of the policy apply as before.
    ///
    /// - Parameter count: the maximum number of retries, 0 to 100; 0 makes one attempt.
    public static func retries(_ count: Int) -> CallOption {
        (0...mostRetries).contains(count)
            ? CallOption(Retries.self, count) : refused("retries(\(count)) is not between 0 and \(mostRetries)")
    }

    /// The largest number of retries: 100, which with the default delays take half an hour.
    private static let mostRetries = 100

    /// Limits the payload of a call in memory; of this and the limit of ``Wrapper/limitPayload(bytes:)``, the smaller one
    /// applies.
    ///
    /// - Parameter bytes: the maximum size in bytes, 0 or more.
    public static func payloadLimit(_ bytes: Int) -> CallOption {
        if bytes < 0 { return refused("payloadLimit(\(bytes)) is below zero") }
        return CallOption { request, isDefault in
            // A limit that the request has without an option is no default.
            if isDefault, request.payloadLimit != nil, request.options[PayloadLimit.self] == nil { return }
            request.options.set(PayloadLimit.self, to: bytes, isDefault: isDefault)
            request.payloadLimit = request.options[PayloadLimit.self]
        }
    }

    /// Sends this key with the request; ``Wrapper/idempotencyKey(header:methods:quoted:random:)`` then adds none.
    ///
    /// An app that keeps the key with its order can repeat the call after a restart.
    ///
    /// - Parameters:
    ///   - key: the key, of 1 to 255 visible ASCII characters without `"` and `\`. It names one call: as a default of a
    ///     connector, and for a ``CompositeCall``, it is refused.
    ///   - name: the name of the header field; by default `Idempotency-Key`.
    ///   - quoted: whether the key is sent in quotes.
    public static func idempotencyKey(
        _ key: String,
        header name: String = Wrapper.defaultIdempotencyKeyHeader,
        quoted: Bool = true
    ) -> CallOption {
        let isAllowed = { (byte: UInt8) in
            0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        guard 1...longestKey ~= key.utf8.count, key.utf8.allSatisfy(isAllowed) else {
            return refused("an idempotencyKey has 1 to \(longestKey) visible ASCII characters")
        }
        return CallOption { request, isDefault throws(ConnectionError) in
            if isDefault { throw .requestRefused(reason: "an idempotencyKey names one call, and is no default") }
            request.headers[name] = quoted ? "\"\(key)\"" : key
        }
    }

    /// The largest number of characters of a key: 255, as in Stripe's API.
    private static let longestKey = 255

    /// Changes what ``Wrapper/log(_:redacting:clock:print:)`` writes about a call; `.off` for nothing.
    public static func logVerbosity(_ detail: LogVerbosity) -> CallOption { CallOption(ChosenVerbosity.self, detail) }

    private static func refused(_ reason: String) -> CallOption {
        CallOption { _, _ throws(ConnectionError) in throw .requestRefused(reason: reason) }
    }
}

/// The time limit of a call, which is kept around all wrappers; nil for none, whatever the default and the `.timeout`.
enum TimeLimit: RequestOption {
    typealias Value = Limit?

    struct Limit: Sendable, ComparedByKey {
        let duration: Duration
        let limiter: TimeLimiter

        /// Whether the caller has chosen the limit, and not the connector.
        let isChosen: Bool

        /// The end by the clock of the limiter, if the call has begun before this request.
        var end: Duration?

        /// The time that is left, negative if the end is past.
        var remainingTime: Duration { end.map { $0 - limiter.now() } ?? duration }

        static let ofAnyDuration = Limit(duration: .zero, limiter: .continuous, isChosen: true)

        var comparedKey: HashablePair<Duration, Duration?> { HashablePair(duration, end) }
    }

    static let name = "timeLimit"
    static let changesResponse = false
    static let isForBackground = false

    static func output(of input: Input, with value: Limit?, _ next: Next) async -> Output {
        // By the request, so that a dry run notes that the option is read.
        let option = input.options[TimeLimit.self]
        let limited = next.with { $0.hasTimeLimit = true }
        guard let limit = option ?? nil else { return await limited(input) }
        return await limit.limiter.run(
            input,
            limited,
            for: limit.remainingTime,
            of: limit.duration,
            option: name,
            isChosen: limit.isChosen
        )
    }
}

/// The time limit of each attempt, which `.timeout` keeps; nil for none.
enum AttemptTimeLimit: RequestOption {
    typealias Value = Limit?

    struct Limit: Hashable, Sendable {
        let duration: Duration

        /// Whether the caller has chosen the limit, and not the connector.
        let isChosen: Bool
    }

    static let name = "attemptTimeLimit"
    static let changesResponse = false
    static let isForBackground = false
}

/// The maximum payload, which is that of the request.
enum PayloadLimit: RequestOption {
    typealias Value = Int
    static let name = "payloadLimit"
    static let changesResponse = false

    static func output(of input: Input, with value: Int, _ next: Next) async -> Output {
        // So that a dry run notes that the option has an effect.
        _ = input.options[PayloadLimit.self]
        return await next(input)
    }
}

/// The maximum number of retries, which `.retry` reads.
enum Retries: RequestOption {
    typealias Value = Int
    static let name = "retries"
    static let changesResponse = false
}

/// The verbosity of the log, which `.log` reads.
enum ChosenVerbosity: RequestOption {
    typealias Value = LogVerbosity
    static let name = "logVerbosity"
    static let changesResponse = false
}
