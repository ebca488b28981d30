import Foundation
import Synchronization

extension StreamEndpoint {
    /// Makes one call, and delivers its values as they arrive, then its failure or its end.
    func run(
        via connector: Connector,
        into channel: RendezvousChannel<StreamStep<ResponseStream<Problem, Value>.Element>>
    ) async {
        let parse = makeParser()
        let state = Mutex(StreamState<Problem, Value>())
        // The consumer does not capture the connector: if the connector records its inputs, both would retain each
        // other forever.
        let consumer = PayloadConsumer(
            resumption: { nil },
            canRestart: { state.withLock { !$0.hasDelivered } },
            completedResponse: { state.withLock(\.completed) }
        ) { [rejectionReason] part, _ in
            switch part {
            case .head(let response):
                try state.withLock { try $0.begin(response, rejectionReason: rejectionReason(response)) }
            case .chunk(let data):
                guard let head = state.withLock({ $0.beginChunk() }) else { throw ConnectionError.cancelled }
                for part in parse(data) {
                    if case .end(let failure) = part { state.withLock { $0.complete(failure) } }
                    guard let element = Self.element(of: part, head), await channel.send(.element(element))
                    else { throw ConnectionError.cancelled }
                }
            }
        }
        let endpoint = Endpoint<TransformError<Problem>, Response>(
            input.map { input in input.with { $0.destination = .consumer(consumer) } },
            read: { response in
                let failure = state.withLock(\.failure)
                if failure == nil, case .left(let refusal) = response.empty(problem: Problem.self) {
                    return (.left(refusal), refusal.event)
                }
                guard let failure = (failure ?? Self.parseRest(parse, state))?(response)
                else { return (.right(response), .transformed) }
                return (.left(failure), failure.eventInStream)
            }
        )
        switch await endpoint.fetch(via: connector) {
        case .left(.left(.rejected(let response, let reason))) where state.withLock(\.isRejected):
            _ = await channel.send(.last(.left(.right(.malformedData(response, debugInfo: reason)))))
        case .left(.left(let error)): _ = await channel.send(.last(.left(.left(error))))
        case .left(.right(let failure)):
            await Self.deliver(state.withLock(\.rest), of: failure.response, to: channel)
            _ = await channel.send(.last(.left(.right(failure))))
        case .right(let response):
            await Self.deliver(state.withLock(\.rest), of: response, to: channel)
            _ = await channel.send(.end)
        }
    }

    /// Reads the parts that the end of a response completes, such as a last line.
    ///
    /// - Returns: the failure, if one of the parts is a problem.
    private static func parseRest(
        _ parse: ChunkParser,
        _ state: borrowing Mutex<StreamState<Problem, Value>>
    ) -> StreamPart<Problem, Value>.Failure? {
        if state.withLock({ $0.completed != nil }) { return nil }
        let rest = parse(nil)
        state.withLock { $0.rest = rest }
        guard case .end(let failure)? = rest.last else { return nil }
        return failure
    }

    private static func deliver(
        _ parts: [StreamPart<Problem, Value>],
        of response: Response,
        to channel: RendezvousChannel<StreamStep<ResponseStream<Problem, Value>.Element>>
    ) async {
        for element in parts.compactMap({ element(of: $0, response) }) { _ = await channel.send(.element(element)) }
    }

    /// Returns the element of a part; nil for the end.
    private static func element(
        of part: StreamPart<Problem, Value>,
        _ response: Response
    ) -> ResponseStream<Problem, Value>.Element? {
        switch part {
        case .value(let value): .right(value)
        case .unreadable(let reason): .left(.right(.malformedData(response, debugInfo: reason)))
        case .end: nil
        }
    }
}

/// The state of a stream's call.
///
/// Delivered values can't be taken back, so that a second attempt can't follow them.
private struct StreamState<Problem: Sendable, Value: Sendable> {
    private var head: Response?
    private(set) var hasDelivered = false

    /// The response that the condition of the stream, or a problem in it, has ended; nil if neither has.
    private(set) var completed: Response?

    /// The failure that has ended the stream before its response ended; nil if none has.
    private(set) var failure: StreamPart<Problem, Value>.Failure?

    /// The parts that the end of the response has completed.
    var rest: [StreamPart<Problem, Value>] = []

    /// Whether the stream itself has rejected the head of the last response, and not a wrapper.
    private(set) var isRejected = false

    /// Begins a response.
    ///
    /// - Parameters:
    ///   - head: the head of the response.
    ///   - rejectionReason: the reason why the stream can't read its payload; nil if it can.
    mutating func begin(_ head: Response, rejectionReason: String?) throws {
        if hasDelivered { throw ConnectionError.connectionLost(.restarted) }
        (self.head, isRejected) = (head, rejectionReason != nil)
        if let rejectionReason { throw ConnectionError.rejected(head, reason: rejectionReason) }
    }

    /// Returns the head of the response whose chunk is about to be delivered; nil if the stream has ended.
    ///
    /// If the connector delivered no head, the head is a response with status 200.
    mutating func beginChunk() -> Response? {
        if completed != nil { return nil }
        hasDelivered = true
        return head ?? Response(statusCode: .ok)
    }

    /// Ends the stream before its response ends, with or without a failure.
    mutating func complete(_ failure: StreamPart<Problem, Value>.Failure?) {
        (completed, self.failure) = (head ?? Response(statusCode: .ok), failure)
    }
}
