import Foundation
import Synchronization

extension Connector.Handler {
    /// Returns the output of this handler with its payload at its destination, within the time limit until its head.
    @usableFromInline @inline(never)
    func delivered(_ input: Input, _ context: CallContext) async -> Output {
        if !isWrapper {
            if let dryRun = context.dryRun { return dryRun.output(for: input) }
            if context.hasHeadLimit { return await outputWithinHeadLimit(for: input, context) }
        }
        if case .consumer(let consumer) = input.destination { return await deliver(input, to: consumer, context) }
        let output = await output(for: input, context)
        if case .memory = input.destination, !output.isOpen { return output }
        if !isWrapper, case .stream = input.destination, case .hasResponse(let response) = output,
            response.statusCode.isSuccess
        {
            context.report(.receivedHead(response.head))
        }
        return await output.delivered(as: input)
    }

    /// Returns the output of this handler with its payload delivered to a consumer, in parts or as a whole.
    ///
    /// An engine returns an open body, or delivers parts while they arrive. A complete payload, as returned by stubs,
    /// replays and wrappers with their own responses, is delivered by the handler that returns it, as an open body is.
    /// It is not left to ``PayloadDelivery`` at the end of the call: the outer wrappers are still running now.
    /// Therefore a time limit, a cancellation and a listener have the same effect as with an engine.
    private func deliver(_ input: Input, to consumer: PayloadConsumer, _ context: CallContext) async -> Output {
        if isWrapper {
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
