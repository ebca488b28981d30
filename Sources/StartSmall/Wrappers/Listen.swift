extension Wrapper {
    /// Wrapper that lets a listener hear everything that happens in each call.
    ///
    /// - Unchanged when: always; neither input nor output is touched.
    /// - Order: does not matter; a listener hears the whole call wherever it stands. Of two, the inner one hears first.
    /// - Reports: nothing of its own.
    public static func listen(to listener: Listener) -> Wrapper {
        Wrapper(wrapping: { $0.listened(by: listener) })
    }
}
