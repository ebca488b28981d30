extension Duration {
    /// The duration in milliseconds for a timer: at most a day, and rounded up, so that the timer is not early.
    ///
    /// A number of milliseconds fits into the 32 bits that `Int` has on watchOS. A number of nanoseconds overflows
    /// after 2.1 seconds.
    var timerMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        if seconds < 0 { return 0 }
        if seconds >= 86_400 { return 86_400_000 }
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
