import Foundation
import Synchronization

/// Takes the payload of one call to where its input wants it, whatever the connector knows of destinations.
struct PayloadDelivery: Sendable {
    /// Who takes the parts of a successful response, from an engine that gives parts.
    let consumer: PayloadConsumer

    /// Ends the delivery, well or not, as the call's output says; the output of the call comes of it.
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

    /// ``Connector`` delivers a whole payload; what is given here is the head of a wrapper's own answer without a payload.
    ///
    /// A part is taken when the one before is, even one of a try that was let go since.
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
        .hearing { attempt in given.withLock { $0.end(attempt) } }
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

    /// What was given of a response so far.
    struct Given {
        private var hasHead = false
        private var hasChunk = false

        /// The attempt whose parts were given; nil if it is not known.
        private var attempt: Attempt?

        mutating func take(_ part: PayloadConsumer.Part) {
            switch part {
            case .head(let response): (hasHead, hasChunk, attempt) = (true, false, response.called.attempt)
            case .chunk: hasChunk = true
            }
        }

        /// Forgets the parts of an attempt that ended without a response.
        ///
        /// One that was let go may end later than another: what that has given stays.
        mutating func end(_ attempt: Attempt) {
            if attempt === self.attempt { (hasHead, hasChunk, self.attempt) = (false, false, nil) }
        }

        /// Whether parts of this very response were: behind some that broke off, a fallback may answer with the whole, or with
        /// a whole that is nothing.
        func isBegun(of response: Response) -> Bool {
            if let attempt, let other = response.called.attempt, attempt !== other { return false }
            if !response.payload.isEmpty || hasChunk && response.statusCode.isWithoutContent { return false }
            return hasHead || hasChunk
        }
    }

    /// Gives a response that came whole, and takes its payload out of it.
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
            // As with an engine: a receiver that ends early since the call is cancelled has not failed.
            if isCancelled() { return .cancelled }
            if let failure { return failure }
        }
        return nil
    }
}

extension Connector.Step {
    /// The output of this step, whose payload goes to a receiver, be it delivered in parts or whole.
    ///
    /// An engine delivers parts. A whole payload, as stubs, replays, and wrappers that answer by themselves return it, is
    /// delivered here: inside of the wrappers around, so that a time limit, a cancellation and a listener see the same as
    /// with an engine.
    @usableFromInline @inline(never)
    func deliver(_ input: Input, to consumer: PayloadConsumer, _ report: EventReporter) async -> Output {
        if isLayer {
            let output = await answer(input, report)
            // Nothing came to a layer in parts that has a payload. Without one, it may come from the step inside.
            guard case .hasResponse(let response) = output, !response.payload.isEmpty else {
                return consumer.completed(output)
            }
            return consumer.completed(await Self.delivered(response, to: consumer, report))
        }
        return await input.attempting { consumer.completed(await deliverAttempt($0, report)) }
    }

    /// The output of a connector that has no other one inside.
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

    /// A response whose payload is delivered as a whole, if it is a success.
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
