import Foundation

/// One call of an API whose response is read as it arrives, as a value: what to send, and how to read the parts.
///
/// ```swift
/// let answer = Endpoint.events(.post("https://api.example.com/chat"), until: { $0.data == "[DONE]" })
/// for try await event in answer.values(via: .app) { print(event.data) }
/// ```
///
/// Nothing is sent until the first element of one of its sequences is asked for. Each iteration makes a call of its own.
public struct StreamEndpoint<Problem: Decodable & Sendable, Value: Sendable>: Sendable {
    /// The request, or why it could not be built.
    public var input: Either<ConnectionError, Input>

    /// Reads bytes of a payload as its parts, of which an end is the last; nil says that no more bytes come.
    typealias Reading = @Sendable (Data?) -> [StreamPart<Problem, Value>]

    /// The reason why the payload behind a head is not to be read; nil if it is.
    let rejectionReason: @Sendable (Response) -> String?

    /// Begins to read the payload of one call.
    let startReading: @Sendable () -> Reading

    /// Creates an endpoint from how to read the parts of a payload.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - objection: the reason why the payload behind a head is refused before any of it is read; nil if it is not.
    ///   - ends: whether a value ends the stream; the value itself is not delivered.
    ///   - startReading: begins to read the payload of one call.
    init(
        _ input: Either<ConnectionError, Input>,
        refusing rejectionReason: @escaping @Sendable (Response) -> String? = { _ in nil },
        until ends: @escaping @Sendable (Value) -> Bool = { _ in false },
        reading startReading: @escaping @Sendable () -> @Sendable (Data?) -> [Either<String, Value>]
    ) {
        self.input = input
        self.rejectionReason = rejectionReason
        self.startReading = {
            let read = startReading()
            return { data in
                let parts = read(data).lazy.map { value -> StreamPart<Problem, Value> in
                    value.fold({ .unreadable($0) }, { ends($0) ? .end(nil) : .value($0) })
                }
                return StreamPart.upToEnd(parts)
            }
        }
    }

    init<Other>(
        _ other: StreamEndpoint<Problem, Other>,
        reading startReading: @escaping @Sendable () -> Reading
    ) {
        (input, rejectionReason, self.startReading) = (other.input, other.rejectionReason, startReading)
    }

    /// A copy with another input: `answer.with { $0.headers.set("Prefer", to: "wait=1") }`.
    public func with(_ change: (inout Input) -> Void) -> StreamEndpoint {
        var changed = self
        changed.input = input.map { $0.with(change) }
        return changed
    }

    /// A copy whose values are changed; the condition that ends the stream sees them as they were.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) -> NewValue
    ) -> StreamEndpoint<Problem, NewValue> {
        StreamEndpoint<Problem, NewValue>(self) { [startReading] in
            let read = startReading()
            return { data in read(data).map { $0.map(change) } }
        }
    }

    /// The values as they arrive, and the failures among them, as elements.
    public func stream(via connector: Connector) -> ResponseStream<Problem, Value> {
        ResponseStream(self, via: connector)
    }

    /// The values as they arrive, for `for try await`; the first failure is thrown, and ends the call.
    public func values(via connector: Connector) -> ThrowingResponseStream<Problem, Value> {
        ThrowingResponseStream(stream(via: connector))
    }
}
