public import Foundation
public import StartSmall

/// A request and its response in a ``Cassette``.
public struct Exchange: Hashable, Sendable {
    /// The request, with all query items in the URL, and the payload in memory.
    public var input: Input

    /// The response; for a call that ended without one, the part that had arrived, or a response of the status 0.
    public var response: Response

    /// The error of a call that ended without a response; nil if there was one.
    public var failure: RecordedFailure?

    /// The time of the recording.
    public var recorded: Date

    /// The digest of the request's payload, if the payload is over the limit and omitted from `input`.
    public var inputDigest: PayloadDigest?

    /// The digest of the response's payload, if the payload is over the limit and omitted from `response`.
    public var responseDigest: PayloadDigest?

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - input: the request, with the payload in memory.
    ///   - response: the response, or the part of it that had arrived.
    ///   - failure: the error of a call that ended without a response; nil if there was one.
    ///   - recorded: the time of the recording.
    ///   - inputDigest: the digest of the request's payload, if the payload is over the limit.
    ///   - responseDigest: the digest of the response's payload, if the payload is over the limit.
    public init(
        input: Input,
        response: Response,
        failure: RecordedFailure? = nil,
        recorded: Date,
        inputDigest: PayloadDigest? = nil,
        responseDigest: PayloadDigest? = nil
    ) {
        self.input = input
        self.response = response
        self.failure = failure
        self.recorded = recorded
        self.inputDigest = inputDigest
        self.responseDigest = responseDigest
    }
}

extension Input {
    /// Returns the recorded form of an input, which contains only its transferred parts.
    ///
    /// All query items are in the URL, and the payload is in memory. A multipart form always has the same boundary, so
    /// that the same form has the same bytes; a field with the boundary is changed accordingly. A payload with a stream
    /// stays as it is, and is written without its bytes.
    ///
    /// - Throws: `ConnectionError.malformedPayload` if a file of the payload can't be read.
    func asRecorded() throws(ConnectionError) -> Input {
        let text = URIEncoding.appending(queries, to: url.absoluteString)
        let target = String(text.prefix { $0 != "#" })
        guard let url = URL(string: target) else {
            throw .malformedURL(debugInfo: Redaction.standard.shown(url: text))
        }
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
}

extension Payload {
    /// The boundary between the parts of a form, unless a part contains it.
    static let recordedBoundary = "StartSmallCassette"

    /// Returns the payload with all bytes in memory, and the boundary that was replaced in them, if any.
    fileprivate func inMemory() throws(ConnectionError) -> (payload: Payload, replaced: String?) {
        if content.hasStream { return (self, nil) }
        let asIs = { () throws(ConnectionError) in Payload(.data(try content.bytes()), mediaType: mediaType) }
        guard case .multipart(var form) = content, form.boundary != Self.recordedBoundary else {
            return (try asIs(), nil)
        }
        let original = form.boundary
        form.boundary = Self.recordedBoundary
        guard let bytes = try? Content.multipart(form).bytes() else { return (try asIs(), nil) }
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
    var hasStream: Bool {
        switch self {
        case .data, .file: false
        case .multipart(let form): form.parts.contains { if case .stream = $0.content { true } else { false } }
        case .stream: true
        }
    }

    /// Returns all bytes, including those of files.
    func bytes() throws(ConnectionError) -> Data {
        var reader = try PayloadSource(self).reader()
        var bytes = Data()
        while let next = try reader.next() { bytes += next }
        return bytes
    }
}
