extension Duration {
    /// The maximum time for all waits: a hundred years.
    ///
    /// No app waits for longer, and sums of clocks and of 64 bits of nanoseconds do not overflow with this time. An
    /// overflow would end the process (`ContinuousClock.sleep(until:)` traps beyond 64 bits of seconds).
    package static let maximumWait = Duration.seconds(maximumWaitSeconds)

    /// The maximum in seconds: `Int64`, since `Int` has 32 bits on watchOS (arm64_32), too few for the product.
    private static let maximumWaitSeconds: Int64 = 100 * 365 * 86_400
}
