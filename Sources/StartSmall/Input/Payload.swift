public import Foundation

/// What a request carries: its content, and what kind of content that is.
public struct Payload: Hashable, Sendable {
    /// Where the bytes come from.
    public enum Content: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)
    }

    /// Where the bytes come from.
    public var content: Content

    /// What goes into `Content-Type`, unless the request's headers have one; nil for no such header.
    public var mediaType: MediaType?

    /// Creates a payload.
    public init(_ content: Content, mediaType: MediaType?) {
        self.content = content
        self.mediaType = mediaType
    }
}

extension Payload: CustomStringConvertible {
    /// The size and the media type; never the content.
    public var description: String {
        let size =
            switch content {
            case .data(let data): "\(data.count) bytes"
            }
        return mediaType.map { "\(size) of \($0)" } ?? size
    }
}

/// Payloads by leading dot, as the builders take them: `.post("…", payload: .json(article))`.
extension Either where Left == ConnectionError, Right == Payload {
    /// Bytes, of which nothing is known unless `mediaType` says what they are.
    public static func data(_ data: Data, mediaType: MediaType? = .octetStream) -> Self {
        .right(Payload(.data(data), mediaType: mediaType))
    }

    /// A text in UTF-8.
    public static func text(_ text: String, mediaType: MediaType? = .text) -> Self {
        .data(Data(text.utf8), mediaType: mediaType)
    }

    /// A value as JSON.
    ///
    /// Left with ``ConnectionError/malformedPayload(debugInfo:)`` if the value can't be encoded.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> Self {
        do {
            return .data(try encoder.encode(value), mediaType: .json)
        } catch {
            return .left(.malformedPayload(debugInfo: "\(error)"))
        }
    }
}
