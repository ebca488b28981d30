import Foundation
import Synchronization

// The steps of a delivery:
//
// - `WebAPI` creates one `PayloadDelivery` for each call whose payload goes to a consumer. Its `consumer` replaces the
//   destination of the input before the outermost wrapper runs, and passes each part to the consumer of the app. Its
//   `finish` runs once, after the outermost wrapper has returned.
// - `Connector.Handler.deliver` (ConnectorDelivery.swift) runs for each request, at the innermost handler, and again at
//   each wrapper on the way out. An engine returns an open body, which the handler reads and passes to the consumer, or
//   passes the parts to the consumer itself while they arrive. If a successful output has a complete payload instead,
//   as that of a stub or of a wrapper with its own response, the handler that returns it delivers it: the head, and
//   then all bytes as one part. The output continues without its payload.
// - After that, all of a successful response has been delivered, except for a wrapper's own response without a payload:
//   a handler can't distinguish that one from a response whose parts were delivered inside. `finish` knows which parts
//   arrived (`DeliveredParts`), and delivers its head.

/// The delivery of one call's payload to the destination of its input, with any kind of connector.
struct PayloadDelivery: Sendable {
    /// The consumer of the parts of a successful response, for an engine that delivers parts.
    let consumer: PayloadConsumer

    /// The function that ends the delivery, depending on the connector's output, and returns the output of the call.
    let finish: @Sendable (Output) async -> Output

    /// Creates a delivery to a consumer.
    ///
    /// A complete payload was delivered by a handler of the connector (ConnectorDelivery.swift). Only the head of a
    /// wrapper's own response without a payload is delivered here. Parts are delivered one after another, including
    /// parts of an abandoned attempt.
    init(to consumer: PayloadConsumer) {
        let deliveredParts = Mutex(DeliveredParts())
        let mutex = AsyncMutex()
        self.consumer = consumer.wrapped { part, isWanted, consumer in
            await mutex.withLock {
                guard isWanted() else { return .cancelled }
                deliveredParts.withLock { $0.append(part) }
                return await consumer.receive(part, while: isWanted)
            }
        }
        .observing { attempt in deliveredParts.withLock { $0.remove(of: attempt) } }
        self.finish = { output in
            guard case .hasResponse(var response) = output, response.statusCode.isSuccess,
                deliveredParts.withLock({ !$0.hasParts(of: response) })
            else { return output }
            let failure = await mutex.withLock { await Self.deliver(&response, to: consumer) }
            return failure.map(Output.noResponse) ?? .hasResponse(response)
        }
    }

    /// Delivers a successful response, and removes its payload from it: the one place that reads a body for a consumer.
    static func deliver(
        _ response: inout Response,
        to consumer: PayloadConsumer,
        isCancelled: () -> Bool = { Task.isCancelled }
    ) async -> ConnectionError? {
        let body = response.body ?? ResponseBody(response.payload)
        response.payload = Data()
        let head = response.head
        var (part, count) = (PayloadConsumer.Part.head(head), 0)
        while true {
            let failure = isCancelled() ? .cancelled : await consumer.receive(part)
            // A consumer that ends early because the call is cancelled has not failed.
            if let failure = isCancelled() ? .cancelled : failure {
                if consumer.completedResponse() == nil { body.interrupt(with: failure) } else { body.finish() }
                return failure
            }
            do throws(ConnectionError) {
                guard let chunk = try await body.next() else { break }
                (part, count) = (.chunk(chunk), count + chunk.count)
            } catch {
                return error.keeping(head)
            }
        }
        if !body.trailers.fields.isEmpty { response.trailers = body.trailers }
        response = response.delivering(count)
        return nil
    }
}
