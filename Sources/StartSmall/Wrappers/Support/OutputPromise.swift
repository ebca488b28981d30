extension Promise<Output> {
    /// Begins a call in its own task, and fulfills this promise with the output.
    ///
    /// No task group ends before the last of its tasks does. A caller that awaits this promise can abandon the call,
    /// even if the call ignores cancellation. The payload parts that the call still delivers are then discarded.
    ///
    /// As soon as the promise is abandoned, by a time limit or a cancellation, the inner wrappers send no further
    /// request. Exception: after an inner wrapper has returned its output, it may still send requests in the background
    /// to get a newer output for later calls.
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
        if next.context.isCancelled {
            fulfill(.noResponse(.cancelled))
            return nil
        }
        let context = next.context.within(isOver: { isAbandoned }, remainingTime: remainingTime)
        let next = Next(handler: next.handler, context: context)
        var input = input
        if let consumer = input.destination.consumer {
            // An abandoned call may still deliver parts, and a second attempt may be under way.
            let taking = consumer.wrapped { part, isWanted, consumer in
                guard !isSettled else { return .cancelled }
                return await consumer.receive(part, while: { !isSettled && isWanted() })
            }
            input.destination = .consumer(taking)
        }
        return Task.startedImmediately { [input] in fulfill(await next(input)) }
    }
}
