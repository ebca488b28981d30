public import StartSmallCore

/// The values of ``ServerSentEvents``, over as many calls as necessary.
///
/// Each element is a value, or the error for which there is none; the sequence itself never throws.
///
/// Each call is made when its first value is requested, so that no call runs after the consumer has stopped. If the
/// consumer's task is cancelled, the last element is ``ConnectionError/cancelled``. Each iteration starts again.
public struct ServerSentEventStream<Reason: Error, Value: Sendable>: AsyncSequence, Sendable {
    private let events: ServerSentEvents<Reason, Value>
    private let connector: Connector

    init(_ events: ServerSentEvents<Reason, Value>, via connector: Connector) {
        (self.events, self.connector) = (events, connector)
    }

    /// Creates an iterator, whose first call begins when the first element is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: events, via: connector)
    }

    /// An iterator over the values of one call after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let events: ServerSentEvents<Reason, Value>
        private let connector: Connector
        private var parser: EventStreamParser
        private var connection: EventStreamConnection<Reason, Value>?
        private var hasEnded = false

        /// The number of calls that have ended since one delivered bytes, and the time of the first end.
        ///
        /// The call that delivered bytes is included.
        private var endings = 0
        private var firstEnding = Duration.zero

        fileprivate init(of events: ServerSentEvents<Reason, Value>, via connector: Connector) {
            (self.events, self.connector) = (events, connector)
            parser = EventStreamParser(after: events.endpoint.input.right?.headers["Last-Event-ID"])
        }

        /// Returns the next value, or the error for which there is none; nil after the last call.
        ///
        /// A value that has arrived is returned without leaving the actor.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Fetched<Reason, Value>? {
            while !hasEnded {
                if Task.isCancelled { return cancelled() }
                if connection == nil { connection = EventStreamConnection(events.endpoint, via: connector, parser) }
                if let element = await connection?.next() {
                    return Task.isCancelled && element.connectionError == .cancelled ? cancelled() : element
                }
                guard let pause = connection.take().flatMap({ pause(after: $0.position) }) else {
                    hasEnded = true
                    return nil
                }
                if await !events.reconnection.sleep(pause) { return cancelled() }
            }
            return nil
        }

        private mutating func cancelled() -> Element {
            (hasEnded, connection) = (true, nil)
            return .left(.left(.cancelled))
        }

        /// Returns the delay before another call; nil if no call follows.
        private mutating func pause(after position: EventPosition) -> Duration? {
            parser = position.parser.resumed
            let reconnection = events.reconnection
            guard events.endpoint.hasPositions, !position.isCompleted, let output = position.output,
                reconnection.continues(after: output, of: events.endpoint.input)
            else { return nil }
            if position.hasReceivedBytes || endings == 0 { (endings, firstEnding) = (0, reconnection.time()) }
            endings += 1
            return reconnection.pause(after: output, endings, since: firstEnding, retry: parser.retry)
        }
    }
}
