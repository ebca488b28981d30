extension Clock where Duration == Swift.Duration {
    /// Returns a function that measures the time since this call.
    ///
    /// The function is specialized for `ContinuousClock`, which nearly all callers use. For a clock whose type is known
    /// only at run time, reading the time costs several times as much, and wrappers read it in each call.
    package func timeSinceNow() -> @Sendable () -> Duration {
        if let clock = self as? ContinuousClock {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        let start = now
        return { start.duration(to: now) }
    }
}
