extension Task where Failure == Never {
    /// Creates a task that starts at once on the caller's thread, and leaves that thread at its first suspension.
    ///
    /// A task without a suspension needs no thread switch, which is most of a task's cost. Until the first suspension,
    /// the caller does not continue. On Apple platforms before version 26, the task is an ordinary one.
    @inlinable @inline(__always)
    package static func startedImmediately(_ operation: @escaping @Sendable () async -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            immediate { await operation() }
        } else {
            Task { await operation() }
        }
    }
}
