public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// An event of a stream of server-sent events (WHATWG HTML 9.2).
///
/// Two events are equal if their texts are equal, byte by byte.
public struct ServerSentEvent: Sendable {
    /// The type of an event for which the server sends none: `message`.
    @usableFromInline static let defaultType = "message"

    /// The type of the event.
    public var type: String

    /// The values of the event's `data` fields, joined by LF.
    public var data: String

    /// The last ID that the stream had sent by then, from which to resume after this event; nil if there is none.
    public var id: String?

    /// The delay before a reconnection, as last requested by the stream by then; nil if not requested.
    public var retry: Duration?

    /// Creates an event.
    public init(type: String = defaultType, data: String, id: String? = nil, retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent {
    /// Decodes the data as JSON.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - decoder: the JSON decoder.
    /// - Returns: the value, or an error with the whole event.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> Either<EventDecodingError, Value> {
        let payload = Data(data.utf8)
        do {
            return .right(try decoder.value(type, from: payload))
        } catch {
            let reason = DecodingError.text(of: error, in: payload, calling: "the data")
            return .left(EventDecodingError(event: self, debugInfo: reason))
        }
    }
}

/// The error of an event whose data can't be decoded.
public struct EventDecodingError: Error, Hashable, Sendable {
    /// The whole event.
    public var event: ServerSentEvent

    /// A description of the error and its position, for developers.
    public var debugInfo: String
}

extension EventDecodingError: CustomStringConvertible {
    /// A description on one line, without the data, with credentials redacted.
    public var description: String { "\(Redaction.standard.shown(text: debugInfo)) (\(event))" }
}

extension ServerSentEvent: Hashable, ComparedByKey {
    /// The properties of an event, whose texts are compared byte by byte.
    package struct ComparedKey: Hashable {
        let type, data: ByteEqualString
        let id: ByteEqualString?
        let retry: Duration?
    }

    package var comparedKey: ComparedKey {
        ComparedKey(
            type: ByteEqualString(type),
            data: ByteEqualString(data),
            id: id.map { ByteEqualString($0) },
            retry: retry
        )
    }
}

extension ServerSentEvent: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// Type, ID and size on one line, with credentials redacted, without the data.
    public var description: String {
        let id = id.map { " \(Redaction.standard.shown(text: $0))" } ?? ""
        return "\(Redaction.standard.shown(text: type))\(id), \(data.utf8.count) bytes"
    }
}
