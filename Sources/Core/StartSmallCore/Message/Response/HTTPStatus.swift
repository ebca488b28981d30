/// A status code, by its name in the IANA registry of HTTP status codes if it has one.
public struct HTTPStatus: Hashable, Sendable {
    /// The number in the status line.
    public let code: Int

    private init(_ code: Int) { self.code = code }

    /// Returns the status of a code; `.unsupported(code: 200) == .ok`.
    public static func unsupported(code: Int) -> HTTPStatus { HTTPStatus(code) }

    /// Returns the status of a code; `from(code: status.code) == status` for every status.
    public static func from(code: Int) -> HTTPStatus { HTTPStatus(code) }
}

extension HTTPStatus {
    /// 100 Continue (RFC 9110 15.2.1).
    public static var `continue`: HTTPStatus { HTTPStatus(100) }
    /// 101 Switching Protocols (RFC 9110 15.2.2).
    public static var switchingProtocols: HTTPStatus { HTTPStatus(101) }
    /// 102 Processing (RFC 2518 10.1).
    public static var processing: HTTPStatus { HTTPStatus(102) }
    /// 103 Early Hints (RFC 8297 2).
    public static var earlyHints: HTTPStatus { HTTPStatus(103) }
    /// 104 Upload Resumption Supported (temporary registration, draft-ietf-httpbis-resumable-upload).
    public static var uploadResumptionSupported: HTTPStatus { HTTPStatus(104) }

    /// 200 OK (RFC 9110 15.3.1).
    public static var ok: HTTPStatus { HTTPStatus(200) }
    /// 201 Created (RFC 9110 15.3.2).
    public static var created: HTTPStatus { HTTPStatus(201) }
    /// 202 Accepted (RFC 9110 15.3.3).
    public static var accepted: HTTPStatus { HTTPStatus(202) }
    /// 203 Non-Authoritative Information (RFC 9110 15.3.4).
    public static var nonAuthoritativeInformation: HTTPStatus { HTTPStatus(203) }
    /// 204 No Content (RFC 9110 15.3.5).
    public static var noContent: HTTPStatus { HTTPStatus(204) }
    /// 205 Reset Content (RFC 9110 15.3.6).
    public static var resetContent: HTTPStatus { HTTPStatus(205) }
    /// 206 Partial Content (RFC 9110 15.3.7).
    public static var partialContent: HTTPStatus { HTTPStatus(206) }
    /// 207 Multi-Status (RFC 4918 11.1).
    public static var multiStatus: HTTPStatus { HTTPStatus(207) }
    /// 208 Already Reported (RFC 5842 7.1).
    public static var alreadyReported: HTTPStatus { HTTPStatus(208) }
    /// 226 IM Used (RFC 3229 10.4.1).
    public static var imUsed: HTTPStatus { HTTPStatus(226) }

    /// 300 Multiple Choices (RFC 9110 15.4.1).
    public static var multipleChoices: HTTPStatus { HTTPStatus(300) }
    /// 301 Moved Permanently (RFC 9110 15.4.2).
    public static var movedPermanently: HTTPStatus { HTTPStatus(301) }
    /// 302 Found (RFC 9110 15.4.3).
    public static var found: HTTPStatus { HTTPStatus(302) }
    /// 303 See Other (RFC 9110 15.4.4).
    public static var seeOther: HTTPStatus { HTTPStatus(303) }
    /// 304 Not Modified (RFC 9110 15.4.5).
    public static var notModified: HTTPStatus { HTTPStatus(304) }
    /// 305 Use Proxy (RFC 9110 15.4.6).
    public static var useProxy: HTTPStatus { HTTPStatus(305) }
    /// 307 Temporary Redirect (RFC 9110 15.4.8).
    public static var temporaryRedirect: HTTPStatus { HTTPStatus(307) }
    /// 308 Permanent Redirect (RFC 9110 15.4.9).
    public static var permanentRedirect: HTTPStatus { HTTPStatus(308) }

    /// 400 Bad Request (RFC 9110 15.5.1).
    public static var badRequest: HTTPStatus { HTTPStatus(400) }
    /// 401 Unauthorized (RFC 9110 15.5.2).
    public static var unauthorized: HTTPStatus { HTTPStatus(401) }
    /// 402 Payment Required (RFC 9110 15.5.3).
    public static var paymentRequired: HTTPStatus { HTTPStatus(402) }
    /// 403 Forbidden (RFC 9110 15.5.4).
    public static var forbidden: HTTPStatus { HTTPStatus(403) }
    /// 404 Not Found (RFC 9110 15.5.5).
    public static var notFound: HTTPStatus { HTTPStatus(404) }
    /// 405 Method Not Allowed (RFC 9110 15.5.6).
    public static var methodNotAllowed: HTTPStatus { HTTPStatus(405) }
    /// 406 Not Acceptable (RFC 9110 15.5.7).
    public static var notAcceptable: HTTPStatus { HTTPStatus(406) }
    /// 407 Proxy Authentication Required (RFC 9110 15.5.8).
    public static var proxyAuthenticationRequired: HTTPStatus { HTTPStatus(407) }
    /// 408 Request Timeout (RFC 9110 15.5.9).
    public static var requestTimeout: HTTPStatus { HTTPStatus(408) }
    /// 409 Conflict (RFC 9110 15.5.10).
    public static var conflict: HTTPStatus { HTTPStatus(409) }
    /// 410 Gone (RFC 9110 15.5.11).
    public static var gone: HTTPStatus { HTTPStatus(410) }
    /// 411 Length Required (RFC 9110 15.5.12).
    public static var lengthRequired: HTTPStatus { HTTPStatus(411) }
    /// 412 Precondition Failed (RFC 9110 15.5.13).
    public static var preconditionFailed: HTTPStatus { HTTPStatus(412) }
    /// 413 Content Too Large (RFC 9110 15.5.14).
    public static var contentTooLarge: HTTPStatus { HTTPStatus(413) }
    /// 414 URI Too Long (RFC 9110 15.5.15).
    public static var uriTooLong: HTTPStatus { HTTPStatus(414) }
    /// 415 Unsupported Media Type (RFC 9110 15.5.16).
    public static var unsupportedMediaType: HTTPStatus { HTTPStatus(415) }
    /// 416 Range Not Satisfiable (RFC 9110 15.5.17).
    public static var rangeNotSatisfiable: HTTPStatus { HTTPStatus(416) }
    /// 417 Expectation Failed (RFC 9110 15.5.18).
    public static var expectationFailed: HTTPStatus { HTTPStatus(417) }
    /// 421 Misdirected Request (RFC 9110 15.5.20).
    public static var misdirectedRequest: HTTPStatus { HTTPStatus(421) }
    /// 422 Unprocessable Content (RFC 9110 15.5.21).
    public static var unprocessableContent: HTTPStatus { HTTPStatus(422) }
    /// 423 Locked (RFC 4918 11.3).
    public static var locked: HTTPStatus { HTTPStatus(423) }
    /// 424 Failed Dependency (RFC 4918 11.4).
    public static var failedDependency: HTTPStatus { HTTPStatus(424) }
    /// 425 Too Early (RFC 8470 5.2).
    public static var tooEarly: HTTPStatus { HTTPStatus(425) }
    /// 426 Upgrade Required (RFC 9110 15.5.22).
    public static var upgradeRequired: HTTPStatus { HTTPStatus(426) }
    /// 428 Precondition Required (RFC 6585 3).
    public static var preconditionRequired: HTTPStatus { HTTPStatus(428) }
    /// 429 Too Many Requests (RFC 6585 4).
    public static var tooManyRequests: HTTPStatus { HTTPStatus(429) }
    /// 431 Request Header Fields Too Large (RFC 6585 5).
    public static var requestHeaderFieldsTooLarge: HTTPStatus { HTTPStatus(431) }
    /// 451 Unavailable For Legal Reasons (RFC 7725 3).
    public static var unavailableForLegalReasons: HTTPStatus { HTTPStatus(451) }

    /// 500 Internal Server Error (RFC 9110 15.6.1).
    public static var internalServerError: HTTPStatus { HTTPStatus(500) }
    /// 501 Not Implemented (RFC 9110 15.6.2).
    public static var notImplemented: HTTPStatus { HTTPStatus(501) }
    /// 502 Bad Gateway (RFC 9110 15.6.3).
    public static var badGateway: HTTPStatus { HTTPStatus(502) }
    /// 503 Service Unavailable (RFC 9110 15.6.4).
    public static var serviceUnavailable: HTTPStatus { HTTPStatus(503) }
    /// 504 Gateway Timeout (RFC 9110 15.6.5).
    public static var gatewayTimeout: HTTPStatus { HTTPStatus(504) }
    /// 505 HTTP Version Not Supported (RFC 9110 15.6.6).
    public static var httpVersionNotSupported: HTTPStatus { HTTPStatus(505) }
    /// 506 Variant Also Negotiates (RFC 2295 8.1).
    public static var variantAlsoNegotiates: HTTPStatus { HTTPStatus(506) }
    /// 507 Insufficient Storage (RFC 4918 11.5).
    public static var insufficientStorage: HTTPStatus { HTTPStatus(507) }
    /// 508 Loop Detected (RFC 5842 7.2).
    public static var loopDetected: HTTPStatus { HTTPStatus(508) }
    /// 510 Not Extended (RFC 2774 7, obsoleted).
    public static var notExtended: HTTPStatus { HTTPStatus(510) }
    /// 511 Network Authentication Required (RFC 6585 6).
    public static var networkAuthenticationRequired: HTTPStatus { HTTPStatus(511) }
}

extension HTTPStatus {
    /// The name in the registry, such as `Not Found`; nil for a code without a name.
    public var reason: String? { Self.reasons[code] }

    /// Whether the code is 1xx: the final response is still to come (RFC 9110 15.2).
    public var isInformational: Bool { (100...199).contains(code) }

    /// Whether the code is 2xx: the request was received, understood and accepted (RFC 9110 15.3).
    public var isSuccess: Bool { (200...299).contains(code) }

    /// Whether the status is a success that never has a payload: 204 or 205 (RFC 9110 15.3.5, 15.3.6).
    var isWithoutContent: Bool { self == .noContent || self == .resetContent }

    /// Whether the code is 3xx: further action is needed (RFC 9110 15.4).
    public var isRedirection: Bool { (300...399).contains(code) }

    /// Whether the code is 4xx: the client seems to have made an error (RFC 9110 15.5).
    public var isClientError: Bool { (400...499).contains(code) }

    /// Whether the code is 5xx: the server can't perform the request (RFC 9110 15.6).
    public var isServerError: Bool { (500...599).contains(code) }

    private static let reasons = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        104: "Upload Resumption Supported", 200: "OK", 201: "Created", 202: "Accepted",
        203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        207: "Multi-Status", 208: "Already Reported", 226: "IM Used", 300: "Multiple Choices", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
    ]
}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    /// Creates the status of a code: `Response(statusCode: 404)`.
    public init(integerLiteral code: Int) { self.init(code) }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its name, such as `404 Not Found`; the code alone if there is no name.
    public var description: String { reason.map { "\(code) \($0)" } ?? "\(code)" }
}
