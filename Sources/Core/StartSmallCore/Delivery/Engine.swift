/// The engine of a connector, with the streaming wrappers around it.
@usableFromInline
package struct Engine: Sendable {
    @usableFromInline
    package typealias Function = @Sendable (Input, CallContext) async -> Output

    /// The function of the engine, which returns a response in the form that it chooses.
    private let function: Kind

    /// Two cases, since a function around the other one would be one more function to suspend in.
    enum Kind: Sendable {
        /// A function that reports events.
        case reporting(Function)

        /// A function that reports no events.
        case plain(@Sendable (Input) async -> Output)
    }

    /// The engine inside of its streaming wrappers, whose responses have a body with any status; nil without any.
    private var streaming: Function?

    /// A number of the outermost streaming wrapper, which differs from that of any other one; nil without one.
    private(set) var streamingID: UInt64?

    var isStreaming: Bool { streaming != nil }

    init(_ function: Kind) { self.function = function }

    /// Returns this engine with one more streaming wrapper around it.
    func wrapped(by function: @escaping @Sendable (Input, Next) async -> Output) -> Engine {
        var engine = self
        let inner = Connector.Handler.opened { input, context in await opened(input, context) }
        engine.streaming = { input, context in await function(input, Next(handler: inner, context: context)).opened }
        engine.streamingID = .random(in: .min ... .max)
        return engine
    }

    /// Returns the output in the form that the request asks for.
    @inline(__always)
    func output(of input: Input, _ context: CallContext) async -> Output {
        if !isStreaming {
            if let dryRun = context.dryRun { return dryRun.output(for: input) }
            // Without a streaming wrapper, a payload in memory is not read through a body.
            if input.staysInMemory {
                let output = await request(input, context)
                return output.isOpen ? await output.collected(as: input, context) : output
            }
        }
        if context.isCancelled { return .noResponse(.cancelled) }
        return await opened(input, context).collected(as: input, context)
    }

    /// Returns the output of the outermost streaming wrapper, or else of the engine, with a body whatever the status.
    private func opened(_ input: Input, _ context: CallContext) async -> Output {
        // A dry run shows the request of the app.
        let input = context.isDryRun ? input : input.with { $0.delivery = .stream }
        if let streaming { return await streaming(input, context) }
        if let dryRun = context.dryRun { return dryRun.output(for: input) }
        return await request(input, context).opened
    }

    /// Sends a request, unless the call is cancelled.
    @inline(__always)
    private func request(_ input: Input, _ context: CallContext) async -> Output {
        if context.isCancelled { return .noResponse(.cancelled) }
        let marks = context.marks
        for mark in marks { mark.noteRequest() }
        let output = await connect(input, context)
        for mark in marks { mark.noteOutput(output) }
        return output
    }

    /// Returns the response of the engine itself, in the form that it chooses.
    @inline(__always)
    func connect(_ input: Input, _ context: CallContext) async -> Output {
        switch function {
        case .reporting(let connect): await connect(input, context.ofNextAttempt())
        case .plain(let connect): await connect(input)
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
            return .hasResponse(await response.keepingPayload(upTo: limit, within: time))
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
