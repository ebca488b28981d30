import Foundation
import Synchronization

/// Takes the payload of one call to where its input wants it, whatever the connector knows of destinations.
struct Delivery: Sendable {
    /// Who takes the parts of a successful response, from an engine that gives parts.
    let receiver: Receiver

    /// Ends the delivery, well or not, as the call's output says; the output of the call comes of it.
    let finish: @Sendable (Output) async -> Output

    init(for input: Input) {
        switch input.destination {
        case .memory: self.init(to: Receiver { _ in }, taking: { $0.statusCode.isSuccess }) { _ in nil }
        case .receiver(let receiver): self.init(to: receiver, taking: { $0.statusCode.isSuccess }) { _ in nil }
        case .file(let url):
            let file = FileDelivery(to: url)
            self.init(to: file.receiver, taking: { input.hasFile(of: $0) }, ending: file.finish)
        }
    }

    /// ``Connector`` delivers a whole payload; what is given here is the head of a wrapper's own answer without a payload.
    ///
    /// A part is taken when the one before is, even one of a try that was let go since.
    private init(
        to receiver: Receiver,
        taking isTaken: @escaping @Sendable (Response) -> Bool,
        ending: @escaping @Sendable (_ whole: Bool) async -> ConnectionError?
    ) {
        let given = Mutex(Given())
        let turnstile = Turnstile()
        self.receiver = receiver.wrapped { part, isWanted, receiver in
            await turnstile.pass {
                guard isWanted() else { return .cancelled }
                given.withLock { $0.take(part) }
                return await receiver.receive(part, while: isWanted)
            }
        }
        .hearing { attempt in given.withLock { $0.end(attempt) } }
        self.finish = { output in
            guard case .hasResponse(var response) = output, isTaken(response) else {
                return await ending(false).map(Output.noResponse) ?? output
            }
            let cameWhole = given.withLock { !$0.isBegun(of: response) }
            if cameWhole, let failure = await turnstile.pass({ await Self.give(&response, to: receiver) }) {
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

        mutating func take(_ part: Receiver.Part) {
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
        to receiver: Receiver,
        isCancelled: () -> Bool = { Task.isCancelled }
    ) async -> ConnectionError? {
        let payload = response.payload
        response.payload = Data()
        for part in [.head(response.head)] + (payload.isEmpty ? [] : [Receiver.Part.chunk(payload)]) {
            if isCancelled() { return .cancelled }
            let failure = await receiver.receive(part)
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
    func deliver(_ input: Input, to receiver: Receiver, _ report: Report) async -> Output {
        if isLayer {
            let output = await answer(input, report)
            // Nothing came to a layer in parts that has a payload. Without one, it may come from the step inside.
            guard case .hasResponse(let response) = output, !response.payload.isEmpty else {
                return receiver.completed(output)
            }
            return receiver.completed(await Self.delivered(response, to: receiver, report))
        }
        return await input.attempting { receiver.completed(await deliverAttempt($0, report)) }
    }

    /// The output of a connector that has no other one inside.
    private func deliverAttempt(_ input: Input, _ report: Report) async -> Output {
        guard case .receiver(let receiver) = input.destination else { return await answer(input, report) }
        let given = Mutex(Delivery.Given())
        var input = input
        input.destination = .receiver(
            receiver.wrapped { part, isWanted, receiver in
                given.withLock { $0.take(part) }
                if case .head(let head) = part { report(.receivedHead(head)) }
                return await receiver.receive(part, while: isWanted)
            }
        )
        let output = await answer(input, report)
        guard case .hasResponse(let response) = output, given.withLock({ !$0.isBegun(of: response) })
        else { return output }
        return await Self.delivered(response, to: receiver, report)
    }

    /// A response whose payload is delivered as a whole, if it is a success.
    private static func delivered(_ response: Response, to receiver: Receiver, _ report: Report) async -> Output {
        guard response.statusCode.isSuccess else { return .hasResponse(response) }
        report(.receivedHead(response.head))
        var delivered = response
        let failure = await Delivery.give(&delivered, to: receiver) { report.isCancelled }
        return failure.map(Output.noResponse) ?? .hasResponse(delivered)
    }
}
