#if os(Linux)
    import Foundation

    extension CurlChannel {
        /// Returns the output of a call: at the head of a response in parts, with an open body, or else at the end.
        ///
        /// Listeners are called here, in the call's own task, and while the body is read, in the reader's task, so that
        /// none of them can hold up another call.
        ///
        /// - Parameters:
        ///   - input: the input of the call.
        ///   - context: the context of the call.
        ///   - stop: cancels the call.
        func output(
            for input: Input,
            _ context: CallContext,
            stop: @escaping @Sendable () -> Void
        ) async -> Output {
            while true {
                switch await next() {
                case .head(let transferResult):
                    guard !Task.isCancelled, var head = transferResult.response else { continue }
                    // The whole of a short response, with its trailers, may have arrived at once.
                    head.trailers = [:]
                    head.content = .body(body(payloadLimit: input.payloadLimit, context, stop))
                    return .hasResponse(head)
                // A part of a cancelled call.
                case .chunk: continue
                case .progress(let progress): context.report(.progress(progress))
                case .end(let outcome, let reported):
                    for event in reported.events { context.report(event) }
                    return Task.isCancelled ? .noResponse(.cancelled) : outcome.output(payloadLimit: input.payloadLimit)
                }
            }
        }

        private func body(
            payloadLimit: Int?,
            _ context: CallContext,
            _ stop: @escaping @Sendable () -> Void
        ) -> ResponseBody {
            // Known before the last chunk is taken.
            let output = Locked<Output?>(nil)
            return ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    while true {
                        switch output.withLock({ $0 }) {
                        case .hasResponse?: return nil
                        case .noResponse(let error)?: throw error
                        case nil: break
                        }
                        switch await next() {
                        case .head: continue
                        case .chunk(let data): return data
                        case .progress(let progress): context.report(.progress(progress))
                        case .end(var outcome, let reported):
                            let rest = outcome.takeRest()
                            for event in reported.events { context.report(event) }
                            let final = outcome.output(payloadLimit: payloadLimit)
                            output.withLock { $0 = final }
                            if let rest { return rest }
                        }
                    }
                },
                trailers: { output.withLock { $0?.response?.trailers ?? [:] } },
                abort: stop
            )
        }
    }
#endif
