public import Foundation

/// A media type as it stands in a `Content-Type` header (RFC 9110 8.3.1).
///
/// Two values are equal if their texts are, byte by byte.
public struct MediaType: Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the header.
    public var rawValue: String

    /// Creates a media type from the text of the header, which is kept as it is.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a media type from the text of the header, which is kept as it is.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The text of the header.
    public var description: String {
        rawValue
    }

    /// `application/json` (RFC 8259 11): always UTF-8, no parameter.
    public static let json: MediaType = "application/json"

    /// `application/problem+json` (RFC 9457 6.1).
    public static let problemJSON: MediaType = "application/problem+json"

    /// `application/x-www-form-urlencoded` (WHATWG URL 5): always UTF-8, no parameter.
    public static let form: MediaType = "application/x-www-form-urlencoded"

    /// `text/event-stream` (WHATWG HTML 9.2): always UTF-8.
    public static let eventStream: MediaType = "text/event-stream"

    /// `application/octet-stream` (RFC 2046 4.5.1): bytes of which nothing is known.
    public static let octetStream: MediaType = "application/octet-stream"

    /// `text/plain; charset=utf-8` (RFC 2046 4.1).
    public static let text: MediaType = "text/plain; charset=utf-8"
}

extension MediaType: Hashable {
    /// Whether both texts are the same, byte by byte.
    public static func == (left: MediaType, right: MediaType) -> Bool {
        left.rawValue.isSame(as: right.rawValue)
    }

    /// Whether the texts are not the same, byte by byte: that of `RawRepresentable` compares them as Swift does.
    public static func != (left: MediaType, right: MediaType) -> Bool {
        !(left == right)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(rawValue))
    }
}

extension MediaType {
    /// What the extension of a file's name says, or ``octetStream`` if it is none of ``byFileExtension``.
    public static func ofFile(at url: URL) -> MediaType {
        byFileExtension[url.pathExtension.lowercased()] ?? .octetStream
    }

    /// The media types of what clients of Web APIs often send, from the IANA registry of media types.
    ///
    /// Where it has none, as of `jsonl`, `tar` and `webm`, or one that nobody sends, as of `wav`, it is what is in use.
    public static let byFileExtension: [String: MediaType] = [
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
