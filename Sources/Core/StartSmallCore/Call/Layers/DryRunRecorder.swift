import StartSmallSupport

extension Connector {
    /// Runs the wrappers around a recorder in place of the engine.
    ///
    /// - Returns: the first request, if there is one, and the output.
    package func recorded(_ input: Input) async -> (request: Input?, output: Output) {
        if let error = input.delivery.rejection { return (nil, .noResponse(error)) }
        let recorder = DryRunRecorder()
        let output = await handler(input, CallContext(of: recorder))
        return (recorder.request, output)
    }
}

/// The recorder of the request that ends a dry run.
final class DryRunRecorder: Sendable {
    private let recorded = Locked<Input?>(nil)

    /// The first request; nil if no connector was called.
    var request: Input? { recorded.withLock { $0 } }

    /// Whether a request was recorded, so that no further one is made.
    var hasEnded: Bool { recorded.withLock { $0 != nil } }

    /// Returns the output of a connector that is not called, and records its first request.
    func output(for input: Input) -> Output {
        if !Task.isCancelled { recorded.withLock { if $0 == nil { $0 = input } } }
        return .noResponse(.cancelled)
    }
}
