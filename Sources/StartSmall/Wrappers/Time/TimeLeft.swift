/// How much time the work of this task still has, as its time limits say.
///
/// ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)`` set it for everything inside of them: a task local,
/// so that it reaches what waits without a parameter through every layer, and ends where the call ends. Whoever waits
/// asks: ``Wrapper/retry(_:budget:clock:random:now:)`` does not wait for longer than there is time, and a limit within a
/// limit is the smaller of the two. A wrapper of one's own that waits may ask too.
public struct TimeLeft: Sendable {
    /// The time that is left, negative when the limit is past; nil where there is no limit.
    public static var now: Duration? { current?.read() }

    /// Reads the clock that the limit was measured by.
    ///
    /// In a struct, since Swift 6.3.1 makes of a task local that is a function a program that crashes when optimized.
    let read: @Sendable () -> Duration

    @TaskLocal static var current: TimeLeft?
}
