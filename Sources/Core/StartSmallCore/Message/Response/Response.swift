public import StartSmallSupport
public import StartSmallFoundation

/// The response of a server, as a value.
///
/// It is complete, unless it has a ``body``: a payload that is still to be read.
public struct Response: Hashable, Sendable {
    /// The values, as an array of one element.
    ///
    /// A response is copied wherever a call suspends; an array is one reference, and is changed in place while it is the
    /// only one.
    private var storage: [Fields]

    private struct Fields: Hashable, Sendable {
        var statusCode: HTTPStatus
        var headers: HTTPHeaders
        var content: Content
        var trailers: HTTPHeaders
        var redirections: [Redirection]
        var url: URL?
    }

    /// The status, with which the server reports the result of the request.
    public var statusCode: HTTPStatus {
        get { storage[0].statusCode }
        set { storage[0].statusCode = newValue }
    }

    /// The header fields in the order in which they arrived.
    public var headers: HTTPHeaders {
        get { storage[0].headers }
        _modify { yield &storage[0].headers }
    }

    /// The payload, in the form in which it is delivered.
    public var content: Content {
        get { storage[0].content }
        _modify { yield &storage[0].content }
    }

    /// The fields after the payload; their meaning is not the one they would have as header fields (RFC 9110 6.5.1).
    public var trailers: HTTPHeaders {
        get { storage[0].trailers }
        _modify { yield &storage[0].trailers }
    }

    /// The redirections that led to the response, the first one first; empty if there was none.
    public var redirections: [Redirection] {
        get { storage[0].redirections }
        _modify { yield &storage[0].redirections }
    }

    /// The URL whose response this is, as it was called: with its queries, and after redirects the last one.
    ///
    /// Engines set it. It is nil for a response of a stub, for example; ``base(of:)`` is then the URL of the request. It
    /// is in no description, as it may contain credentials.
    public var url: URL? {
        get { storage[0].url }
        set { storage[0].url = newValue }
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - statusCode: the status.
    ///   - headers: the header fields in the order in which they arrived.
    ///   - payload: the bytes of the payload.
    ///   - trailers: the fields after the payload.
    ///   - redirections: the redirections that led to the response, the first one first.
    ///   - url: the URL whose response this is.
    public init(
        statusCode: HTTPStatus,
        headers: HTTPHeaders = [:],
        payload: Data = Data(),
        trailers: HTTPHeaders = [:],
        redirections: [Redirection] = [],
        url: URL? = nil
    ) {
        storage = [
            Fields(
                statusCode: statusCode,
                headers: headers,
                content: .data(payload),
                trailers: trailers,
                redirections: redirections,
                url: url
            )
        ]
    }
}

extension Response {
    /// The forms of a payload.
    public enum Content: Hashable, Sendable {
        /// All bytes, in memory.
        case data(Data)

        /// All bytes, in a file that is not in its place yet (``Delivery/file(_:)``).
        case file(TemporaryFile)

        /// Bytes that are still to be read.
        ///
        /// An engine may return a body if the ``Request/delivery`` is not ``Delivery/memory``, or if the status is no
        /// success. The kit reads the body of a success in the form that the call asks for, and any other one into
        /// memory.
        case body(ResponseBody)

        /// No bytes any more: this number of them was read from a body, or is in the file of ``Delivery/file(_:)``.
        ///
        /// Events, logs and errors have it in place of the body or the file.
        case delivered(bytes: Int)

        /// The number of bytes, wherever they are; nil for a body.
        public var size: Int? {
            switch self {
            case .data(let data): data.count
            case .file(let file): file.size
            case .delivered(let count): count
            case .body: nil
            }
        }
    }

    /// The bytes of the payload in memory, decompressed where the engine does so; empty if they are in a file, still to
    /// be read, or delivered.
    ///
    /// A new value replaces a body or a file, which ends with its last reference.
    public var payload: Data {
        get { if case .data(let data) = content { data } else { Data() } }
        // In place: bytes that are appended must not copy those that are there.
        _modify {
            var data = payload
            content = .data(Data())
            defer { content = .data(data) }
            yield &data
        }
    }

    /// The body that is still to be read; nil for a complete response.
    public var body: ResponseBody? {
        if case .body(let body) = content { body } else { nil }
    }

    /// Whether nothing is to be read or moved any more.
    var isComplete: Bool {
        switch content {
        case .data, .delivered: true
        case .file, .body: false
        }
    }

    /// The status and the header fields alone, as they arrive before the payload.
    public var head: Response {
        var head = self
        (head.content, head.trailers) = (.data(Data()), [:])
        return head
    }

    /// Returns the head with the number of bytes that were read after it, if there were any.
    package func delivering(_ count: Int) -> Response {
        var response = self
        if count > 0, content == .data(Data()) { response.content = .delivered(bytes: count) }
        return response
    }
}

extension Response: CustomStringConvertible, CustomReflectable, RedactedStringConvertible, MirroredByDescription {
    /// Returns the response on one line, without its payload: the request ID first, and few of the header fields.
    package func description(redacting redaction: Redaction) -> String {
        let trail = redirections.map { ", after \($0.description(redacting: redaction))" }.joined()
        return "\(statusCode)\(descriptionOfHead(redacting: redaction)), \(content)\(trail)"
    }
}

extension Response.Content: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The number of bytes, in memory, in a file or delivered, or `a body`.
    public var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let file): "\(file)"
        case .body(let body): "\(body)"
        case .delivered(let count): "\(count) bytes delivered"
        }
    }
}
