import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The position in a stream of events, and the state of the call that reads it.
struct EventPosition: Sendable {
    /// The parser at the position from which the next call continues.
    var parser = EventStreamParser()

    /// Whether any bytes were received, if only a comment.
    var hasReceivedBytes = false

    /// Whether the condition of the stream, or a problem in it, has ended it.
    var isCompleted = false

    /// The output of the connector, as a whole call would have had it; nil until the payload has ended.
    ///
    /// The head alone, if the payload is one of other data than events.
    var output: Output?

    mutating func read(_ data: Data) -> [EventStreamParser.Parsed] {
        hasReceivedBytes = true
        return parser.events(in: data)
    }
}

/// One call of an event stream, and its state after the end.
struct EventStreamConnection<Failure: Error, Value: Sendable> {
    private var reader: StreamReader<Failure, Value>
    private let state: Locked<EventPosition>

    /// Begins a call of an endpoint that continues at the position of the parser.
    init(_ endpoint: StreamEndpoint<Failure, Value>, via connector: Connector, _ parser: EventStreamParser) {
        let state = Locked(EventPosition(parser: parser))
        let recordingOutput = Wrapper { input, next in
            let output = await next(input)
            guard output.isOfEvents else {
                state.withLock { $0.output = output.withoutBody }
                return output
            }
            return output.whenEnded { ended in state.withLock { $0.output = ended } }
        }
        // Once more, since an app may have replaced the input.
        let input = endpoint.hasPositions ? endpoint.input.map(\.requestingEvents) : endpoint.input
        var endpoint = endpoint.reading(at: state)
        endpoint.input = input.map { $0.with { $0.headers["Last-Event-ID"] = parser.sendableID } }
        reader = StreamReader(endpoint, via: connector.wrapped(by: recordingOutput))
        self.state = state
    }

    var position: EventPosition { state.withLock { $0 } }

    /// Returns the next value, or the error for which there is none; nil at the end.
    mutating func next() async -> Fetched<Failure, Value>? {
        await reader.next()
    }
}
