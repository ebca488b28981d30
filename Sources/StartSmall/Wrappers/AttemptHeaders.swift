public import StartSmallCore
import StartSmallFoundation
import Synchronization

extension Wrapper {
    /// The header field for the number of earlier attempts; no RFC names one.
    @usableFromInline static let defaultRetryCountHeader = "X-Retry-Count"

    /// The header field for the time that is left; no RFC names one.
    @usableFromInline static let defaultTimeLeftHeader = "X-Timeout-Ms"

    /// Tells the server with each request how many attempts came before it, and how much time is left to the call.
    ///
    /// A server can serve first attempts first, and stop work whose result nobody waits for. The first attempt has the
    /// number 0. The time is in whole milliseconds, by the limits of `.timeout` and `.deadline`, but not by
    /// `.timeout(untilHead:)`; without a limit, the field is left out.
    ///
    /// - Parameters:
    ///   - retryCount: the name of the field for the number of earlier attempts; by default `X-Retry-Count`.
    ///   - timeLeft: the name of the field for the time that is left; by default `X-Timeout-Ms`.
    /// - Order: inside of `.retry`, whose attempts it counts, of `.cache` and `.shareInFlight`, for which the requests
    ///   are the same, of `.timeout` and `.deadline`, whose time it tells, and of wrappers that wait or refresh a token.
    ///   Outside of `.redirect`, whose requests would count as attempts, and of a wrapper that signs the fields.
    public static func attemptHeaders(
        retryCount: String = defaultRetryCountHeader,
        timeLeft: String = defaultTimeLeftHeader
    ) -> Wrapper {
        // Each wrapper counts what passes through itself.
        let wrapper = SentAttempts.Key()
        return Wrapper("attemptHeaders", perCall: SentAttempts.self) { input, next, attempts in
            let number = attempts.count(for: wrapper)
            return await next(
                input.with {
                    $0.headers[retryCount] = "\(number)"
                    guard let time = next.context.remainingTime else { return }
                    let milliseconds = max(0, (time / .milliseconds(1)).rounded(.down))
                    $0.headers[timeLeft] = "\(Int64(exactly: milliseconds) ?? .max)"
                }
            )
        }
    }
}

private final class SentAttempts: CallValue {
    final class Key: Sendable {}

    private let counts = Mutex<[ObjectIdentifier: Int]>([:])

    /// Returns the number of requests before this one.
    func count(for wrapper: Key) -> Int {
        counts.withLock { counts in
            defer { counts[ObjectIdentifier(wrapper), default: 0] += 1 }
            return counts[ObjectIdentifier(wrapper), default: 0]
        }
    }
}
