public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// The values of server-sent events, each of a Swift type that the event's own type selects.
///
/// ```swift
/// let types = EventTypes(otherwise: AnswerEvent.other)
///     .decoding("answer.delta", as: AnswerEvent.text)
///     .mapping("answer.done") { _ in .done }
/// for try await event in answer.typed(by: types).values(via: .app) { … }
/// ```
///
/// An event of a type that has no entry is no error, since APIs add types: `otherwise` returns its value.
public struct EventTypes<Value: Sendable>: Sendable {
    private typealias Reader = @Sendable (ServerSentEvent) throws -> Value

    private let otherwise: Reader
    private var readers: [ByteEqualString: Reader] = [:]

    /// Creates a table without entries.
    ///
    /// - Parameter otherwise: returns the value of an event whose type has no entry. It may throw, for an API that never
    ///   adds types.
    public init(otherwise: @escaping @Sendable (ServerSentEvent) throws -> Value) { self.otherwise = otherwise }

    /// Returns a copy that decodes the data of events of a type as JSON.
    ///
    /// - Parameters:
    ///   - type: the type of the events; a second entry for it replaces the first.
    ///   - decoder: the JSON decoder.
    ///   - make: makes the value of the decoded data; its parameter says as which type the data is decoded.
    public func decoding<Content: Decodable & Sendable>(
        _ type: String,
        decoder: JSONDecoder = JSONDecoder(),
        as make: @escaping @Sendable (Content) throws -> Value
    ) -> EventTypes {
        mapping(type) { try make($0.json(Content.self, decoder: decoder).get()) }
    }

    /// Returns a copy that reads events of a type by a function.
    ///
    /// - Parameters:
    ///   - type: the type of the events; a second entry for it replaces the first.
    ///   - read: returns the value of an event.
    public func mapping(
        _ type: String,
        _ read: @escaping @Sendable (ServerSentEvent) throws -> Value
    ) -> EventTypes {
        var types = self
        types.readers[ByteEqualString(type)] = read
        return types
    }

    /// Returns the value of an event, or an error with the whole event.
    public func value(of event: ServerSentEvent) -> Either<EventDecodingError, Value> {
        do {
            return .right(try (readers[ByteEqualString(event.type)] ?? otherwise)(event))
        } catch let error as EventDecodingError {
            return .left(error)
        } catch {
            return .left(EventDecodingError(event: event, debugInfo: DecodingError.text(of: error)))
        }
    }
}

extension StreamEndpoint where Value == ServerSentEvent {
    /// Returns a copy whose values are those of the events, by their types.
    ///
    /// An event whose value can't be read is a single failed element, which names the event's type, its ID and the
    /// reason, as ``map(_:)`` has it: `stream(via:)` goes on, and `values(via:)` throws it and ends, as the clients of
    /// the providers of language models do. An error event is one for ``failing(with:)``, before this function.
    public func typed<NewValue>(by types: EventTypes<NewValue>) -> StreamEndpoint<Failure, NewValue> {
        map { try types.value(of: $0).get() }
    }
}
