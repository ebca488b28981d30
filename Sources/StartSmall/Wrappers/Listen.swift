public import StartSmallCore

extension Wrapper {
    /// Sends all events of each call to a listener.
    ///
    /// - Passes through: all calls; neither input nor output is changed.
    /// - Order: any; a listener receives the events of the whole call at any position. Of two, the inner one receives
    ///   each event first.
    /// - Events: none of its own.
    public static func listen(to listener: Listener) -> Wrapper {
        Wrapper("listen", wrapping: { $0.adding(listener) })
    }
}
