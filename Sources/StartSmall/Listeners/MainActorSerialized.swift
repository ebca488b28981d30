extension MainActor {
    /// Returns a function that calls `body` on the main actor, asynchronously, one value at a time, in the order of its
    /// calls.
    ///
    /// ```swift
    /// let indicator = Listener.indicator(MainActor.serialized { spinner.isShown = $0 })
    /// let connector = Connector.standard.wrapped(by: .listen(to: indicator))
    /// ```
    ///
    /// The returned function returns at once, so that a call that it listens to does not wait for the main actor.
    public static func serialized<Value: Sendable>(
        _ body: @escaping @MainActor @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        let serialQueue = SerialQueue<Value>()
        return { value in
            guard serialQueue.add(value) else { return }
            // The task is detached, because it also delivers the values of other calls: the task locals of one call do
            // not apply to them.
            Task.detached { @MainActor in serialQueue.deliver { body($0) } }
        }
    }

    /// Returns a function that calls `body` with two values on the main actor, for example as a ``Listener``.
    ///
    /// - Parameter body: receives the pairs of values, on the main actor, one at a time, in order.
    public static func serialized<First: Sendable, Second: Sendable>(
        _ body: @escaping @MainActor @Sendable (First, Second) -> Void
    ) -> @Sendable (First, Second) -> Void {
        let serialized = serialized { (pair: (First, Second)) in body(pair.0, pair.1) }
        return { serialized(($0, $1)) }
    }
}
