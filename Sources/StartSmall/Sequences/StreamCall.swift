import Foundation
import Synchronization

extension StreamEndpoint {
    /// Makes one call, and hands its values over as they arrive, then its failure or its end.
    func run(via connector: Connector, into handoff: Handoff<StreamStep<Streamed<Problem, Value>.Element>>) async {
        let read = startReading()
        let course = Mutex(StreamCourse())
        // Without the connector: where that records what it was asked, each would keep the other for ever.
        let receiver = Receiver(
            resumption: { nil },
            mayBeginAnew: { course.withLock { !$0.hasGiven } },
            completedResponse: { course.withLock(\.completed) }
        ) { [objection] part, _ in
            switch part {
            case .head(let response):
                try course.withLock { try $0.begin(response) }
                if let reason = objection(response) { throw ConnectionError.rejected(response, reason: reason) }
            case .chunk(let data):
                guard let head = course.withLock({ $0.give() }) else { throw ConnectionError.cancelled }
                for part in read(data) {
                    guard let element = Self.element(of: part, head) else {
                        course.withLock { $0.complete() }
                        throw ConnectionError.cancelled
                    }
                    if await !handoff.send(.element(element)) { throw ConnectionError.cancelled }
                }
            }
        }
        let endpoint = Endpoint<TransformError<Problem>, Response>(
            input.map { input in input.with { $0.destination = .receiver(receiver) } },
            transform: { response in response.empty().map { response } }
        )
        switch await endpoint.fetch(via: connector) {
        case .left(.left(.rejected(let response, let reason))) where objection(response) == reason:
            _ = await handoff.send(.last(.left(.right(.malformedData(response, debugInfo: reason)))))
        case .left(let failure): _ = await handoff.send(.last(.left(failure)))
        case .right(let response):
            let rest = course.withLock { $0.completed == nil } ? read(nil) : []
            for part in rest {
                guard let element = Self.element(of: part, response) else { break }
                _ = await handoff.send(.element(element))
            }
            _ = await handoff.send(.end)
        }
    }

    /// The element of a part; nil for the end.
    private static func element(
        of part: StreamPart<Value>,
        _ response: Response
    ) -> Streamed<Problem, Value>.Element? {
        switch part {
        case .value(let value): .right(value)
        case .unreadable(let reason): .left(.right(.malformedData(response, debugInfo: reason)))
        case .end: nil
        }
    }
}

/// How far the call of a stream has come: what was given can't be taken back, so that a second attempt may not follow on it.
private struct StreamCourse {
    private var head: Response?
    private(set) var hasGiven = false

    /// The response that the condition of the stream has ended; nil if it has not.
    private(set) var completed: Response?

    mutating func begin(_ head: Response) throws {
        if hasGiven { throw ConnectionError.connectionLost(.startedAnew) }
        self.head = head
    }

    /// The head of the response of which a chunk is about to be given, made up where a connector gave none; nil if the
    /// stream has ended.
    mutating func give() -> Response? {
        if completed != nil { return nil }
        hasGiven = true
        return head ?? Response(statusCode: .ok)
    }

    /// Ends the stream before its response ends.
    mutating func complete() {
        completed = head ?? Response(statusCode: .ok)
    }
}
