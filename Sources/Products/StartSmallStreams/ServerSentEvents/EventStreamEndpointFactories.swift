public import StartSmallCore
import StartSmallSupport

/// Events as they arrive: `Endpoint.events(.post("https://…"), until: { $0.data == "[DONE]" })`.
///
/// If `until` returns true for an event, the stream ends before that event, and the call succeeds: the event is not
/// delivered, so that it need not be decoded, and the rest is not read. The connection is not reused, unless other
/// calls share it.
///
/// `problem` is the type of the API's error payload, and `Never` if it is omitted.
extension Endpoint where Failure == Never, Value == ServerSentEvent {
    /// Returns a stream of the events of one call (WHATWG HTML 9.2), until the server ends it, or the API's problem.
    ///
    /// ``StreamEndpoint/reconnecting(_:after:upTo:clock:random:now:)`` connects again after that. The request gets
    /// `Accept: text/event-stream` and `Cache-Control: no-store`, unless it already has these fields. 204 is a stream
    /// without events. An event that is longer than `limit` bytes is a single failed element.
    ///
    /// A payload of another type is not read as events: it is the API's problem if that can be decoded from it, and
    /// ``TransformError/malformedData(_:debugInfo:)`` otherwise. The error keeps what arrives within a second, up to
    /// 64 KiB.
    ///
    /// - Parameters:
    ///   - input: the request, or the error for which it could not be built.
    ///   - problem: the type of the API's error payload.
    ///   - limit: the maximum length of an event in bytes; 32 MiB by default.
    ///   - ends: returns whether an event ends the stream; that event is not delivered.
    public static func events<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type = Never.self,
        limit: Int = DefaultLimits.eventBytes,
        until ends: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false }
    ) -> StreamEndpoint<TransformError<Problem>, ServerSentEvent> {
        StreamEndpoint(
            input.map(\.requestingEvents),
            hasPositions: true,
            refusing: { $0.eventStreamRejection },
            until: ends
        ) { position in
            let position = position ?? Locked(EventPosition())
            position.withLock { $0.parser.limit = limit }
            return { data in data.map { data in position.withLock { $0.read(data) } } ?? [] }
        }
    }
}

extension Input {
    /// A copy with `Accept: text/event-stream` and `Cache-Control: no-store`, unless it already has these fields.
    var requestingEvents: Input {
        with {
            $0.headers.setIfAbsent("Accept", to: MediaType.eventStream.rawValue)
            $0.headers.setIfAbsent("Cache-Control", to: "no-store")
        }
    }
}

extension Response {
    /// The reason for which the payload after this head can't be events; nil if it can, or if there is no payload.
    var eventStreamRejection: String? {
        statusCode == .noContent ? nil : rejectionReason(expecting: [.eventStream])
    }
}
