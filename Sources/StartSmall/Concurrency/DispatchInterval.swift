import Dispatch

extension Duration {
    /// The duration for a timer of Dispatch, which counts in `Int`.
    var interval: DispatchTimeInterval { .milliseconds(Int(timerMilliseconds)) }
}
