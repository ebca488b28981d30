import Synchronization

/// Events as they arrive: `Endpoint.events(.post("https://…"), until: { $0.data == "[DONE]" })`.
///
/// Where `until` is true for an event, the stream ends in front of it, and the call succeeds: that event is not delivered,
/// so that it need not be decoded, and nothing behind it is read. The connection is not used again, unless other calls
/// share it.
///
/// `problem` is the type of what the API says where it refuses, and `Never` if it is left out.
extension Endpoint where Value == ServerSentEvent {
    /// The events of one call (WHATWG HTML 9.2), until the server ends it; ``ServerSentEvents`` connects again.
    ///
    /// Unless the request says otherwise, it asks for `text/event-stream`, and that nothing be kept in a cache. A payload of
    /// another type is ``TransformError/malformedData(_:debugInfo:)`` before any of it is read; 204 is a stream without
    /// events. An event that is longer than `limit` bytes is a failure alone.
    public static func events(
        _ input: Either<ConnectionError, Input>,
        limit: Int = DefaultLimits.eventBytes,
        until ends: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false }
    ) -> StreamEndpoint<Never, ServerSentEvent> where Failure == TransformError<Never> {
        events(input, problem: Never.self, limit: limit, until: ends)
    }

    /// The events of one call (WHATWG HTML 9.2), or the problem that the API tells of.
    ///
    /// A payload that is not `text/event-stream` is ``TransformError/malformedData(_:debugInfo:)``. An event that is longer
    /// than `limit` bytes is a failure alone.
    public static func events<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        limit: Int = DefaultLimits.eventBytes,
        until ends: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false }
    ) -> StreamEndpoint<Problem, ServerSentEvent> where Failure == TransformError<Problem> {
        StreamEndpoint(input.map(\.askingForEvents), refusing: { $0.objectionToEvents }, until: ends) {
            let parser = Mutex(EventStreamParser(limit: limit))
            return { data in data.map { data in parser.withLock { $0.events(in: data) } } ?? [] }
        }
    }
}

extension Input {
    /// The same, asking for events, and for none that were kept, unless it says otherwise.
    var askingForEvents: Input {
        with {
            $0.headers.setIfAbsent("Accept", to: MediaType.eventStream.rawValue)
            $0.headers.setIfAbsent("Cache-Control", to: "no-store")
        }
    }
}

extension Response {
    /// Why the payload that follows can't be events; nil if it can, or if none follows.
    var objectionToEvents: String? {
        statusCode == .noContent ? nil : rejectionReason(expecting: [.eventStream])
    }
}
