public import StartSmallSupport
public import StartSmallFoundation

/// A media type, as in a `Content-Type` field (RFC 9110 8.3.1).
///
/// Two values are equal if their texts are, byte by byte.
public struct MediaType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the field.
    public var rawValue: String

    /// Creates a media type from the text of the field, which is kept unchanged.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a media type from the text of the field, which is kept unchanged.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The text of the field.
    public var description: String {
        rawValue
    }

    /// `application/json` (RFC 8259 11): always UTF-8, no parameter.
    public static let json: MediaType = "application/json"

    /// `application/problem+json` (RFC 9457 6.1).
    package static let problemJSON: MediaType = "application/problem+json"

    /// `application/x-www-form-urlencoded` (WHATWG URL 5): always UTF-8, no parameter.
    public static let form: MediaType = "application/x-www-form-urlencoded"

    /// `text/event-stream` (WHATWG HTML 9.2): always UTF-8.
    public static let eventStream: MediaType = "text/event-stream"

    /// `application/octet-stream` (RFC 2046 4.5.1): bytes of an unknown type.
    public static let octetStream: MediaType = "application/octet-stream"

    /// `text/plain; charset=utf-8` (RFC 2046 4.1).
    public static let text: MediaType = "text/plain; charset=utf-8"
}

extension HTTPHeaders {
    /// The media type of the payload (RFC 9110 8.3), as it is written; nil if the field is missing.
    public var contentType: MediaType? { self["Content-Type"].map(MediaType.init(rawValue:)) }
}

extension Response {
    /// The media type of the payload (RFC 9110 8.3), as it is written, without parameters that can't be read.
    ///
    /// For `text/html; charset=`, it is `text/html`, and for `text/html; charset="gbk`, it is `text/html; charset=gbk`.
    public var contentType: MediaType? { headers.contentType?.readable }
}

extension MediaType: Hashable, ComparedByKey {
    package var comparedKey: ByteEqualString { ByteEqualString(rawValue) }
}

extension MediaType {
    /// Returns the type of a file's extension, or ``octetStream`` if the extension is not a known one.
    ///
    /// Known are the extensions of files that clients of Web APIs often send. Their types are from the IANA registry of
    /// media types, or in common use.
    public static func ofFile(at url: URL) -> MediaType {
        byFileExtension[url.pathExtension.lowercased()] ?? .octetStream
    }

    /// The media types of files that clients of Web APIs often send, by extension.
    ///
    /// The types are from the IANA registry of media types. If the registry has no type, as for `jsonl`, `tar` and
    /// `webm`, or one that nobody sends, as for `wav`, the value is the type in common use.
    private static let byFileExtension: [String: MediaType] = [
        "avif": "image/avif", "bmp": "image/bmp", "css": "text/css", "csv": "text/csv",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "gif": "image/gif",
        "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
        "ico": "image/vnd.microsoft.icon", "ics": "text/calendar", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": .json, "jsonl": "application/jsonl", "md": "text/markdown",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg", "pdf": "application/pdf",
        "png": "image/png", "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff", "tiff": "image/tiff",
        "tsv": "text/tab-separated-values", "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm",
        "webp": "image/webp", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
    ]
}
