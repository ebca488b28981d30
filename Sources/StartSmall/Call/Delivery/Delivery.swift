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

    /// A connector that knows nothing of receivers answers with the whole payload: it is given then.
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
    private struct Given {
        private var hasHead = false
        private var hasChunk = false

        mutating func take(_ part: Receiver.Part) {
            switch part {
            case .head: (hasHead, hasChunk) = (true, false)
            case .chunk: hasChunk = true
            }
        }

        /// Whether parts of this very response were: behind some that broke off, a fallback may answer with the whole, or with
        /// a whole that is nothing.
        func isBegun(of response: Response) -> Bool {
            if !response.payload.isEmpty || hasChunk && response.statusCode.isWithoutContent { return false }
            return hasHead || hasChunk
        }
    }

    /// Gives a response that came whole, and takes its payload out of it.
    private static func give(_ response: inout Response, to receiver: Receiver) async -> ConnectionError? {
        let payload = response.payload
        response.payload = Data()
        if let failure = await receiver.receive(.head(response)) { return failure }
        return payload.isEmpty ? nil : await receiver.receive(.chunk(payload))
    }
}
