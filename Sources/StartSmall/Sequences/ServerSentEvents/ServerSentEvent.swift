public import Foundation

/// An event of a stream that a server goes on sending (WHATWG HTML 9.2).
///
/// Two values are equal if their texts are, byte by byte.
public struct ServerSentEvent: Sendable {
    /// The type of an event of which the server says none: `message`.
    public static let defaultType = "message"

    /// What kind of event it is.
    public var type: String

    /// What it says: the values of its `data` fields, with LF between them.
    public var data: String

    /// The last id that the stream had given by then: where to go on after this event; nil if there is none.
    public var id: String?

    /// How long clients should wait before they connect again, as the stream had last said by then; nil if it had not.
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
    /// The data read as JSON.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> Either<EventDecodingError, Value> {
        let payload = Data(data.utf8)
        do {
            return .right(try decoder.decode(type, from: payload))
        } catch {
            let reason = DecodingError.text(of: error, in: payload, calling: "the data")
            return .left(EventDecodingError(event: self, debugInfo: reason))
        }
    }
}

/// An event whose data is not what it should be.
public struct EventDecodingError: Error, Hashable, Sendable {
    /// The whole event.
    public var event: ServerSentEvent

    /// What is wrong, and where, for a developer to read.
    public var debugInfo: String

    /// Creates a failure.
    public init(event: ServerSentEvent, debugInfo: String) {
        self.event = event
        self.debugInfo = debugInfo
    }
}

extension EventDecodingError: CustomStringConvertible {
    /// What is wrong, on one line, without the data, credentials redacted.
    public var description: String { "\(Redaction.standard.shown(text: debugInfo)) (\(event))" }
}

extension ServerSentEvent: Hashable {
    /// Whether both say the same, byte by byte.
    public static func == (left: ServerSentEvent, right: ServerSentEvent) -> Bool {
        left.texts == right.texts && left.retry == right.retry
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(texts)
        hasher.combine(retry)
    }

    private var texts: [ByteEqualString?] {
        [ByteEqualString(type), ByteEqualString(data), id.map { ByteEqualString($0) }]
    }
}

extension ServerSentEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Type, id and size on one line, credentials redacted, without the data.
    public var description: String {
        let id = id.map { " \(Redaction.standard.shown(text: $0))" } ?? ""
        return "\(Redaction.standard.shown(text: type))\(id), \(data.utf8.count) bytes"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}
