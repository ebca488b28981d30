/// A status code by its name, as the IANA registry of HTTP status codes has it.
///
/// A code is one value however it was made: `.unsupported(code: 200) == .ok`.
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

    /// A code that the registry has no name for.
    case unsupported(code: Int)
}

extension HTTPStatus {
    /// The status of a code; `from(code: status.code) == status` for all.
    public static func from(code: Int) -> HTTPStatus {
        switch code {
        case 100: .continue
        case 101: .switchingProtocols
        case 102: .processing
        case 103: .earlyHints
        case 104: .uploadResumptionSupported
        case 200: .ok
        case 201: .created
        case 202: .accepted
        case 203: .nonAuthoritativeInformation
        case 204: .noContent
        case 205: .resetContent
        case 206: .partialContent
        case 207: .multiStatus
        case 208: .alreadyReported
        case 226: .imUsed
        case 300: .multipleChoices
        case 301: .movedPermanently
        case 302: .found
        case 303: .seeOther
        case 304: .notModified
        case 305: .useProxy
        case 307: .temporaryRedirect
        case 308: .permanentRedirect
        case 400: .badRequest
        case 401: .unauthorized
        case 402: .paymentRequired
        case 403: .forbidden
        case 404: .notFound
        case 405: .methodNotAllowed
        case 406: .notAcceptable
        case 407: .proxyAuthenticationRequired
        case 408: .requestTimeout
        case 409: .conflict
        case 410: .gone
        case 411: .lengthRequired
        case 412: .preconditionFailed
        case 413: .contentTooLarge
        case 414: .uriTooLong
        case 415: .unsupportedMediaType
        case 416: .rangeNotSatisfiable
        case 417: .expectationFailed
        case 421: .misdirectedRequest
        case 422: .unprocessableContent
        case 423: .locked
        case 424: .failedDependency
        case 425: .tooEarly
        case 426: .upgradeRequired
        case 428: .preconditionRequired
        case 429: .tooManyRequests
        case 431: .requestHeaderFieldsTooLarge
        case 451: .unavailableForLegalReasons
        case 500: .internalServerError
        case 501: .notImplemented
        case 502: .badGateway
        case 503: .serviceUnavailable
        case 504: .gatewayTimeout
        case 505: .httpVersionNotSupported
        case 506: .variantAlsoNegotiates
        case 507: .insufficientStorage
        case 508: .loopDetected
        case 510: .notExtended
        case 511: .networkAuthenticationRequired
        default: .unsupported(code: code)
        }
    }

    /// The number in the status line.
    public var code: Int {
        switch self {
        case .continue: 100
        case .switchingProtocols: 101
        case .processing: 102
        case .earlyHints: 103
        case .uploadResumptionSupported: 104
        case .ok: 200
        case .created: 201
        case .accepted: 202
        case .nonAuthoritativeInformation: 203
        case .noContent: 204
        case .resetContent: 205
        case .partialContent: 206
        case .multiStatus: 207
        case .alreadyReported: 208
        case .imUsed: 226
        case .multipleChoices: 300
        case .movedPermanently: 301
        case .found: 302
        case .seeOther: 303
        case .notModified: 304
        case .useProxy: 305
        case .temporaryRedirect: 307
        case .permanentRedirect: 308
        case .badRequest: 400
        case .unauthorized: 401
        case .paymentRequired: 402
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .proxyAuthenticationRequired: 407
        case .requestTimeout: 408
        case .conflict: 409
        case .gone: 410
        case .lengthRequired: 411
        case .preconditionFailed: 412
        case .contentTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .expectationFailed: 417
        case .misdirectedRequest: 421
        case .unprocessableContent: 422
        case .locked: 423
        case .failedDependency: 424
        case .tooEarly: 425
        case .upgradeRequired: 426
        case .preconditionRequired: 428
        case .tooManyRequests: 429
        case .requestHeaderFieldsTooLarge: 431
        case .unavailableForLegalReasons: 451
        case .internalServerError: 500
        case .notImplemented: 501
        case .badGateway: 502
        case .serviceUnavailable: 503
        case .gatewayTimeout: 504
        case .httpVersionNotSupported: 505
        case .variantAlsoNegotiates: 506
        case .insufficientStorage: 507
        case .loopDetected: 508
        case .notExtended: 510
        case .networkAuthenticationRequired: 511
        case .unsupported(let code): code
        }
    }

    /// The name in the registry, such as `Not Found`; nil for a code that it has no name for.
    public var reason: String? {
        switch Self.from(code: code) {
        case .continue: "Continue"
        case .switchingProtocols: "Switching Protocols"
        case .processing: "Processing"
        case .earlyHints: "Early Hints"
        case .uploadResumptionSupported: "Upload Resumption Supported"
        case .ok: "OK"
        case .created: "Created"
        case .accepted: "Accepted"
        case .nonAuthoritativeInformation: "Non-Authoritative Information"
        case .noContent: "No Content"
        case .resetContent: "Reset Content"
        case .partialContent: "Partial Content"
        case .multiStatus: "Multi-Status"
        case .alreadyReported: "Already Reported"
        case .imUsed: "IM Used"
        case .multipleChoices: "Multiple Choices"
        case .movedPermanently: "Moved Permanently"
        case .found: "Found"
        case .seeOther: "See Other"
        case .notModified: "Not Modified"
        case .useProxy: "Use Proxy"
        case .temporaryRedirect: "Temporary Redirect"
        case .permanentRedirect: "Permanent Redirect"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .paymentRequired: "Payment Required"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .notAcceptable: "Not Acceptable"
        case .proxyAuthenticationRequired: "Proxy Authentication Required"
        case .requestTimeout: "Request Timeout"
        case .conflict: "Conflict"
        case .gone: "Gone"
        case .lengthRequired: "Length Required"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .expectationFailed: "Expectation Failed"
        case .misdirectedRequest: "Misdirected Request"
        case .unprocessableContent: "Unprocessable Content"
        case .locked: "Locked"
        case .failedDependency: "Failed Dependency"
        case .tooEarly: "Too Early"
        case .upgradeRequired: "Upgrade Required"
        case .preconditionRequired: "Precondition Required"
        case .tooManyRequests: "Too Many Requests"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .unavailableForLegalReasons: "Unavailable For Legal Reasons"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .badGateway: "Bad Gateway"
        case .serviceUnavailable: "Service Unavailable"
        case .gatewayTimeout: "Gateway Timeout"
        case .httpVersionNotSupported: "HTTP Version Not Supported"
        case .variantAlsoNegotiates: "Variant Also Negotiates"
        case .insufficientStorage: "Insufficient Storage"
        case .loopDetected: "Loop Detected"
        case .notExtended: "Not Extended"
        case .networkAuthenticationRequired: "Network Authentication Required"
        case .unsupported: nil
        }
    }

    /// Whether the code is 1xx: the answer is still to come (RFC 9110 15.2).
    public var isInformational: Bool { (100...199).contains(code) }

    /// Whether the code is 2xx: the request was received, understood and accepted (RFC 9110 15.3).
    public var isSuccess: Bool { (200...299).contains(code) }

    /// Whether the code is 3xx: more has to be done (RFC 9110 15.4).
    public var isRedirection: Bool { (300...399).contains(code) }

    /// Whether the code is 4xx: the client seems to be in the wrong (RFC 9110 15.5).
    public var isClientError: Bool { (400...499).contains(code) }

    /// Whether the code is 5xx: the server can't do what it should (RFC 9110 15.6).
    public var isServerError: Bool { (500...599).contains(code) }
}

extension HTTPStatus: Hashable {
    /// Whether both have the same code.
    public static func == (left: HTTPStatus, right: HTTPStatus) -> Bool {
        left.code == right.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its name, such as `404 Not Found`; the code alone if it has none.
    public var description: String {
        reason.map { "\(code) \($0)" } ?? "\(code)"
    }
}
