extension Connector.Handler {
    /// Returns the output of this handler in the form that the request asks for.
    @usableFromInline @inline(never)
    func delivered(_ input: Input, _ context: CallContext) async -> Output {
        if isEngine, let dryRun = context.dryRun { return dryRun.output(for: input) }
        switch self {
        case .opened(let inner): return await inner.opened(input, context)
        case .wrapper: return await output(for: input, context).delivered(as: input, context)
        case .reporting, .plain, .streaming: return await collected(input, context)
        }
    }

    /// Returns the output of an engine, and of its streaming wrappers, in the form that the request asks for.
    private func collected(_ input: Input, _ context: CallContext) async -> Output {
        // Without a streaming wrapper, a payload in memory is not read through a body.
        if isEngine, input.staysInMemory {
            let output = await output(for: input, context)
            return output.isOpen ? await output.collected(as: input, context) : output
        }
        return await opened(input, context).collected(as: input, context)
    }

    /// Returns the output of an engine, inside of its streaming wrappers, whose response has a body with any status.
    private func opened(_ input: Input, _ context: CallContext) async -> Output {
        // A dry run shows the request of the app.
        let input = context.isDryRun ? input : input.with { $0.delivery = .stream }
        switch self {
        case .streaming(let function, let inner, _):
            return await function(input, Next(handler: .opened(inner), context: context)).opened
        case .opened(let inner): return await inner.opened(input, context)
        case .reporting, .plain, .wrapper:
            if let dryRun = context.dryRun { return dryRun.output(for: input) }
            return await output(for: input, context).opened.marked(by: input)
        }
    }

    /// Returns this handler with a streaming wrapper around its engine, and around the streaming wrappers of that.
    func inserting(_ function: @escaping @Sendable (Input, Next) async -> Output) -> Connector.Handler {
        guard case .wrapper(let outer, let inner) = self else {
            return .streaming(function, inner: self, id: .random(in: .min ... .max))
        }
        return .wrapper(outer, inner: inner.inserting(function))
    }

    /// The number of the outermost streaming wrapper; nil if there is none.
    package var streamingID: UInt64? {
        switch self {
        case .wrapper(_, let inner): inner.streamingID
        case .streaming(_, _, let id): id
        case .reporting, .plain, .opened: nil
        }
    }
}

extension Output {
    /// Returns the output of an engine in the form that the request asks for.
    func collected(as input: Input, _ context: CallContext) async -> Output {
        guard case .hasResponse(let response) = self else { return await delivered(as: input, context) }
        if context.followsRedirects, response.isFollowable {
            let limit = min(Response.redirectPayloadLimit, max(0, input.payloadLimit ?? .max))
            let time = Response.redirectPayloadTime
            return .hasResponse(await response.keepingRefusedPayload(upTo: limit, within: time))
        }
        if context.isWithinRequest { return await delivered(as: input, context) }
        let head = response.head
        let isDelivered = !input.staysInMemory && head.statusCode.isSuccess
        if isDelivered { context.report(.receivedHead(head)) }
        let delivered = await self.delivered(as: input, context)
        // The engine reports the head of a broken response only if it did not return the head.
        if case .noResponse = delivered, !isDelivered { context.report(.receivedHead(head)) }
        return delivered
    }
}
