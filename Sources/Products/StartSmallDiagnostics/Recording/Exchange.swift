public import StartSmallCore
import StartSmallForms
import StartSmallSupport
import StartSmallEngines
public import StartSmallFoundation

/// A request and its response, as a cassette or a HAR has them.
public struct Exchange: Hashable, Sendable {
    /// The request, with all query items in the URL, and the payload in memory.
    public var input: Input

    /// The response; for a call that ended without one, the part that had arrived, or a response of the status 0.
    public var response: Response

    /// The sizes in bytes of the parts in which the payload of a stream arrived; empty for a whole payload.
    public var chunks: [Int]

    /// The error of a call that ended without a response; nil if there was one.
    public var failure: RecordedFailure?

    /// The time of the recording.
    public var recorded: Date

    /// The type and size of the request's payload, and the reason why `input` has no bytes of it; nil if it has.
    public var omittedInput: String?

    /// The type and size of the response's payload, and the reason why `response` has no bytes of it; nil if it has.
    public var omittedResponse: String?

    /// Creates an exchange.
    public init(
        input: Input,
        response: Response,
        chunks: [Int] = [],
        failure: RecordedFailure? = nil,
        recorded: Date,
        omittedInput: String? = nil,
        omittedResponse: String? = nil
    ) {
        self.input = input
        self.response = response
        // A cassette has the URL of the request, without secrets, and the redirections.
        self.response.url = nil
        if case .delivered = response.content { self.response.payload = Data() }
        self.chunks = chunks
        self.failure = failure
        self.recorded = recorded
        self.omittedInput = omittedInput
        self.omittedResponse = omittedResponse
    }
}

extension Exchange {
    /// The response of a call to which not even a head arrived.
    package static let nothing = Response(statusCode: .from(code: 0))

    /// The part of the response that arrived; nil if not even its head did.
    package var arrived: Response? { response.statusCode.code == 0 ? nil : response }
}

extension Input {
    /// Returns the recorded form of an input, which contains only its transferred parts.
    ///
    /// All query items are in the URL, and the payload is in memory. A multipart form always has the same boundary, so
    /// that the same form has the same bytes; a field with the boundary is changed accordingly. A payload with a stream
    /// stays as it is, and is written without its bytes.
    ///
    /// - Throws: `ConnectionError.malformedPayload` if a file of the payload can't be read.
    package func asRecorded() throws(ConnectionError) -> Input {
        let url = try recordedURL()
        let recorded = try methodAndPayload.payload?.inMemory()
        var headers = headers
        if let boundary = recorded?.replaced, let type = headers.contentType?.replacing(boundary: boundary) {
            headers["Content-Type"] = type.rawValue
        }
        return Input(
            url: url,
            headers: headers,
            methodAndPayload: HTTPMethodAndPayload(method: methodAndPayload.method, payload: recorded?.payload)
        )
    }

    /// Returns the URL with all query items, and without a fragment.
    package func recordedURL() throws(ConnectionError) -> URL {
        let text = URIEncoding.appending(queries, to: url.absoluteString)
        let target = String(text.prefix { $0 != "#" })
        guard let url = URL(string: target) else {
            throw .malformedURL(debugInfo: Redaction.standard.shown(url: text))
        }
        return url
    }
}

extension Payload {
    /// The boundary between the parts of a form, unless a part contains it.
    package static let recordedBoundary = "StartSmallCassette"

    /// Returns the payload with all bytes in memory, and the boundary that was replaced in them, if any.
    fileprivate func inMemory() throws(ConnectionError) -> (payload: Payload, replaced: String?) {
        if content.hasStream { return (self, nil) }
        let asIs = { () throws(ConnectionError) in Payload(.data(try content.allBytes()), mediaType: mediaType) }
        guard var form = content.multipartForm, form.boundary != Self.recordedBoundary else {
            return (try asIs(), nil)
        }
        let original = form.boundary
        form.boundary = Self.recordedBoundary
        guard let bytes = try? Content.multipart(form).allBytes() else { return (try asIs(), nil) }
        return (Payload(.data(bytes), mediaType: mediaType?.replacing(boundary: original) ?? mediaType), original)
    }
}

extension MediaType {
    /// Returns the media type with the recorded boundary; nil if its boundary is another one.
    fileprivate func replacing(boundary: String) -> MediaType? {
        guard let named = parameter("boundary"), named.isSame(as: boundary) else { return nil }
        return setting("boundary", to: Payload.recordedBoundary)
    }
}

extension Payload.Content {
    /// Whether some of the bytes are produced while they are sent.
    package var hasStream: Bool {
        switch self {
        case .data, .file: false
        case .assembled(let assembly): !assembly.value.streams.isEmpty
        case .stream: true
        }
    }

    /// Returns all bytes, including those of files.
    package func allBytes() throws(ConnectionError) -> Data {
        var reader = try PayloadSource(self).reader()
        var bytes = Data()
        while let next = try reader.next() { bytes += next }
        return bytes
    }
}
