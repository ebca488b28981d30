import Dispatch

extension Duration {
    /// The duration as an interval for Dispatch timers, which count in `Int`.
    var interval: DispatchTimeInterval { .milliseconds(Int(timerMilliseconds)) }
}
