extension Promise<Output> {
    /// Begins a call in its own task, and fulfills this promise with the output.
    ///
    /// No task group ends before the last of its tasks does. A caller that awaits this promise can abandon the call,
    /// even if the call ignores cancellation. The payload parts that the call still delivers are then discarded.
    ///
    /// As soon as the promise is abandoned, by a time limit or a cancellation, the inner wrappers send no further
    /// request. Exception: requests that an inner wrapper sends after its output, to have a newer one for later calls.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - next: the inner connector.
    ///   - remainingTime: returns the time until the outer limit; nil if there is no limit.
    /// - Returns: the task, to cancel it; nil if the call is already cancelled and no request was sent.
    func begin(
        _ input: Input,
        _ next: Next,
        remainingTime: (@Sendable () -> Duration)? = nil
    ) -> Task<Void, Never>? {
        // A new task would not inherit the cancellation.
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
    /// Returns a consumer that consumes payload parts only while `isWanted` returns true.
    ///
    /// An abandoned call may still deliver some, and a second attempt may be under way.
    fileprivate func taking(while isWanted: @escaping @Sendable () -> Bool) -> PayloadConsumer {
        wrapped { part, isWantedInside, inner in
            guard isWanted() else { return .cancelled }
            return await inner.receive(part, while: { isWanted() && isWantedInside() })
        }
    }
}
