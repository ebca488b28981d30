public import Foundation

/// What a request carries: its content, and what kind of content that is.
public struct Payload: Hashable, Sendable {
    /// Where the bytes come from.
    public enum Content: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)

        /// The bytes that a file holds when the request is sent.
        case file(URL)

        /// A form of several parts.
        case multipart(MultipartForm)
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

extension Payload: CustomStringConvertible, CustomReflectable {
    /// The size and the media type; never the content.
    public var description: String {
        let size =
            switch content {
            case .data(let data): "\(data.count) bytes"
            case .file(let url): Redaction.standard.shown(url: url.absoluteString)
            case .multipart(let form): "\(form)"
            }
        return mediaType.map { "\(size) of \($0.rawValue.onOneLine)" } ?? size
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["payload": description])
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

    /// A text in another encoding, whose name the media type says: `text/plain; charset=iso-8859-1`.
    ///
    /// Left with ``ConnectionError/malformedPayload(debugInfo:)`` if the encoding has no room for a character, or has no
    /// name in ``Charset``.
    public static func text(_ text: String, encoding: String.Encoding, mediaType: MediaType = "text/plain") -> Self {
        guard let name = Charset.name(encoding) else {
            return .left(.malformedPayload(debugInfo: "no name for a charset: \(encoding)"))
        }
        guard let data = Charset.data(text, in: encoding) else {
            return .left(.malformedPayload(debugInfo: "a character that \(name) has no room for"))
        }
        return .data(data, mediaType: mediaType.setting("charset", to: name))
    }

    /// A value as JSON.
    ///
    /// An encoder of one's own says how; `.sortingKeys` gives the same bytes for the same value.
    /// Left with ``ConnectionError/malformedPayload(debugInfo:)``, and the coding path, if the value can't be encoded.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> Self {
        do {
            return .data(try encoder.encode(value), mediaType: .json)
        } catch {
            return .left(.malformedPayload(debugInfo: EncodingError.text(of: error)))
        }
    }

    /// Names and values as `application/x-www-form-urlencoded` (WHATWG URL 5.2); a nil value is an empty one.
    ///
    /// Line ends stay as they are, where a browser makes each CR LF before it sends a form.
    public static func form(_ items: [URLQueryItem]) -> Self {
        .text(FormEncoding.encoded(items), mediaType: .form)
    }

    /// A value as `application/x-www-form-urlencoded`: its query items, with a space as `+`.
    ///
    /// Left with ``ConnectionError/malformedPayload(debugInfo:)``, and the coding path, if the value can't be encoded.
    public static func form(_ value: some Encodable, encoder: QueryEncoder = QueryEncoder()) -> Self {
        do throws(QueryEncoder.Failure) {
            return .form(try encoder.items(of: value))
        } catch {
            return .left(.malformedPayload(debugInfo: "\(error)"))
        }
    }

    /// The bytes of a file, of the media type that its name's extension says.
    public static func file(_ url: URL) -> Self {
        .file(url, mediaType: .ofFile(at: url))
    }

    /// The bytes of a file, which is read when the request is sent.
    public static func file(_ url: URL, mediaType: MediaType?) -> Self {
        .right(Payload(.file(url), mediaType: mediaType))
    }

    /// A form of several parts; its files are read when the request is sent.
    ///
    /// Left with ``ConnectionError/malformedPayload(debugInfo:)`` if its boundary or a header of a part is illegal.
    public static func multipart(_ form: MultipartForm) -> Self {
        Either { () throws(ConnectionError) in
            try form.check()
            return Payload(.multipart(form), mediaType: form.mediaType)
        }
    }
}

extension JSONEncoder {
    /// A new encoder that sorts the members of each object, so that one value always gives the same bytes.
    public static var sortingKeys: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
