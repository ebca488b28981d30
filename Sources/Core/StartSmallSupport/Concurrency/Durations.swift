extension Duration {
    /// The maximum time for all waits: a hundred years.
    ///
    /// No app waits for longer, and sums of clocks and of 64 bits of nanoseconds do not overflow with this time. An
    /// overflow would end the process (`ContinuousClock.sleep(until:)` traps beyond 64 bits of seconds).
    package static let maximumWait = Duration.seconds(maximumWaitSeconds)

    /// The maximum in seconds: `Int64`, since `Int` has 32 bits on watchOS (arm64_32), too few for the product.
    private static let maximumWaitSeconds: Int64 = 100 * 365 * 86_400

    /// The duration in milliseconds for a timer: at most a day, and rounded up, so that the timer is not early.
    ///
    /// A number of milliseconds fits into the 32 bits that `Int` has on watchOS. A number of nanoseconds overflows
    /// after 2.1 seconds.
    package var timerMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        if seconds < 0 { return 0 }
        if seconds >= 86_400 { return 86_400_000 }
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
