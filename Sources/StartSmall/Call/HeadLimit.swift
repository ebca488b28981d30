import Synchronization

/// A time limit until the head of a response, for each request that is sent inside of a wrapper.
struct HeadLimit: Sendable {
    /// The limit itself, of which the smaller of two counts.
    let limit: Duration

    /// Calls a connector that has no other one inside, and does not wait for its head longer than that.
    let run: @Sendable (Input, Next) async -> Output
}

extension Connector.Step {
    /// The output of a connector that has no other one inside, within the time limit until its head.
    @usableFromInline @inline(never)
    func answerBeforeLimit(_ input: Input, _ report: EventReporter) async -> Output {
        let counting = Next(step: self, report: report.countingUntilHead())
        guard let limit = report.headLimit else { return await counting(input) }
        return await limit.run(input, counting)
    }
}

extension Next {
    /// Calls the next function, and `hear` when the head of a response arrives inside.
    ///
    /// ```swift
    /// let timing = Wrapper { input, next in
    ///     let start = ContinuousClock.now
    ///     return await next(input) { head in print(head.statusCode, start.duration(to: .now)) }
    /// }
    /// ```
    ///
    /// A head has status and header fields, and no payload. There is one for each request that is answered inside,
    /// redirects and retried attempts included, in order; interim responses (1xx) are left out. The head comes before
    /// any of its payload is given to anybody. Where a connector does not tell its heads, as a stub, there is one with
    /// the output.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - hear: Called with each head, on the task of the request; the payload waits meanwhile.
    public func callAsFunction(
        _ input: Input,
        onHead hear: @escaping @Sendable (_ head: Response) -> Void
    ) async -> Output {
        let hasHeard = Atomic(false)
        let output = await self.hearing(input) { head in
            hasHeard.store(true, ordering: .relaxed)
            hear(head)
        }
        if case .hasResponse(let response) = output, !hasHeard.load(ordering: .relaxed), !report.isCancelled {
            hear(response.head)
        }
        return output
    }

    private func hearing(_ input: Input, _ hear: @escaping @Sendable (Response) -> Void) async -> Output {
        await Next(step: step, report: report.hearing(head: hear))(input.hearing(head: hear))
    }
}

extension Input {
    /// The input, whose receiver tells of each head that it is given.
    func hearing(head hear: @escaping @Sendable (Response) -> Void) -> Input {
        guard case .consumer(let consumer) = destination else { return self }
        var input = self
        input.destination = .consumer(
            consumer.preparing { part in
                if case .head(let head) = part { hear(head) }
                return part
            }
        )
        return input
    }
}
