public import Synchronization

/// Mutable state that several threads share, guarded by a lock.
///
/// This type is for a property of a copyable value: it is a class, so that copies of the value share the state. A
/// `Mutex` is not copyable; it is used by itself, without another object, where closures capture the state, or where a
/// noncopyable value or a class stores it. The lock is not recursive.
public final class Locked<State: ~Copyable>: Sendable {
    @usableFromInline let state: Mutex<State>

    /// Creates guarded state.
    @inlinable
    public init(_ state: consuming sending State) {
        self.state = Mutex(state)
    }

    /// Calls a function with exclusive access to the state, and returns its result.
    ///
    /// No continuation may be resumed and no function of an app called in `body`: return what is to be done after it.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try state.withLock(body)
    }
}
