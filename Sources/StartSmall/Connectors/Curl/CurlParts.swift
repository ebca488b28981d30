#if os(Linux)
    import Foundation

    extension CurlChannel {
        /// Delivers the events of a call to its consumer and listeners until the call is over.
        ///
        /// Consumer and listeners are called here, in the call's own task, so that none of them can hold up another
        /// call.
        ///
        /// - Parameters:
        ///   - input: the input with the consumer.
        ///   - context: the context of the call.
        ///   - stop: cancels the call, if the consumer or the task itself wants no more.
        /// - Returns: The output of the call.
        func takeAll(for input: Input, _ context: CallContext, stop: @Sendable () -> Void) async -> Output {
            var failure: ConnectionError?
            while true {
                let channelEvent = await next()
                if failure == nil, Task.isCancelled { failure = .cancelled }
                switch channelEvent {
                case .head(let transferResult):
                    guard failure == nil, var head = transferResult.response else { continue }
                    // The whole of a short response, with its trailers, may have arrived at once.
                    head.trailers = [:]
                    guard takesParts, head.statusCode.isSuccess else {
                        context.received(head: head)
                        continue
                    }
                    failure = await input.deliver(.head(head))
                    if failure != nil { stop() }
                case .chunk(let data):
                    guard failure == nil else { continue }
                    failure = await input.deliver(.chunk(data))
                    if failure != nil { stop() }
                case .progress(let progress): context.report(.progress(progress))
                case .end(var outcome, let reported):
                    if failure == nil, let rest = outcome.takeRest() { failure = await input.deliver(.chunk(rest)) }
                    for event in reported.events { context.report(event) }
                    return failure.map(Output.noResponse) ?? outcome.output(payloadLimit: input.payloadLimit)
                }
            }
        }
    }

    extension Input {
        fileprivate func deliver(_ part: PayloadConsumer.Part) async -> ConnectionError? {
            guard case .consumer(let consumer) = destination else { return nil }
            let failure = await consumer.receive(part)
            return Task.isCancelled ? .cancelled : failure
        }
    }
#endif
