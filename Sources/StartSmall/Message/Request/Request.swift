public import Foundation

/// What goes into an API call.
public typealias Input = Request

/// A request as a plain value: all that is known of an API call before it is made.
///
/// Nothing is checked here: whatever could break a message is found by ``ValidatedRequest`` before anything is sent.
public struct Request: Hashable, Sendable {
    /// Where the request goes; an engine needs a scheme (`http` or `https`) and a host.
    public var url: URL

    /// Query items, which come after those that the URL itself has.
    public var queries: [URLQueryItem]

    /// Header fields; engines add only what HTTP demands and what is not here.
    public var headers: HTTPHeaders

    /// The method, and the payload if it carries one.
    public var methodAndPayload: HTTPMethodAndPayload

    /// Where the payload of a successful response goes.
    public var destination: Destination

    /// The most bytes of payload to take into memory, after decompression; nil for no limit, and below 0 the
    /// same as 0.
    ///
    /// Set by ``Wrapper/limitPayload(bytes:)``, and obeyed by the engines while the payload arrives.
    public var payloadLimit: Int?

    /// Lists of media types, of each of which a payload has to be one to become a file.
    ///
    /// Set by ``Endpoint/expecting(_:)``, so that nothing else takes the place of a good file.
    var fileTypes: [[MediaType]] = []

    /// Creates a request.
    public init(
        url: URL,
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        methodAndPayload: HTTPMethodAndPayload = .get,
        destination: Destination = .memory
    ) {
        self.url = url
        self.queries = queries
        self.headers = headers
        self.methodAndPayload = methodAndPayload
        self.destination = destination
    }
}

extension Request {
    /// The same, changed: `input.with { $0.headers.set("Accept", to: "text/csv") }`.
    public func with(_ change: (inout Request) -> Void) -> Request {
        var request = self
        change(&request)
        return request
    }

    /// Whether the payload of this response becomes a file, over whatever was there.
    func hasFile(of response: Response) -> Bool {
        guard destination.isFile, response.statusCode.isSuccess else { return false }
        return response.isNothing(ofFile: true)
            || fileTypes.allSatisfy { response.rejectionReason(expecting: $0) == nil }
    }

    /// The payload of the media type that is sent, which the headers' `Content-Type` says, if there is one.
    package var sentPayload: Payload? {
        methodAndPayload.payload.map { Payload($0.content, mediaType: headers.contentType ?? $0.mediaType) }
    }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request on one line, credentials redacted.
    public var description: String {
        description(redacting: .standard)
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the parts, credentials redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": Redaction.standard.shown(url: url.absoluteString),
                "queries": queries.map { URLQueryItem(name: $0.name, value: $0.value.map(shown(of: $0.name))) },
                "headers": headers,
                "methodAndPayload": methodAndPayload,
                "destination": destination,
                "payloadLimit": payloadLimit as Any,
                "fileTypes": fileTypes,
            ]
        )
    }

    private func shown(of name: String) -> (String) -> String {
        { Redaction.standard.shown($0, of: name) }
    }

    /// The request on one line, hiding what `redaction` says.
    public func description(redacting redaction: Redaction) -> String {
        let target = redaction.shown(url: URIEncoding.appending(queries, to: url.absoluteString))
        let fields = headers.fields.isEmpty ? "" : " \(headers.description(redacting: redaction))"
        let payload = methodAndPayload.payload.map { ", \($0)" } ?? ""
        return "\(redaction.shown(text: methodAndPayload.method)) \(target)\(fields)\(payload)"
    }
}
