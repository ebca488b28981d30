package import Dispatch

extension Duration {
    /// The duration as an interval for Dispatch timers, which count in `Int`.
    package var interval: DispatchTimeInterval { .milliseconds(Int(timerMilliseconds)) }
}
