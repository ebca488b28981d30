extension Duration {
    /// A hundred years: nobody waits for longer, and the sums of clocks and of 64 bits of nanoseconds do not overflow, which
    /// would end the process (`ContinuousClock.sleep(until:)` traps beyond 64 bits of seconds).
    package static let maximumWait = Duration.seconds(longestWaitSeconds)

    /// `Int64`, since `Int` has 32 bits on watchOS (arm64_32), where the product does not fit.
    private static let longestWaitSeconds: Int64 = 100 * 365 * 86_400
}
