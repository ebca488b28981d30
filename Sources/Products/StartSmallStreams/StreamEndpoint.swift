public import StartSmallCore
import StartSmallFoundation

/// An API call whose response is read as it arrives, as a value: the request, and the reading of its parts.
///
/// ```swift
/// let answer = Endpoint.events(.post("https://api.example.com/chat"), until: { $0.data == "[DONE]" })
/// for try await event in answer.values(via: .app) { print(event.data) }
/// ```
///
/// No request is sent until the first element of one of its sequences is requested. Each iteration makes its own call.
public struct StreamEndpoint<Problem: Decodable & Sendable, Value: Sendable>: Sendable {
    /// The request, or the error for which it could not be built.
    public var input: Either<ConnectionError, Input>

    /// A function that parses a chunk of a payload into its parts, of which an end is the last.
    ///
    /// Nil instead of a chunk means that no more chunks come.
    typealias ChunkParser = @Sendable (Data?) -> [StreamPart<Problem, Value>]

    /// The function that returns the reason to refuse the payload after a response head; nil to read the payload.
    let rejectionReason: @Sendable (Response) -> String?

    /// The function that creates the parser for the payload of one call.
    let makeParser: @Sendable () -> ChunkParser

    /// Creates an endpoint from a function that reads the parts of a payload.
    ///
    /// - Parameters:
    ///   - rejectionReason: returns the reason to refuse the payload after a head, before any of it is read; nil to
    ///     read it.
    ///   - ends: returns whether a value ends the stream; the value itself is not delivered.
    init(
        _ input: Either<ConnectionError, Input>,
        refusing rejectionReason: @escaping @Sendable (Response) -> String? = { _ in nil },
        until ends: @escaping @Sendable (Value) -> Bool = { _ in false },
        parser makeParser: @escaping @Sendable () -> @Sendable (Data?) -> [Either<String, Value>]
    ) {
        self.input = input
        self.rejectionReason = rejectionReason
        self.makeParser = {
            let parse = makeParser()
            return { data in
                let parts = parse(data).lazy.map { value -> StreamPart<Problem, Value> in
                    value.fold({ .unreadable($0) }, { ends($0) ? .end(nil) : .value($0) })
                }
                return StreamPart.upToEnd(parts)
            }
        }
    }

    init<Other>(
        _ other: StreamEndpoint<Problem, Other>,
        parser makeParser: @escaping @Sendable () -> ChunkParser
    ) {
        (input, rejectionReason, self.makeParser) = (other.input, other.rejectionReason, makeParser)
    }

    /// Returns a copy with another input: `answer.with { $0.headers["Prefer"] = "wait=1" }`.
    public func with(_ change: (inout Input) -> Void) -> StreamEndpoint {
        var changed = self
        changed.input = input.map { $0.with(change) }
        return changed
    }

    /// Returns a copy with converted values; the condition that ends the stream sees the original values.
    ///
    /// ```swift
    /// let answer = Endpoint.events(.post("https://api.example.com/chat")).map { try $0.json(Delta.self).get() }
    /// ```
    ///
    /// - Parameter change: converts a value. A value for which it throws is a single failed element, as a value that
    ///   can't be decoded; the next values are delivered.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) throws -> NewValue
    ) -> StreamEndpoint<Problem, NewValue> {
        StreamEndpoint<Problem, NewValue>(self) { [makeParser] in
            let parse = makeParser()
            return { data in parse(data).map { $0.map(change) } }
        }
    }

    /// Returns the values as they arrive, and the failures among them, as elements.
    public func stream(via connector: Connector) -> ResponseStream<Problem, Value> {
        ResponseStream(self, via: connector)
    }

    /// Returns the values as they arrive, for `for try await`; the first failure is thrown, and ends the call.
    public func values(via connector: Connector) -> ThrowingResponseStream<Problem, Value> {
        ThrowingResponseStream(stream(via: connector))
    }
}
