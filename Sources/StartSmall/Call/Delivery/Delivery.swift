import Foundation
import Synchronization

/// Takes the payload of one call to where its input wants it, whatever the connector knows of destinations.
struct Delivery: Sendable {
    /// Who takes the parts of a successful response, from an engine that gives parts.
    let receiver: Receiver

    /// Ends the delivery, well or not, as the call's output says; the output of the call comes of it.
    let finish: @Sendable (Output) async -> Output

    init(to destination: Destination) {
        switch destination {
        case .memory: self.init(to: Receiver { _ in }) { _ in nil }
        case .receiver(let receiver): self.init(to: receiver) { _ in nil }
        case .file(let url):
            let file = FileDelivery(to: url)
            self.init(to: file.receiver, ending: file.finish)
        }
    }

    /// A connector that knows nothing of receivers answers with the whole payload: it is given then.
    private init(to receiver: Receiver, ending: @escaping @Sendable (_ whole: Bool) async -> ConnectionError?) {
        let hasBegun = Mutex(false)
        let noting = Receiver(resumption: receiver.resumption) { part, isWanted in
            hasBegun.withLock { $0 = true }
            if let failure = await receiver.receive(part, while: isWanted) { throw failure }
        }
        self.receiver = noting
        self.finish = { output in
            guard case .hasResponse(var response) = output, response.statusCode.isSuccess else {
                return await ending(false).map(Output.noResponse) ?? output
            }
            // After parts that broke off, a fallback may still answer with the whole.
            let cameWhole = !hasBegun.withLock { $0 } || !response.payload.isEmpty
            if cameWhole, let failure = await Self.give(&response, to: receiver) {
                return .noResponse(await ending(false) ?? failure)
            }
            return await ending(true).map(Output.noResponse) ?? .hasResponse(response)
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
