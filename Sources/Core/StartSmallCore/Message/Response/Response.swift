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
        var called = EffectiveURL()
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

    /// The URL that was called, if it differs from the URL of the input.
    package var called: EffectiveURL {
        get { storage[0].called }
        _modify { yield &storage[0].called }
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - statusCode: the status.
    ///   - headers: the header fields in the order in which they arrived.
    ///   - payload: the bytes of the payload.
    ///   - trailers: the fields after the payload.
    ///   - redirections: the redirections that led to the response, the first one first.
    public init(
        statusCode: HTTPStatus,
        headers: HTTPHeaders = [:],
        payload: Data = Data(),
        trailers: HTTPHeaders = [:],
        redirections: [Redirection] = []
    ) {
        storage = [
            Fields(
                statusCode: statusCode,
                headers: headers,
                content: .data(payload),
                trailers: trailers,
                redirections: redirections
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
        /// An engine may return a body if the ``Request/delivery`` is not ``Delivery/memory``. The kit reads the
        /// body of a success in the form that the call asks for, and any other one into memory.
        case body(ResponseBody)
    }

    /// The bytes of the payload in memory, decompressed where the engine does so; empty if they are in a file, or still
    /// to be read.
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

    var isInMemory: Bool {
        if case .data = content { true } else { false }
    }

    /// The status and the header fields alone, as they arrive before the payload.
    package var head: Response {
        var head = self
        (head.content, head.trailers) = (.data(Data()), [:])
        return head
    }
}

extension Response: CustomStringConvertible, CustomReflectable, RedactedStringConvertible, MirroredByDescription {
    /// Returns the response on one line, without its payload.
    public func description(redacting redaction: Redaction) -> String {
        let fields = headers.fields.isEmpty ? "" : " \(headers.description(redacting: redaction))"
        let trail = redirections.map { ", after \($0.description(redacting: redaction))" }.joined()
        return "\(statusCode)\(fields), \(payloadSize)\(trail)"
    }

    /// The size of the payload in memory, or else of the one that was read, or that a file received.
    private var payloadSize: String {
        let isDelivered = content == .data(Data()) && called.deliveredBytes > 0
        return isDelivered ? "\(called.deliveredBytes) bytes delivered" : "\(content)"
    }
}

extension Response.Content: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The number of bytes, in memory or in a file, or `a body`.
    public var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let file): "\(file)"
        case .body(let body): "\(body)"
        }
    }
}
