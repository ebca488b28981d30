import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on payload consumers, for every connector that answers GET with 200 and a payload, even without a network.
    ///
    /// The kit delivers the whole payload of a stub or a replay inside of all wrappers, so that it is indistinguishable
    /// from an engine that delivers parts.
    public static let ofConsumers = [
        ConnectorLaw(.consumerParts, "a consumer gets the head, then the payload, and the response has no payload") {
            trial in
            let parts = Recorder<PayloadConsumer.Part>()
            let output = try await trial.received(by: PayloadConsumer { parts.append($0) })
            var (order, payload) = ([Bool](), Data())
            for part in parts.elements {
                switch part {
                case .head(let response):
                    order.append(true)
                    payload += response.payload
                case .chunk(let data):
                    order.append(false)
                    payload += data
                }
            }
            return [
                rejectionReason("the status", output.response?.statusCode, .ok),
                rejectionReason("the payload of the response", output.response?.payload, Data()),
                rejectionReason("whether the first two parts are heads", order.prefix(2), [true, false]),
                rejectionReason("the heads", order.count { $0 }, 1),
                payload.isEmpty ? "no byte of the payload was delivered" : nil,
            ].compactMap(\.self)
        },
        ConnectorLaw(.consumerTimeLimit, "a time limit ends a call whose consumer does not return") { trial in
            let stuck = StuckConsumer(at: .chunk)
            defer { stuck.release() }
            let output = try await trial.timedOut(with: stuck)
            return [rejectionReason("the error", output.connectionError?.name, "timedOut")].compactMap(\.self)
        },
        ConnectorLaw(.consumerLateParts, "after a time limit, a consumer gets no further part") { trial in
            let stuck = StuckConsumer(at: .head)
            defer { stuck.release() }
            let output = try await trial.timedOut(with: stuck)
            stuck.release()
            for _ in 0..<100 { await Task.yield() }
            return [
                rejectionReason("the status of the head", stuck.parts.elements.first?.head?.statusCode, .ok),
                rejectionReason("the error", output.connectionError?.name, "timedOut"),
                rejectionReason("the parts", stuck.parts.elements.count, 1),
            ].compactMap(\.self)
        },
        ConnectorLaw(.consumerCancelled, "a call that is cancelled while its consumer waits ends with cancelled") {
            trial in
            let (reached, opened) = (Latch(), Latch())
            let consumer = PayloadConsumer { part in
                if part.head != nil { return }
                reached.open()
                // The wait ends without an error when the task is cancelled.
                await opened.wait()
            }
            let call = Task { try await trial.received(by: consumer) }
            await reached.wait()
            call.cancel()
            return [rejectionReason("the output", try await call.value, .noResponse(.cancelled))].compactMap(
                \.self
            )
        },
        ConnectorLaw(.consumerCancellationError, "a consumer that throws CancellationError cancels the call") { trial in
            let consumer = PayloadConsumer { part in
                if part.head == nil { throw CancellationError() }
            }
            let output = try await trial.received(by: consumer)
            return [rejectionReason("the output", output, .noResponse(.cancelled))].compactMap(\.self)
        },
        ConnectorLaw(.consumerError, "a consumer that throws ends the call with unwritableDestination") { trial in
            struct Full: Error {}
            let consumer = PayloadConsumer { part in
                if part.head == nil { throw Full() }
            }
            let output = try await trial.received(by: consumer)
            return [rejectionReason("the error", output.connectionError?.name, "unwritableDestination")].compactMap(
                \.self
            )
        },
    ]
}

/// A consumer that takes one part and then, even if its task is cancelled, does not return before its release.
private struct StuckConsumer: Sendable {
    enum Place {
        case head
        case chunk
    }

    let consumer: PayloadConsumer
    let parts: Recorder<PayloadConsumer.Part>
    let reached: Latch
    private let released: Latch

    init(at place: Place) {
        let (reached, released, parts) = (Latch(), Latch(), Recorder<PayloadConsumer.Part>())
        (self.reached, self.released, self.parts) = (reached, released, parts)
        consumer = PayloadConsumer { part in
            parts.append(part)
            guard (part.head != nil) == (place == .head) else { return }
            reached.open()
            // The value of another task is awaited to its end, regardless of cancellation.
            await Task { await released.wait() }.value
        }
    }

    func release() {
        released.open()
    }
}

extension PayloadConsumer.Part {
    fileprivate var head: Response? {
        if case .head(let response) = self { response } else { nil }
    }
}

extension ConnectorTrial {
    /// Returns the output of a GET with a limit of one second, which expires while the consumer does not return.
    fileprivate func timedOut(with stuck: StuckConsumer) async throws -> Output {
        let clock = ManualClock()
        let limited = ConnectorTrial(connector: connector.wrapped(by: .timeout(.seconds(1), clock: clock)))
        async let call = limited.received(by: stuck.consumer)
        await stuck.reached.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        return try await call
    }

    /// Returns the output of a GET whose payload goes to a consumer.
    fileprivate func received(by consumer: PayloadConsumer) async throws -> Output {
        try await LoopbackServer.serving(.stub(.text("hello"))) { server in
            let input = Input(url: server.url, destination: .consumer(consumer))
            return await WebAPI.call(with: input, via: connector)
        }
    }
}
