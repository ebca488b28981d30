extension Duration {
    /// The maximum time for all waits: a hundred years.
    ///
    /// No app waits for longer, and sums of clocks and of 64 bits of nanoseconds do not overflow with this time. An
    /// overflow would end the process (`ContinuousClock.sleep(until:)` traps beyond 64 bits of seconds).
    package static let maximumWait = Duration.seconds(longestWaitSeconds)

    /// The maximum time in seconds, as `Int64`: on watchOS (arm64_32), the product does not fit into an `Int` of 32
    /// bits.
    private static let longestWaitSeconds: Int64 = 100 * 365 * 86_400
}
