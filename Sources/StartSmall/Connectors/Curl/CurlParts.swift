#if os(Linux)
    import Foundation

    extension CurlChannel {
        /// Takes all there is until the call is over, and gives it to whom it is for; the output of the call.
        ///
        /// Receiver and listeners are called from here, in the call's own task, so that none of them can hold up another
        /// call. `stop` is called when the receiver or the task itself wants no more.
        func takeAll(for input: Input, _ report: EventReporter, stop: @Sendable () -> Void) async -> Output {
            var failure: ConnectionError?
            while true {
                let news = await next()
                if failure == nil, Task.isCancelled { failure = .cancelled }
                switch news {
                case .head(let remains):
                    guard failure == nil, var head = remains.response else { continue }
                    // All of a short response may have come at once.
                    head.trailers = [:]
                    guard takesParts, head.statusCode.isSuccess else {
                        report.received(head: head)
                        continue
                    }
                    failure = await input.give(.head(head))
                    if failure != nil { stop() }
                case .chunk(let data):
                    guard failure == nil else { continue }
                    failure = await input.give(.chunk(data))
                    if failure != nil { stop() }
                case .progress(let progress): report(.progress(progress))
                case .end(var outcome, let told):
                    if failure == nil, let rest = outcome.takeRest() { failure = await input.give(.chunk(rest)) }
                    if let head = told.head { report(.receivedHead(head)) }
                    if let progress = told.progress { report(.progress(progress)) }
                    if let timings = told.timings { report(.timings(timings)) }
                    return failure.map(Output.noResponse) ?? outcome.output(payloadLimit: input.payloadLimit)
                }
            }
        }
    }

    extension Input {
        fileprivate func give(_ part: PayloadConsumer.Part) async -> ConnectionError? {
            guard case .consumer(let consumer) = destination else { return nil }
            let failure = await consumer.receive(part)
            return Task.isCancelled ? .cancelled : failure
        }
    }
#endif
