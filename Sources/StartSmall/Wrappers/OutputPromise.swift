extension Promise<Output> {
    /// Begins a call in a task of its own, and keeps this promise by what comes out.
    ///
    /// No task group ends before the last of its tasks does; so whoever waits for the promise can let the call go, even if
    /// it ignores that it is cancelled. What it still brings then goes nowhere, and no part of a payload is taken any more.
    ///
    /// As soon as the promise is abandoned, by a time limit or a cancellation, nothing more is sent inside. What a wrapper
    /// inside sends after its output, to have a newer one for later calls, is sent.
    ///
    /// - Returns: the task, to cancel it; nil if the call is cancelled already, and nothing is called.
    func begin(
        _ input: Input,
        _ next: Next,
        remainingTime: (@Sendable () -> Duration)? = nil
    ) -> Task<Void, Never>? {
        // A new task would not be cancelled.
        if next.report.isCancelled {
            fulfill(.noResponse(.cancelled))
            return nil
        }
        let report = next.report.within(isOver: { isAbandoned }, remainingTime: remainingTime)
        let next = Next(step: next.step, report: report)
        var input = input
        if let consumer = input.destination.consumer {
            input.destination = .consumer(consumer.taking(while: { !isSettled }))
        }
        return Task.startedImmediately { [input] in fulfill(await next(input)) }
    }
}

extension PayloadConsumer {
    /// The same, but a part of the payload is taken only while it is wanted: what was let go may still bring some, and a
    /// second try may be under way.
    fileprivate func taking(while isWanted: @escaping @Sendable () -> Bool) -> PayloadConsumer {
        wrapped { part, isWantedInside, inner in
            guard isWanted() else { return .cancelled }
            return await inner.receive(part, while: { isWanted() && isWantedInside() })
        }
    }
}
