import Foundation
import Synchronization

/// One call of an event stream, and what is known of it when it is over.
struct EventStreamConnection<Problem: Decodable & Sendable> {
    /// How a call went.
    struct StreamProgress: Sendable {
        /// What was read, from where the next call goes on.
        var parser: EventStreamParser

        /// Whether anything came, be it a comment.
        var hasBrought = false

        /// Whether the condition of the stream, or a problem in it, has ended it.
        var isCompleted = false

        /// What the connector came back with; nil if it was not asked, or not yet.
        var output: Output?

        fileprivate mutating func read(_ data: Data) -> [EventStreamParser.Parsed] {
            hasBrought = true
            return parser.events(in: data)
        }
    }

    private var elements: ResponseStream<Problem, ServerSentEvent>.Iterator
    private let look: @Sendable () -> StreamProgress

    /// Begins a call of these events that goes on where the parser is.
    init(_ events: ServerSentEvents<Problem>, via connector: Connector, _ parser: EventStreamParser) {
        let course = Mutex(StreamProgress(parser: parser))
        let noting = Wrapper { input, next in
            let output = await next(input)
            course.withLock { $0.output = output }
            return output
        }
        let endpoint = StreamEndpoint<Problem, ServerSentEvent>(
            events.input.map { input in
                input.askingForEvents.with { $0.headers["Last-Event-ID"] = parser.sendableID }
            },
            refusing: { $0.objectionToEvents },
            until: events.ends
        ) {
            { data in data.map { data in course.withLock { $0.read(data) } } ?? [] }
        }
        .failing(with: events.problem)
        .onEnd { course.withLock { $0.isCompleted = true } }
        elements = endpoint.stream(via: connector.wrapped(by: noting)).makeAsyncIterator()
        look = { course.withLock { $0 } }
    }

    /// How the call went so far.
    var course: StreamProgress { look() }

    /// The next event, or why there is none; nil if no more comes.
    mutating func next() async -> Fetched<TransformError<Problem>, ServerSentEvent>? {
        await elements.next()
    }
}
