extension Clock where Duration == Swift.Duration {
    /// What tells how much time has passed since this was called.
    ///
    /// Compiled for the clock that nearly all have: asked of a clock that is known only when the program runs, the time
    /// costs several times as much, and wrappers ask with each call.
    func timeSinceNow() -> @Sendable () -> Duration {
        if let clock = self as? ContinuousClock {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        let start = now
        return { start.duration(to: now) }
    }
}
