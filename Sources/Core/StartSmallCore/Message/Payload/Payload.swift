public import StartSmallSupport
public import StartSmallFoundation

/// The payload of a request: its content and its media type.
public struct Payload: Hashable, Sendable {
    /// The source of the bytes.
    public enum Content: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)

        // In a box, as in `Delivery`.
        /// The bytes that a file contains when the request is sent.
        indirect case file(URL)

        /// Several pieces, such as the parts of a form: see ``multipart(_:)``.
        case assembled(Assembly)

        /// Bytes that are produced while they are sent.
        case stream(PayloadStream)
    }

    /// The source of the bytes.
    public var content: Content

    /// The value of `Content-Type`, unless the request's headers have one; nil for no such field.
    public var mediaType: MediaType?

    /// Creates a payload.
    public init(_ content: Content, mediaType: MediaType?) {
        self.content = content
        self.mediaType = mediaType
    }
}

extension Payload {
    /// Whether the payload can be sent now: false only if it can be produced only once, and an attempt has begun to.
    ///
    /// A wrapper that sends a request more than once checks this property before each further attempt.
    ///
    /// - SeeAlso: ``PayloadStream/isReplayable``
    public var isAvailable: Bool { streams.allSatisfy(\.isAvailable) }

    /// Whether the payload can be produced more than once, so that two requests may send it at a time.
    public var isReplayable: Bool { streams.allSatisfy(\.isReplayable) }

    private var streams: [PayloadStream] {
        switch content {
        case .data, .file: []
        case .stream(let stream): [stream]
        case .assembled(let assembly): assembly.value.streams
        }
    }
}

extension Payload: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The size and the media type; never the content.
    public var description: String {
        let size =
            switch content {
            case .data(let data): "\(data.count) bytes"
            case .file(let url): Redaction.standard.shown(url: url.absoluteString)
            case .assembled(let assembly): "\(assembly)"
            case .stream(let stream): "\(stream)"
            }
        return mediaType.map { "\(size) of \($0.rawValue.onOneLine)" } ?? size
    }
}

/// Payloads by leading dot, as the builders take them: `.post("…", payload: .json(article))`.
extension Either where Left == ConnectionError, Right == Payload {
    /// Creates a payload of bytes, whose type is unknown unless `mediaType` states it.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - mediaType: the value of `Content-Type`; nil for no such field.
    public static func data(_ data: Data, mediaType: MediaType? = .octetStream) -> Self {
        .right(Payload(.data(data), mediaType: mediaType))
    }

    /// Creates a payload of text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - mediaType: the value of `Content-Type`; nil for no such field.
    public static func text(_ text: String, mediaType: MediaType? = .text) -> Self {
        .data(Data(text.utf8), mediaType: mediaType)
    }

    /// Creates a payload of text in another encoding, named in its media type: `text/plain; charset=iso-8859-1`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - encoding: the encoding of the bytes.
    ///   - mediaType: the value of `Content-Type`, to which `charset` is added.
    /// - Returns: the payload; ``ConnectionError/malformedPayload(debugInfo:)`` on the left if the encoding can't
    ///   represent a character, has no charset name, or is unknown to the C library on Linux.
    public static func text(_ text: String, encoding: String.Encoding, mediaType: MediaType = "text/plain") -> Self {
        guard let name = Charset.name(encoding) else {
            return .left(.malformedPayload(debugInfo: "no charset name for the encoding: \(encoding)"))
        }
        do {
            guard let data = try Charset.data(text, in: encoding) else {
                return .left(.malformedPayload(debugInfo: "a character that \(name) can't represent"))
            }
            return .data(data, mediaType: mediaType.setting("charset", to: name))
        } catch {
            return .left(.malformedPayload(debugInfo: "\(error)"))
        }
    }

    /// Creates a payload of a value as JSON.
    ///
    /// - Parameters:
    ///   - value: the value to encode.
    ///   - encoder: the encoder; with `.sortingKeys`, the same value always has the same bytes.
    ///   - mediaType: the value of `Content-Type`, such as `application/merge-patch+json` (RFC 7396 4); nil for no such
    ///     field.
    /// - Returns: the payload; ``ConnectionError/malformedPayload(debugInfo:)``, with the coding path, on the left if
    ///   the value can't be encoded.
    public static func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder(),
        mediaType: MediaType? = .json
    ) -> Self {
        do {
            return .data(try encoder.encode(value), mediaType: mediaType)
        } catch {
            return .left(.malformedPayload(debugInfo: EncodingError.text(of: error)))
        }
    }

    /// Creates a payload of names and values as `application/x-www-form-urlencoded` (WHATWG URL 5.2).
    ///
    /// Line ends stay unchanged, while a browser converts each to CR LF before it sends a form.
    ///
    /// - Parameter fields: the names and values, as in `["grant_type": "refresh_token"]`; nil is sent as an empty value.
    public static func form(_ fields: Queries) -> Self {
        .text(FormEncoding.encoded(fields.items), mediaType: .form)
    }

    /// Creates a payload of the bytes of a file, which is read when the request is sent.
    ///
    /// - Parameters:
    ///   - url: the URL of the file.
    ///   - mediaType: the value of `Content-Type`; nil for the type of the file's extension. For no such field, use
    ///     `.right(Payload(.file(url), mediaType: nil))`.
    public static func file(_ url: URL, mediaType: MediaType? = nil) -> Self {
        .right(Payload(.file(url), mediaType: mediaType ?? .ofFile(at: url)))
    }

    /// Creates a payload of the chunks of an asynchronous sequence, which the engine asks for while it sends them.
    ///
    /// - Parameters:
    ///   - mediaType: the value of `Content-Type`; nil for no such field.
    ///   - length: the number of bytes, sent as `Content-Length`; nil if it is not known.
    ///   - replayable: whether `chunks` may be called more than once, and returns the same bytes each time; if not, the
    ///     payload is never sent twice.
    ///   - chunks: returns the sequence; called anew for each attempt, in a task of its own.
    /// - Returns: the payload; ``ConnectionError/malformedPayload(debugInfo:)`` on the left if the length is negative.
    /// - SeeAlso: ``PayloadStream``
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        _ mediaType: MediaType? = .octetStream,
        length: Int? = nil,
        replayable: Bool = true,
        chunks: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element == Data {
        .stream(PayloadStream(length: length, replayable: replayable, chunks: chunks), mediaType)
    }

    /// Creates a payload of the bytes that `body` writes while they are sent, in a task of its own for each attempt.
    ///
    /// - Returns: the payload; ``ConnectionError/malformedPayload(debugInfo:)`` on the left if the length is negative.
    /// - SeeAlso: ``stream(_:length:replayable:chunks:)``
    public static func writer(
        _ mediaType: MediaType? = .octetStream,
        length: Int? = nil,
        replayable: Bool = true,
        writing body: @escaping @Sendable (PayloadWriter) async throws -> Void
    ) -> Self {
        .stream(PayloadStream(length: length, replayable: replayable, writing: body), mediaType)
    }

    private static func stream(_ stream: PayloadStream, _ mediaType: MediaType?) -> Self {
        Either { () throws(ConnectionError) in
            try stream.check()
            return Payload(.stream(stream), mediaType: mediaType)
        }
    }
}

extension JSONEncoder {
    /// A new encoder that sorts the members of each object, so that the same value always has the same bytes.
    public static var sortingKeys: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
