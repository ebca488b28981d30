/// The events of ``ServerSentEvents``, over as many calls as it takes.
///
/// Each call is made when its first event is asked for, so that nothing goes on when its consumer has stopped. Where the
/// consumer's task is cancelled, the last element is ``ConnectionError/cancelled``. Each iteration begins anew.
public struct ServerSentEventStream<Problem: Decodable & Sendable>: AsyncSequence, Sendable {
    /// An event, or why there is none.
    public typealias Element = Fetched<TransformError<Problem>, ServerSentEvent>

    /// The sequence itself never fails: failures are elements.
    public typealias Failure = Never

    private let events: ServerSentEvents<Problem>
    private let connector: Connector

    init(_ events: ServerSentEvents<Problem>, via connector: Connector) {
        (self.events, self.connector) = (events, connector)
    }

    /// Creates an iterator, whose first call begins when the first element is asked for.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: events, via: connector)
    }

    /// The events of one call after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let events: ServerSentEvents<Problem>
        private let connector: Connector
        private var parser: EventStreamParser
        private var connection: EventStreamConnection<Problem>?
        private var hasEnded = false

        /// How many calls have ended since one brought anything, itself included, and when the first of them did.
        private var endings = 0
        private var firstEnding = Duration.zero

        fileprivate init(of events: ServerSentEvents<Problem>, via connector: Connector) {
            (self.events, self.connector, parser) = (events, connector, events.parser)
        }

        /// The next event, or why there is none; nil after the last call.
        public mutating func next() async -> Element? {
            while !hasEnded {
                if Task.isCancelled { return cancelled() }
                var open = connection ?? events.connection(via: connector, parser)
                let element = await open.next()
                connection = open
                if let element {
                    return Task.isCancelled && element.connectionError == .cancelled ? cancelled() : element
                }
                connection = nil
                guard let pause = pause(after: open.course) else {
                    hasEnded = true
                    return nil
                }
                if await !events.sleep(pause) { return cancelled() }
            }
            return nil
        }

        private mutating func cancelled() -> Element {
            (hasEnded, connection) = (true, nil)
            return .left(.left(.cancelled))
        }

        /// The time before another call; nil if there is to be none.
        private mutating func pause(after course: EventStreamConnection<Problem>.StreamProgress) -> Duration? {
            parser = course.parser.anew
            guard !course.isCompleted, let output = course.output, events.goesOn(after: output) else { return nil }
            if course.hasBrought || endings == 0 { (endings, firstEnding) = (0, events.time()) }
            endings += 1
            return events.pause(after: output, endings, since: firstEnding, retry: parser.retry)
        }
    }
}
