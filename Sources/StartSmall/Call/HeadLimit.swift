import Synchronization

/// A time limit until the head of a response, for each request that is sent inside of a wrapper.
struct HeadLimit: Sendable {
    /// The limit; of two nested limits, the smaller one counts.
    let limit: Duration

    /// The function that calls a connector without another one inside, and waits for its head only until the limit.
    let run: @Sendable (Input, Next) async -> Output
}

extension Connector.Handler {
    /// Returns the output of a connector without another one inside, within the time limit until its head.
    func outputWithinHeadLimit(for input: Input, _ context: CallContext) async -> Output {
        let counting = Next(handler: self, context: context.countingUntilHead())
        guard let limit = context.headLimit else { return await counting(input) }
        return await limit.run(input, counting)
    }
}

extension Next {
    /// Calls the next wrapper or connector, and passes the head of each response inside to a function.
    ///
    /// ```swift
    /// let timing = Wrapper { input, next in
    ///     let start = ContinuousClock.now
    ///     return await next(input) { head in print(head.statusCode, start.duration(to: .now)) }
    /// }
    /// ```
    ///
    /// A head has a status and header fields, and no payload. There is one for each request inside that received a
    /// response, in order, including redirects and retried attempts. Interim responses (1xx) are left out. The head
    /// comes before any consumer receives a part of its payload. If a connector does not report its heads, as a stub,
    /// there is one head: that of the output.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - observe: receives each head, on the task of the request; the payload is delivered after it returns.
    public func callAsFunction(
        _ input: Input,
        onHead observe: @escaping @Sendable (_ head: Response) -> Void
    ) async -> Output {
        let hasReceivedHead = Atomic(false)
        let output = await self.observing(input) { head in
            hasReceivedHead.store(true, ordering: .relaxed)
            observe(head)
        }
        if case .hasResponse(let response) = output, !hasReceivedHead.load(ordering: .relaxed), !context.isCancelled {
            observe(response.head)
        }
        return output
    }

    private func observing(_ input: Input, _ observe: @escaping @Sendable (Response) -> Void) async -> Output {
        await Next(handler: handler, context: context.observing(head: observe))(input.observing(head: observe))
    }
}

extension Input {
    /// Returns the input with a consumer that also passes each head that it receives to a function.
    func observing(head observe: @escaping @Sendable (Response) -> Void) -> Input {
        guard case .consumer(let consumer) = destination else { return self }
        var input = self
        input.destination = .consumer(
            consumer.preparing { part in
                if case .head(let head) = part { observe(head) }
                return part
            }
        )
        return input
    }
}
