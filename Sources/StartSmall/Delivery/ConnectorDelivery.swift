import Foundation
import Synchronization

extension Connector.Step {
    /// Returns the output of this step with its payload delivered to a consumer, in parts or as a whole.
    ///
    /// An engine delivers parts while they arrive. A complete payload, as returned by stubs, replays and wrappers with
    /// their own responses, is delivered by the step that returns it, and not at the end of the call by
    /// ``PayloadDelivery``: the outer wrappers are still running then. Therefore a time limit, a cancellation and a
    /// listener have the same effect as with an engine.
    @usableFromInline @inline(never)
    func deliver(_ input: Input, to consumer: PayloadConsumer, _ report: EventReporter) async -> Output {
        if isWrapper {
            let output = await output(for: input, report)
            // If the output of a wrapper has a payload, no parts of it were delivered. Without a payload, the inner
            // step can have delivered parts.
            guard case .hasResponse(let response) = output, !response.payload.isEmpty else {
                return consumer.completed(output)
            }
            return consumer.completed(await Self.delivered(response, to: consumer, report))
        }
        return await input.attempting { consumer.completed(await deliverAttempt($0, report)) }
    }

    /// Returns the output of a connector without another one inside.
    private func deliverAttempt(_ input: Input, _ report: EventReporter) async -> Output {
        guard case .consumer(let consumer) = input.destination else { return await output(for: input, report) }
        let deliveredParts = Mutex(DeliveredParts())
        var input = input
        input.destination = .consumer(
            consumer.wrapped { part, isWanted, consumer in
                deliveredParts.withLock { $0.append(part) }
                if case .head(let head) = part { report(.receivedHead(head)) }
                return await consumer.receive(part, while: isWanted)
            }
        )
        let output = await output(for: input, report)
        guard case .hasResponse(let response) = output, deliveredParts.withLock({ !$0.hasParts(of: response) })
        else { return output }
        return await Self.delivered(response, to: consumer, report)
    }

    /// Returns a response with its payload delivered as a whole, if the response is a success.
    private static func delivered(_ response: Response, to consumer: PayloadConsumer, _ report: EventReporter) async
        -> Output
    {
        guard response.statusCode.isSuccess else { return .hasResponse(response) }
        report(.receivedHead(response.head))
        var delivered = response
        let failure = await PayloadDelivery.deliver(&delivered, to: consumer) { report.isCancelled }
        return failure.map(Output.noResponse) ?? .hasResponse(delivered)
    }
}
