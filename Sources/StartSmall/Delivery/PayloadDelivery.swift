import Foundation
import Synchronization

/// The delivery of one call's payload to the destination of its input, with any kind of connector.
struct PayloadDelivery: Sendable {
    /// The consumer of the parts of a successful response, for an engine that delivers parts.
    let consumer: PayloadConsumer

    /// The function that ends the delivery, depending on the connector's output, and returns the output of the call.
    let finish: @Sendable (Output) async -> Output

    init(for input: Input) {
        switch input.destination {
        case .memory: self.init(to: PayloadConsumer { _ in }, taking: { $0.statusCode.isSuccess }) { _ in nil }
        case .consumer(let consumer): self.init(to: consumer, taking: { $0.statusCode.isSuccess }) { _ in nil }
        case .file(let url):
            let file = FileDelivery(to: url)
            self.init(to: file.consumer, taking: { input.hasFile(of: $0) }, ending: file.finish)
        }
    }

    /// Creates a delivery to a consumer.
    ///
    /// ``Connector`` delivers a complete payload. Here, only a wrapper's own response without a payload is delivered:
    /// as its head. Parts are delivered one after another, including parts of an abandoned attempt.
    ///
    /// - Parameters:
    ///   - consumer: receives the parts.
    ///   - isTaken: whether the payload of a response is delivered.
    ///   - ending: ends the delivery, with true if the payload is complete; returns the error of ending, if any.
    private init(
        to consumer: PayloadConsumer,
        taking isTaken: @escaping @Sendable (Response) -> Bool,
        ending: @escaping @Sendable (_ whole: Bool) async -> ConnectionError?
    ) {
        let given = Mutex(Given())
        let turnstile = Turnstile()
        self.consumer = consumer.wrapped { part, isWanted, consumer in
            await turnstile.pass {
                guard isWanted() else { return .cancelled }
                given.withLock { $0.take(part) }
                return await consumer.receive(part, while: isWanted)
            }
        }
        .observing { attempt in given.withLock { $0.end(attempt) } }
        self.finish = { output in
            guard case .hasResponse(var response) = output, isTaken(response) else {
                return await ending(false).map(Output.noResponse) ?? output
            }
            let cameWhole = given.withLock { !$0.isBegun(of: response) }
            if cameWhole, let failure = await turnstile.pass({ await Self.give(&response, to: consumer) }) {
                return .noResponse(await ending(false) ?? failure)
            }
            return await ending(true).map(Output.noResponse) ?? .hasResponse(response)
        }
    }

    /// The record of the parts that were delivered so far.
    struct Given {
        private var hasHead = false
        private var hasChunk = false

        /// The attempt whose parts were delivered; nil if unknown.
        private var attempt: Attempt?

        mutating func take(_ part: PayloadConsumer.Part) {
            switch part {
            case .head(let response): (hasHead, hasChunk, attempt) = (true, false, response.called.attempt)
            case .chunk: hasChunk = true
            }
        }

        /// Forgets the parts of an attempt that ended without a response.
        ///
        /// An abandoned attempt can end after another one; the parts of the other one stay.
        mutating func end(_ attempt: Attempt) {
            if attempt === self.attempt { (hasHead, hasChunk, self.attempt) = (false, false, nil) }
        }

        /// Returns whether parts of this response were delivered.
        ///
        /// After an interrupted attempt, a fallback can respond with a complete payload, or with a complete empty one.
        func isBegun(of response: Response) -> Bool {
            if let attempt, let other = response.called.attempt, attempt !== other { return false }
            if !response.payload.isEmpty || hasChunk && response.statusCode.isWithoutContent { return false }
            return hasHead || hasChunk
        }
    }

    /// Delivers a complete response, and removes its payload from it.
    static func give(
        _ response: inout Response,
        to consumer: PayloadConsumer,
        isCancelled: () -> Bool = { Task.isCancelled }
    ) async -> ConnectionError? {
        let payload = response.payload
        response.payload = Data()
        for part in [.head(response.head)] + (payload.isEmpty ? [] : [PayloadConsumer.Part.chunk(payload)]) {
            if isCancelled() { return .cancelled }
            let failure = await consumer.receive(part)
            // As with an engine: a consumer that ends early because the call is cancelled has not failed.
            if isCancelled() { return .cancelled }
            if let failure { return failure }
        }
        return nil
    }
}

extension Connector.Step {
    /// Returns the output of this step with its payload delivered to a consumer, in parts or as a whole.
    ///
    /// An engine delivers parts. A complete payload, as returned by stubs, replays and wrappers with their own
    /// responses, is delivered here, inside of the outer wrappers. Therefore a time limit, a cancellation and a
    /// listener have the same effect as with an engine.
    @usableFromInline @inline(never)
    func deliver(_ input: Input, to consumer: PayloadConsumer, _ report: EventReporter) async -> Output {
        if isLayer {
            let output = await answer(input, report)
            // If the output of a layer has a payload, no parts were delivered. Without a payload, the step inside can
            // have delivered parts.
            guard case .hasResponse(let response) = output, !response.payload.isEmpty else {
                return consumer.completed(output)
            }
            return consumer.completed(await Self.delivered(response, to: consumer, report))
        }
        return await input.attempting { consumer.completed(await deliverAttempt($0, report)) }
    }

    /// Returns the output of a connector without another one inside.
    private func deliverAttempt(_ input: Input, _ report: EventReporter) async -> Output {
        guard case .consumer(let consumer) = input.destination else { return await answer(input, report) }
        let given = Mutex(PayloadDelivery.Given())
        var input = input
        input.destination = .consumer(
            consumer.wrapped { part, isWanted, consumer in
                given.withLock { $0.take(part) }
                if case .head(let head) = part { report(.receivedHead(head)) }
                return await consumer.receive(part, while: isWanted)
            }
        )
        let output = await answer(input, report)
        guard case .hasResponse(let response) = output, given.withLock({ !$0.isBegun(of: response) })
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
        let failure = await PayloadDelivery.give(&delivered, to: consumer) { report.isCancelled }
        return failure.map(Output.noResponse) ?? .hasResponse(delivered)
    }
}
