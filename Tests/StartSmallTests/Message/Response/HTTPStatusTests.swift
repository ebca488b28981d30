import StartSmall
import Testing
import ParityTrait

/// The IANA registry of HTTP status codes, independent of the source.
private let registry: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
    104: "Upload Resumption Supported",
    200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
    205: "Reset Content",
    206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    305: "Use Proxy",
    307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
    409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
    426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
    505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
    508: "Loop Detected",
    510: "Not Extended", 511: "Network Authentication Required",
]

struct HTTPStatusTests {
    @Test("every code converts to a status and back unchanged", .parity("A5"))
    func roundTrip() {
        for code in Array(0...999) + [-1, 1000, Int.min, Int.max] {
            let status = HTTPStatus.from(code: code)
            #expect(status.code == code)
            #expect(HTTPStatus.from(code: status.code) == status)
        }
    }

    @Test("the codes of the IANA registry have its names, and no other code has a name", .parity("A5"))
    func names() {
        for code in 0...999 {
            let status = HTTPStatus.from(code: code)
            #expect(status.reason == registry[code])
            if case .unsupported = status { #expect(registry[code] == nil) } else { #expect(registry[code] != nil) }
        }
    }

    @Test("each case has its own code of the registry", .parity("A5"))
    func cases() {
        let cases: [HTTPStatus] = [
            .continue, .switchingProtocols, .processing, .earlyHints, .uploadResumptionSupported, .ok, .created,
            .accepted, .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent, .multiStatus,
            .alreadyReported, .imUsed, .multipleChoices, .movedPermanently, .found, .seeOther, .notModified,
            .useProxy, .temporaryRedirect, .permanentRedirect, .badRequest, .unauthorized, .paymentRequired,
            .forbidden, .notFound, .methodNotAllowed, .notAcceptable, .proxyAuthenticationRequired, .requestTimeout,
            .conflict, .gone, .lengthRequired, .preconditionFailed, .contentTooLarge, .uriTooLong,
            .unsupportedMediaType,
            .rangeNotSatisfiable, .expectationFailed, .misdirectedRequest, .unprocessableContent, .locked,
            .failedDependency, .tooEarly, .upgradeRequired, .preconditionRequired, .tooManyRequests,
            .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError, .notImplemented,
            .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported, .variantAlsoNegotiates,
            .insufficientStorage, .loopDetected, .notExtended, .networkAuthenticationRequired,
        ]
        #expect(cases.map(\.code) == registry.keys.sorted())
    }

    @Test("equal codes are equal values, however they are created", .parity("A5"))
    func equality() {
        #expect(HTTPStatus.unsupported(code: 200) == .ok)
        #expect(HTTPStatus.unsupported(code: 200).hashValue == HTTPStatus.ok.hashValue)
        #expect(HTTPStatus.unsupported(code: 200).description == HTTPStatus.ok.description)
        #expect(HTTPStatus.ok != .created)
        #expect(Set((0...999).map(HTTPStatus.from)).count == 1000)
    }

    @Test("each code belongs to the class of its first digit, and to no other", .parity("A5"))
    func classes() {
        for code in Array(0...999) + [-200, 2000] {
            let status = HTTPStatus.from(code: code)
            let classes = [
                status.isInformational, status.isSuccess, status.isRedirection, status.isClientError,
                status.isServerError,
            ]
            #expect(classes == (1...5).map { (100 * $0..<100 * $0 + 100).contains(code) })
        }
    }

    @Test("a status is described by its code and name", arguments: [(404, "404 Not Found"), (418, "418"), (-1, "-1")])
    func description(_ code: Int, _ description: String) {
        #expect(HTTPStatus.from(code: code).description == description)
    }
}
