public import StartSmallSupport
public import StartSmallFoundation

/// The input of an API call: a ``Request``.
public typealias Input = Request

/// A request as a plain value: everything that is known of an API call before it is made.
///
/// Nothing is checked here: `ValidatedRequest` finds anything that could break a message, before anything is sent.
public struct Request: Hashable, Sendable {
    /// The URL of the request; an engine needs a scheme (`http` or `https`) and a host.
    public var url: URL

    /// The query items, which follow those that the URL itself has.
    public var queries: [URLQueryItem]

    /// The header fields; engines add only fields that HTTP requires and that are missing here.
    public var headers: HTTPHeaders

    /// The method, and the payload if there is one.
    public var methodAndPayload: HTTPMethodAndPayload

    /// The form in which the payload of a successful response is delivered.
    public var delivery: Delivery

    /// The maximum number of payload bytes to take into memory, after decompression; nil for no limit.
    ///
    /// A value below 0 means 0. Set by ``Wrapper/limitPayload(bytes:)``, and enforced by the engines while the payload
    /// arrives.
    public var payloadLimit: Int?

    /// The options that the caller chose for this request; wrappers read them, and none is sent.
    public var options = RequestOptions()

    /// Creates a request.
    public init(
        url: URL,
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        methodAndPayload: HTTPMethodAndPayload = .get,
        delivery: Delivery = .memory
    ) {
        self.url = url
        self.queries = queries
        self.headers = headers
        self.methodAndPayload = methodAndPayload
        self.delivery = delivery
    }
}

extension Request {
    /// Returns a changed copy: `input.with { $0.headers["Accept"] = "text/csv" }`.
    public func with(_ change: (inout Request) -> Void) -> Request {
        var request = self
        change(&request)
        return request
    }

    /// Returns the values of the query items with a name, those in the URL first; an item without a value has an empty one.
    ///
    /// A fake server reads them so: those of a template are in the URL, and those of a wrapper in ``queries``.
    public func queryValues(of name: String) -> [String] {
        let inURL = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return (inURL + queries).filter { $0.name == name }.map { $0.value ?? "" }
    }

    /// The payload with the media type that is sent, which is that of the headers' `Content-Type` if there is one.
    public var sentPayload: Payload? {
        methodAndPayload.payload.map { Payload($0.content, mediaType: headers.contentType ?? $0.mediaType) }
    }
}

extension Request: CustomStringConvertible, CustomReflectable, RedactedStringConvertible, MirroredByDescription {
    /// Returns the request on one line, without the values that `redaction` hides.
    package func description(redacting redaction: Redaction) -> String {
        let target = redaction.shown(url: URIEncoding.appending(queries, to: url.absoluteString))
        let fields = headers.fields.isEmpty ? "" : " \(headers.description(redacting: redaction))"
        let payload = methodAndPayload.payload.map { ", \($0)" } ?? ""
        let names = options.description
        let choices = names.isEmpty ? "" : ", options: \(names)"
        return "\(redaction.shown(text: methodAndPayload.method)) \(target)\(fields)\(payload)\(choices)"
    }
}
