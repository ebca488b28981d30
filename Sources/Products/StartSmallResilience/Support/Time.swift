import StartSmallFoundation

extension Clock where Duration == Swift.Duration {
    /// Returns a function that measures the time since this call.
    ///
    /// For a clock whose type is known only at run time, reading the time costs several times as much.
    func timeSinceNow() -> @Sendable () -> Duration {
        if let clock = self as? ContinuousClock {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        let start = now
        return { start.duration(to: now) }
    }
}

extension Duration {
    /// The longest duration of a policy: a hundred years, so that no sum of times overflows.
    static let maximum = Duration.seconds(maximumSeconds)

    /// The maximum in seconds: `Int64`, since `Int` has 32 bits on watchOS (arm64_32), too few for the product.
    private static let maximumSeconds: Int64 = 100 * 365 * 86_400

    /// The duration, limited to what a policy can count with.
    var bounded: Duration { min(max(self, .zero), .maximum) }

    /// Returns the product, at most the longest duration.
    func multiplied(by count: Int) -> Duration {
        // A product of both maximums is less than the largest duration, 10²⁰ seconds.
        min(self * min(count, 1_000_000_000), .maximum)
    }
}

extension Date {
    func advanced(by duration: Duration) -> Date { addingTimeInterval(duration / .seconds(1)) }
}
