public import StartSmallSupport

/// A status code by its name in the IANA registry of HTTP status codes.
///
/// Values with the same code are equal: `.unsupported(code: 200) == .ok`.
public enum HTTPStatus: Sendable {
    /// 100 Continue (RFC 9110 15.2.1).
    case `continue`
    /// 101 Switching Protocols (RFC 9110 15.2.2).
    case switchingProtocols
    /// 102 Processing (RFC 2518 10.1).
    case processing
    /// 103 Early Hints (RFC 8297 2).
    case earlyHints
    /// 104 Upload Resumption Supported (temporary registration, draft-ietf-httpbis-resumable-upload).
    case uploadResumptionSupported

    /// 200 OK (RFC 9110 15.3.1).
    case ok
    /// 201 Created (RFC 9110 15.3.2).
    case created
    /// 202 Accepted (RFC 9110 15.3.3).
    case accepted
    /// 203 Non-Authoritative Information (RFC 9110 15.3.4).
    case nonAuthoritativeInformation
    /// 204 No Content (RFC 9110 15.3.5).
    case noContent
    /// 205 Reset Content (RFC 9110 15.3.6).
    case resetContent
    /// 206 Partial Content (RFC 9110 15.3.7).
    case partialContent
    /// 207 Multi-Status (RFC 4918 11.1).
    case multiStatus
    /// 208 Already Reported (RFC 5842 7.1).
    case alreadyReported
    /// 226 IM Used (RFC 3229 10.4.1).
    case imUsed

    /// 300 Multiple Choices (RFC 9110 15.4.1).
    case multipleChoices
    /// 301 Moved Permanently (RFC 9110 15.4.2).
    case movedPermanently
    /// 302 Found (RFC 9110 15.4.3).
    case found
    /// 303 See Other (RFC 9110 15.4.4).
    case seeOther
    /// 304 Not Modified (RFC 9110 15.4.5).
    case notModified
    /// 305 Use Proxy (RFC 9110 15.4.6).
    case useProxy
    /// 307 Temporary Redirect (RFC 9110 15.4.8).
    case temporaryRedirect
    /// 308 Permanent Redirect (RFC 9110 15.4.9).
    case permanentRedirect

    /// 400 Bad Request (RFC 9110 15.5.1).
    case badRequest
    /// 401 Unauthorized (RFC 9110 15.5.2).
    case unauthorized
    /// 402 Payment Required (RFC 9110 15.5.3).
    case paymentRequired
    /// 403 Forbidden (RFC 9110 15.5.4).
    case forbidden
    /// 404 Not Found (RFC 9110 15.5.5).
    case notFound
    /// 405 Method Not Allowed (RFC 9110 15.5.6).
    case methodNotAllowed
    /// 406 Not Acceptable (RFC 9110 15.5.7).
    case notAcceptable
    /// 407 Proxy Authentication Required (RFC 9110 15.5.8).
    case proxyAuthenticationRequired
    /// 408 Request Timeout (RFC 9110 15.5.9).
    case requestTimeout
    /// 409 Conflict (RFC 9110 15.5.10).
    case conflict
    /// 410 Gone (RFC 9110 15.5.11).
    case gone
    /// 411 Length Required (RFC 9110 15.5.12).
    case lengthRequired
    /// 412 Precondition Failed (RFC 9110 15.5.13).
    case preconditionFailed
    /// 413 Content Too Large (RFC 9110 15.5.14).
    case contentTooLarge
    /// 414 URI Too Long (RFC 9110 15.5.15).
    case uriTooLong
    /// 415 Unsupported Media Type (RFC 9110 15.5.16).
    case unsupportedMediaType
    /// 416 Range Not Satisfiable (RFC 9110 15.5.17).
    case rangeNotSatisfiable
    /// 417 Expectation Failed (RFC 9110 15.5.18).
    case expectationFailed
    /// 421 Misdirected Request (RFC 9110 15.5.20).
    case misdirectedRequest
    /// 422 Unprocessable Content (RFC 9110 15.5.21).
    case unprocessableContent
    /// 423 Locked (RFC 4918 11.3).
    case locked
    /// 424 Failed Dependency (RFC 4918 11.4).
    case failedDependency
    /// 425 Too Early (RFC 8470 5.2).
    case tooEarly
    /// 426 Upgrade Required (RFC 9110 15.5.22).
    case upgradeRequired
    /// 428 Precondition Required (RFC 6585 3).
    case preconditionRequired
    /// 429 Too Many Requests (RFC 6585 4).
    case tooManyRequests
    /// 431 Request Header Fields Too Large (RFC 6585 5).
    case requestHeaderFieldsTooLarge
    /// 451 Unavailable For Legal Reasons (RFC 7725 3).
    case unavailableForLegalReasons

    /// 500 Internal Server Error (RFC 9110 15.6.1).
    case internalServerError
    /// 501 Not Implemented (RFC 9110 15.6.2).
    case notImplemented
    /// 502 Bad Gateway (RFC 9110 15.6.3).
    case badGateway
    /// 503 Service Unavailable (RFC 9110 15.6.4).
    case serviceUnavailable
    /// 504 Gateway Timeout (RFC 9110 15.6.5).
    case gatewayTimeout
    /// 505 HTTP Version Not Supported (RFC 9110 15.6.6).
    case httpVersionNotSupported
    /// 506 Variant Also Negotiates (RFC 2295 8.1).
    case variantAlsoNegotiates
    /// 507 Insufficient Storage (RFC 4918 11.5).
    case insufficientStorage
    /// 508 Loop Detected (RFC 5842 7.2).
    case loopDetected
    /// 510 Not Extended (RFC 2774 7, obsoleted).
    case notExtended
    /// 511 Network Authentication Required (RFC 6585 6).
    case networkAuthenticationRequired

    /// A code without a name in the registry.
    case unsupported(code: Int)
}

extension HTTPStatus {
    /// The number in the status line.
    public var code: Int { entry.code }

    /// The name in the registry, such as `Not Found`; nil for a code without a name.
    public var reason: String? { Self.from(code: code).entry.reason }

    /// Returns the status of a code; `from(code: status.code) == status` for every status.
    public static func from(code: Int) -> HTTPStatus { byCode[code] ?? .unsupported(code: code) }

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

    /// The code and the name in the IANA registry of HTTP status codes.
    private var entry: (code: Int, reason: String?) {
        switch self {
        case .continue: (100, "Continue")
        case .switchingProtocols: (101, "Switching Protocols")
        case .processing: (102, "Processing")
        case .earlyHints: (103, "Early Hints")
        case .uploadResumptionSupported: (104, "Upload Resumption Supported")
        case .ok: (200, "OK")
        case .created: (201, "Created")
        case .accepted: (202, "Accepted")
        case .nonAuthoritativeInformation: (203, "Non-Authoritative Information")
        case .noContent: (204, "No Content")
        case .resetContent: (205, "Reset Content")
        case .partialContent: (206, "Partial Content")
        case .multiStatus: (207, "Multi-Status")
        case .alreadyReported: (208, "Already Reported")
        case .imUsed: (226, "IM Used")
        case .multipleChoices: (300, "Multiple Choices")
        case .movedPermanently: (301, "Moved Permanently")
        case .found: (302, "Found")
        case .seeOther: (303, "See Other")
        case .notModified: (304, "Not Modified")
        case .useProxy: (305, "Use Proxy")
        case .temporaryRedirect: (307, "Temporary Redirect")
        case .permanentRedirect: (308, "Permanent Redirect")
        case .badRequest: (400, "Bad Request")
        case .unauthorized: (401, "Unauthorized")
        case .paymentRequired: (402, "Payment Required")
        case .forbidden: (403, "Forbidden")
        case .notFound: (404, "Not Found")
        case .methodNotAllowed: (405, "Method Not Allowed")
        case .notAcceptable: (406, "Not Acceptable")
        case .proxyAuthenticationRequired: (407, "Proxy Authentication Required")
        case .requestTimeout: (408, "Request Timeout")
        case .conflict: (409, "Conflict")
        case .gone: (410, "Gone")
        case .lengthRequired: (411, "Length Required")
        case .preconditionFailed: (412, "Precondition Failed")
        case .contentTooLarge: (413, "Content Too Large")
        case .uriTooLong: (414, "URI Too Long")
        case .unsupportedMediaType: (415, "Unsupported Media Type")
        case .rangeNotSatisfiable: (416, "Range Not Satisfiable")
        case .expectationFailed: (417, "Expectation Failed")
        case .misdirectedRequest: (421, "Misdirected Request")
        case .unprocessableContent: (422, "Unprocessable Content")
        case .locked: (423, "Locked")
        case .failedDependency: (424, "Failed Dependency")
        case .tooEarly: (425, "Too Early")
        case .upgradeRequired: (426, "Upgrade Required")
        case .preconditionRequired: (428, "Precondition Required")
        case .tooManyRequests: (429, "Too Many Requests")
        case .requestHeaderFieldsTooLarge: (431, "Request Header Fields Too Large")
        case .unavailableForLegalReasons: (451, "Unavailable For Legal Reasons")
        case .internalServerError: (500, "Internal Server Error")
        case .notImplemented: (501, "Not Implemented")
        case .badGateway: (502, "Bad Gateway")
        case .serviceUnavailable: (503, "Service Unavailable")
        case .gatewayTimeout: (504, "Gateway Timeout")
        case .httpVersionNotSupported: (505, "HTTP Version Not Supported")
        case .variantAlsoNegotiates: (506, "Variant Also Negotiates")
        case .insufficientStorage: (507, "Insufficient Storage")
        case .loopDetected: (508, "Loop Detected")
        case .notExtended: (510, "Not Extended")
        case .networkAuthenticationRequired: (511, "Network Authentication Required")
        case .unsupported(let code): (code, nil)
        }
    }

    /// All statuses with a name, by their codes.
    private static let byCode: [Int: HTTPStatus] = [
        .continue, .switchingProtocols, .processing, .earlyHints, .uploadResumptionSupported, .ok, .created,
        .accepted, .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent, .multiStatus,
        .alreadyReported, .imUsed, .multipleChoices, .movedPermanently, .found, .seeOther, .notModified,
        .useProxy, .temporaryRedirect, .permanentRedirect, .badRequest, .unauthorized, .paymentRequired,
        .forbidden, .notFound, .methodNotAllowed, .notAcceptable, .proxyAuthenticationRequired, .requestTimeout,
        .conflict, .gone, .lengthRequired, .preconditionFailed, .contentTooLarge, .uriTooLong,
        .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed, .misdirectedRequest,
        .unprocessableContent, .locked, .failedDependency, .tooEarly, .upgradeRequired, .preconditionRequired,
        .tooManyRequests, .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError,
        .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
        .variantAlsoNegotiates, .insufficientStorage, .loopDetected, .notExtended,
        .networkAuthenticationRequired,
    ].reduce(into: [:]) { $0[$1.code] = $1 }
}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    /// Creates the status of a code: `Response(statusCode: 404)`.
    public init(integerLiteral code: Int) { self = .from(code: code) }
}

extension HTTPStatus: Hashable, ComparedByKey {
    package var comparedKey: Int { code }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its name, such as `404 Not Found`; the code alone if there is no name.
    public var description: String {
        reason.map { "\(code) \($0)" } ?? "\(code)"
    }
}
