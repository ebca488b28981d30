extension Task where Failure == Never {
    /// A task that begins here and now, and leaves its caller's thread when it waits for the first time.
    ///
    /// What ends without waiting costs no change of threads, which is most of what a task costs. Until the first wait, the
    /// caller does not go on either. On Apple platforms before version 26, it is a task like any other.
    static func startedImmediately(_ operation: @escaping @Sendable () async -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            immediate { await operation() }
        } else {
            Task { await operation() }
        }
    }
}
