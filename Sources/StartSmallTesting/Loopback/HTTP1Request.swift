import Foundation
import StartSmall

/// A request in the form of an HTTP/1 message (RFC 9112 2.1).
struct HTTP1Request: Hashable, Sendable {
    var method: String
    var target: String

    /// The digit after `HTTP/1.`.
    var minorVersion = 1

    var headers = HTTPHeaders()
    var body = Data()

    /// The fields after a chunked body (RFC 9112 7.1.2).
    var trailers = HTTPHeaders()

    /// A request before parsing.
    static let empty = HTTP1Request(method: "", target: "")
}

extension HTTP1Request {
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 10.1.1).
    var expectsContinue: Bool {
        minorVersion >= 1 && headers.tokens(of: "Expect").contains("100-continue")
    }

    /// Whether the connection ends with the response (RFC 9112 9.3); HTTP/1.0 is never kept alive here.
    var wantsClose: Bool {
        minorVersion == 0 || headers.tokens(of: "Connection").contains("close")
    }

    /// Returns the request as a connector's input, or nil if its target is not a URL.
    ///
    /// - Parameter origin: the prefix of a target that is a path, such as `http://127.0.0.1:8080`.
    func input(origin: String) -> Input? {
        url(origin: origin).map { url in
            Input(url: url, headers: headers, methodAndPayload: methodAndPayload)
        }
    }

    /// Returns the URL of a target in any of the four forms (RFC 9112 3.2, 3.3).
    private func url(origin: String) -> URL? {
        let text =
            switch target {
            case _ where method == "CONNECT": "http://" + target
            case "*": origin
            case _ where target.hasPrefix("/"): origin + target
            default: target
            }
        let url = URL(string: text, encodingInvalidCharacters: false)
        return url?.scheme == nil || url?.host() == nil ? nil : url
    }

    private var methodAndPayload: HTTPMethodAndPayload {
        HTTPMethodAndPayload(method: method, payload: payload)
    }

    /// The payload; nil without a body, unless there is a media type and the method allows a body.
    private var payload: Payload? {
        let mediaType = headers.contentType
        let isAbsent = mediaType == nil || ["GET", "HEAD", "TRACE", "CONNECT"].contains(method)
        return body.isEmpty && isAbsent ? nil : Payload(.data(body), mediaType: mediaType)
    }
}

/// A reason why the connector does not answer a request.
enum HTTP1Refusal: Error, Hashable, Sendable {
    /// The bytes are not HTTP/1.
    case malformed(String)

    /// The request line and the fields are longer than the limit.
    case headTooLarge(limit: Int)

    /// The body is longer than the limit.
    case bodyTooLarge(limit: Int)

    /// The body has another coding than chunked (RFC 9112 6.1).
    case unknownCoding(String)

    /// The version is neither 1.0 nor 1.1, and must not be parsed as one of these (RFC 9110 2.5).
    case unknownVersion(String)
}

extension HTTP1Refusal {
    /// The response to the client.
    var response: Response {
        let (status, text): (HTTPStatus, String) =
            switch self {
            case .malformed(let reason): (.badRequest, reason)
            case .headTooLarge(let limit): (.requestHeaderFieldsTooLarge, "more than \(limit) bytes of head")
            case .bodyTooLarge(let limit): (.contentTooLarge, "more than \(limit) bytes of body")
            case .unknownCoding(let coding): (.notImplemented, "the coding \(coding) is not supported")
            case .unknownVersion(let version): (.httpVersionNotSupported, "the version \(version) is not supported")
            }
        return Response(
            statusCode: status,
            headers: ["Content-Type": "text/plain; charset=utf-8"],
            payload: Data("\(text)\n".utf8)
        )
    }
}

extension HTTPHeaders {
    /// Returns the members of a comma-separated field, in lower case (RFC 9110 5.6.1).
    func tokens(of name: String) -> [String] {
        values(of: name)
            .flatMap { $0.unicodeScalars.split(separator: ",") }
            .map { String($0).trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
