import StartSmallCore
import StartSmallFoundation
import Synchronization

/// One call of an event stream, and its state after the end.
struct EventStreamConnection<Failure: Error, Value: Sendable> {
    struct StreamProgress: Sendable {
        /// The parser at the position from which the next call continues.
        var parser: EventStreamParser

        /// Whether any bytes were received, if only a comment.
        var hasReceivedBytes = false

        /// Whether the condition of the stream, or a problem in it, has ended it.
        var isCompleted = false

        /// The output of the connector, as a whole call would have had it; nil until the payload has ended.
        ///
        /// The head alone, if the payload is one of other data than events.
        var output: Output?

        fileprivate mutating func read(_ data: Data) -> [EventStreamParser.Parsed] {
            hasReceivedBytes = true
            return parser.events(in: data)
        }
    }

    private var reader: StreamReader<Failure, Value>
    private let currentProgress: @Sendable () -> StreamProgress

    /// Begins a call of these events that continues at the position of the parser.
    init(_ events: ServerSentEvents<Failure, Value>, via connector: Connector, _ parser: EventStreamParser) {
        let progress = Mutex(StreamProgress(parser: parser))
        let recordingOutput = Wrapper { input, next in
            let output = await next(input)
            guard output.isOfEvents else {
                progress.withLock { $0.output = output.withoutBody }
                return output
            }
            return output.whenEnded { ended in progress.withLock { $0.output = ended } }
        }
        let input = events.input.map { input in
            input.requestingEvents.with { $0.headers["Last-Event-ID"] = parser.sendableID }
        }
        let endpoint = events.endpoint(input) { data in
            data.map { data in progress.withLock { $0.read(data) } } ?? []
        }
        .onEnd { progress.withLock { $0.isCompleted = true } }
        reader = StreamReader(endpoint, via: connector.wrapped(by: recordingOutput))
        currentProgress = { progress.withLock { $0 } }
    }

    var progress: StreamProgress { currentProgress() }

    /// Returns the next value, or the error for which there is none; nil at the end.
    mutating func next() async -> Fetched<Failure, Value>? {
        await reader.next()
    }
}
