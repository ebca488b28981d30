extension MainActor {
    /// Returns a function that calls `body` on the main actor, asynchronously and in order.
    ///
    /// `body` is called with one value at a time, in the order in which the function is called.
    ///
    /// ```swift
    /// let indicator = Listener.indicator(MainActor.serialized { spinner.isShown = $0 })
    /// let connector = Connector.standard.wrapped(by: .listen(to: indicator))
    /// ```
    ///
    /// It returns at once, so that a call whose listener it is does not wait for the main actor.
    public static func serialized<Value: Sendable>(
        _ body: @escaping @MainActor @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        let outbox = SerialQueue<Value>()
        return { value in
            guard outbox.add(value) else { return }
            // Detached, as it hands out what other calls have added too: none of their task locals are everybody's.
            Task.detached { @MainActor in outbox.handOut { body($0) } }
        }
    }

    /// The same for two values, as what a ``Listener`` hears.
    public static func serialized<First: Sendable, Second: Sendable>(
        _ body: @escaping @MainActor @Sendable (First, Second) -> Void
    ) -> @Sendable (First, Second) -> Void {
        let serialized = serialized { (pair: (First, Second)) in body(pair.0, pair.1) }
        return { serialized(($0, $1)) }
    }
}
