public import Foundation
public import StartSmall

/// A request and the response to it, as a ``Cassette`` keeps them.
public struct Exchange: Hashable, Sendable {
    /// What was asked: all query items in the URL, and the payload in memory.
    public var input: Input

    /// What was answered.
    public var response: Response

    /// When it was recorded.
    public var recorded: Date

    /// The digest of the request's payload if that is too long for a cassette, and empty here.
    public var inputDigest: PayloadDigest?

    /// The digest of the response's payload if that is too long for a cassette, and empty here.
    public var responseDigest: PayloadDigest?

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - input: what was asked, with the payload in memory.
    ///   - response: what was answered.
    ///   - recorded: when it was recorded.
    ///   - inputDigest: what is kept of a request's payload that is too long.
    ///   - responseDigest: what is kept of a response's payload that is too long.
    public init(
        input: Input,
        response: Response,
        recorded: Date,
        inputDigest: PayloadDigest? = nil,
        responseDigest: PayloadDigest? = nil
    ) {
        self.input = input
        self.response = response
        self.recorded = recorded
        self.inputDigest = inputDigest
        self.responseDigest = responseDigest
    }
}

extension Input {
    /// What of an input is kept: what goes over the wire, with all query items in the URL and the payload in memory.
    ///
    /// A form of several parts has always the same boundary, so that the same form has the same bytes; a field that names the
    /// boundary names that one.
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
    /// What stands between the parts of a form, unless a part holds it.
    static let recordedBoundary = "StartSmallCassette"

    /// The same with all bytes in memory, and the boundary that was replaced in them, if one was.
    fileprivate func inMemory() throws(ConnectionError) -> (payload: Payload, replaced: String?) {
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
    /// The same with the boundary that is recorded; nil if it does not name this one.
    fileprivate func replacing(boundary: String) -> MediaType? {
        guard let named = parameter("boundary"), named.isSame(as: boundary) else { return nil }
        return setting("boundary", to: Payload.recordedBoundary)
    }
}

extension Payload.Content {
    /// All bytes, those of files too.
    func bytes() throws(ConnectionError) -> Data {
        var reader = try PayloadSource(self).reader()
        var bytes = Data()
        while let next = try reader.next() { bytes += next }
        return bytes
    }
}
