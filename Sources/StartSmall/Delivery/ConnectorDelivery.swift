import Foundation
import Synchronization

extension Connector.Handler {
    /// Returns the output of this handler with its payload at its destination.
    @usableFromInline @inline(never)
    func delivered(_ input: Input, _ context: CallContext) async -> Output {
        if isEngine, let dryRun = context.dryRun { return dryRun.output(for: input) }
        if case .consumer(let consumer) = input.destination { return await deliver(input, to: consumer, context) }
        switch self {
        case .opened(let inner): return await inner.opened(input, context)
        case .wrapper: return await output(for: input, context).delivered(as: input, context)
        case .reporting, .plain, .streaming: return await collected(input, context)
        }
    }

    /// Returns the output of an engine, and of its streaming wrappers, in the form that the request asks for.
    private func collected(_ input: Input, _ context: CallContext) async -> Output {
        // Without a streaming wrapper, a payload in memory is not read through a body.
        if isEngine, case .memory = input.destination {
            let output = await output(for: input, context)
            return output.isOpen ? await output.delivered(as: input, context) : output
        }
        let output = await opened(input, context)
        guard case .hasResponse(let response) = output else { return output }
        if context.followsRedirects, response.isFollowable {
            let limit = min(Response.redirectPayloadLimit, max(0, input.payloadLimit ?? .max))
            let time = Response.redirectPayloadTime
            return .hasResponse(await response.keepingRefusedPayload(upTo: limit, within: time))
        }
        if context.isWithinRequest { return await output.delivered(as: input, context) }
        let head = response.head
        let isDelivered = input.destination != .memory && head.statusCode.isSuccess
        if isDelivered { context.report(.receivedHead(head)) }
        let delivered = await output.delivered(as: input, context)
        // The engine reports the head of a broken response only if it did not return the head.
        if case .noResponse = delivered, !isDelivered { context.report(.receivedHead(head)) }
        return delivered
    }

    /// Returns the output of an engine, inside of its streaming wrappers, whose response has a body with any status.
    private func opened(_ input: Input, _ context: CallContext) async -> Output {
        // A dry run shows the request of the app.
        let input = context.isDryRun ? input : input.with { $0.destination = .stream }
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
    var streamingID: UInt64? {
        switch self {
        case .wrapper(_, let inner): inner.streamingID
        case .streaming(_, _, let id): id
        case .reporting, .plain, .opened: nil
        }
    }

    /// Returns the output of this handler with its payload delivered to a consumer, in parts or as a whole.
    ///
    /// An engine returns an open body, or delivers parts while they arrive. A complete payload, as returned by stubs,
    /// replays and wrappers with their own responses, is delivered by the handler that returns it, as an open body is.
    /// It is not left to ``PayloadDelivery`` at the end of the call: the outer wrappers are still running now.
    /// Therefore a time limit, a cancellation and a listener have the same effect as with an engine.
    private func deliver(_ input: Input, to consumer: PayloadConsumer, _ context: CallContext) async -> Output {
        if case .streaming = self {
            let output = await opened(input, context)
            guard case .hasResponse(let response) = output else { return consumer.completed(output) }
            return consumer.completed(await Self.delivered(response, of: input, to: consumer, context))
        }
        if !isEngine {
            let output = await output(for: input, context)
            // If the output of a wrapper has a payload, no parts of it were delivered. Without a payload, the inner
            // handler can have delivered parts.
            guard case .hasResponse(let response) = output, response.content != .data(Data()) else {
                return consumer.completed(output)
            }
            return consumer.completed(await Self.delivered(response, of: input, to: consumer, context))
        }
        return await input.attempting { consumer.completed(await deliverAttempt($0, context)) }
    }

    /// Returns the output of a connector without another one inside.
    private func deliverAttempt(_ input: Input, _ context: CallContext) async -> Output {
        guard case .consumer(let consumer) = input.destination else { return await output(for: input, context) }
        let deliveredParts = Mutex(DeliveredParts())
        var input = input
        input.destination = .consumer(
            consumer.wrapped { part, isWanted, consumer in
                deliveredParts.withLock { $0.append(part) }
                if case .head(let head) = part { context.report(.receivedHead(head)) }
                return await consumer.receive(part, while: isWanted)
            }
        )
        let output = await output(for: input, context)
        guard case .hasResponse(let response) = output, deliveredParts.withLock({ !$0.hasParts(of: response) })
        else { return output }
        return await Self.delivered(response, of: input, to: consumer, context)
    }

    /// Returns a response with its payload, or its body, delivered to a consumer if it is a success, or in memory if
    /// not.
    private static func delivered(
        _ response: Response,
        of input: Input,
        to consumer: PayloadConsumer,
        _ context: CallContext
    ) async -> Output {
        guard response.statusCode.isSuccess else { return await response.inMemory(limit: input.payloadLimit) }
        context.report(.receivedHead(response.head))
        var delivered = response
        let failure = await PayloadDelivery.deliver(&delivered, to: consumer) { context.isCancelled }
        return failure.map(Output.noResponse) ?? .hasResponse(delivered)
    }
}
