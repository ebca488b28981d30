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

extension Payload.Content {
    /// The bytes, read into memory.
    ///
    /// - Throws: ``ConnectionError/malformedPayload(debugInfo:)`` if a file can't be read or a form can't be written.
    func bytes() throws(ConnectionError) -> Data {
        switch self {
        case .data(let data): data
        case .file(let url): try Self.contents(of: url)
        case .multipart(let form): try form.bytes()
        }
    }

    /// The bytes of a regular file: reading a device or a pipe may never end.
    private static func contents(of url: URL) throws(ConnectionError) -> Data {
        func malformed(_ reason: String) -> ConnectionError {
            .malformedPayload(debugInfo: "\(reason): \(Redaction.standard.shown(url: url.absoluteString))")
        }
        guard url.isFileURL else { throw malformed("not a file URL") }
        let path = url.resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw malformed("no such file, or one out of reach")
        }
        let type = attributes[.type] as? FileAttributeType
        guard type == .typeRegular else {
            throw malformed(type == .typeDirectory ? "a folder, not a file" : "neither a file nor a link to one")
        }
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch { throw malformed("unreadable, \(error)") }
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

    /// A value as JSON.
    ///
    /// Left with ``ConnectionError/malformedPayload(debugInfo:)`` if the value can't be encoded.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> Self {
        do {
            return .data(try encoder.encode(value), mediaType: .json)
        } catch EncodingError.invalidValue(_, let context) {
            // Not the error as a whole: it shows the value, and with it whatever credential it may hold.
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return .left(.malformedPayload(debugInfo: "\(context.debugDescription) Path: \(path.isEmpty ? "/" : path)"))
        } catch {
            return .left(.malformedPayload(debugInfo: "\(error)"))
        }
    }

    /// Names and values as a browser sends a form, `application/x-www-form-urlencoded`; a nil value is an empty one.
    public static func form(_ items: [URLQueryItem]) -> Self {
        .text(FormEncoding.encoded(items), mediaType: .form)
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
