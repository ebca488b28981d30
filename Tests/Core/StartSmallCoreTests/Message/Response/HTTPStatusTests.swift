import StartSmall
import TestSupport
import Testing

/// The IANA registry of HTTP status codes, independent of the source.
private let registry: [(status: HTTPStatus, code: Int, reason: String)] = [
    (.continue, 100, "Continue"), (.switchingProtocols, 101, "Switching Protocols"), (.processing, 102, "Processing"),
    (.earlyHints, 103, "Early Hints"), (.uploadResumptionSupported, 104, "Upload Resumption Supported"),
    (.ok, 200, "OK"), (.created, 201, "Created"), (.accepted, 202, "Accepted"),
    (.nonAuthoritativeInformation, 203, "Non-Authoritative Information"), (.noContent, 204, "No Content"),
    (.resetContent, 205, "Reset Content"), (.partialContent, 206, "Partial Content"),
    (.multiStatus, 207, "Multi-Status"), (.alreadyReported, 208, "Already Reported"), (.imUsed, 226, "IM Used"),
    (.multipleChoices, 300, "Multiple Choices"), (.movedPermanently, 301, "Moved Permanently"), (.found, 302, "Found"),
    (.seeOther, 303, "See Other"), (.notModified, 304, "Not Modified"), (.useProxy, 305, "Use Proxy"),
    (.temporaryRedirect, 307, "Temporary Redirect"), (.permanentRedirect, 308, "Permanent Redirect"),
    (.badRequest, 400, "Bad Request"), (.unauthorized, 401, "Unauthorized"),
    (.paymentRequired, 402, "Payment Required"), (.forbidden, 403, "Forbidden"), (.notFound, 404, "Not Found"),
    (.methodNotAllowed, 405, "Method Not Allowed"), (.notAcceptable, 406, "Not Acceptable"),
    (.proxyAuthenticationRequired, 407, "Proxy Authentication Required"), (.requestTimeout, 408, "Request Timeout"),
    (.conflict, 409, "Conflict"), (.gone, 410, "Gone"), (.lengthRequired, 411, "Length Required"),
    (.preconditionFailed, 412, "Precondition Failed"), (.contentTooLarge, 413, "Content Too Large"),
    (.uriTooLong, 414, "URI Too Long"), (.unsupportedMediaType, 415, "Unsupported Media Type"),
    (.rangeNotSatisfiable, 416, "Range Not Satisfiable"), (.expectationFailed, 417, "Expectation Failed"),
    (.misdirectedRequest, 421, "Misdirected Request"), (.unprocessableContent, 422, "Unprocessable Content"),
    (.locked, 423, "Locked"), (.failedDependency, 424, "Failed Dependency"), (.tooEarly, 425, "Too Early"),
    (.upgradeRequired, 426, "Upgrade Required"), (.preconditionRequired, 428, "Precondition Required"),
    (.tooManyRequests, 429, "Too Many Requests"),
    (.requestHeaderFieldsTooLarge, 431, "Request Header Fields Too Large"),
    (.unavailableForLegalReasons, 451, "Unavailable For Legal Reasons"),
    (.internalServerError, 500, "Internal Server Error"), (.notImplemented, 501, "Not Implemented"),
    (.badGateway, 502, "Bad Gateway"), (.serviceUnavailable, 503, "Service Unavailable"),
    (.gatewayTimeout, 504, "Gateway Timeout"), (.httpVersionNotSupported, 505, "HTTP Version Not Supported"),
    (.variantAlsoNegotiates, 506, "Variant Also Negotiates"), (.insufficientStorage, 507, "Insufficient Storage"),
    (.loopDetected, 508, "Loop Detected"), (.notExtended, 510, "Not Extended"),
    (.networkAuthenticationRequired, 511, "Network Authentication Required"),
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

    @Test("the codes of the IANA registry have their constants and names, and no other code has a name", .parity("A5"))
    func names() {
        for (status, code, reason) in registry {
            #expect(status.code == code && status.reason == reason && HTTPStatus.from(code: code) == status)
            #expect(status.description == "\(code) \(reason)")
        }
        for code in Set(0...999).subtracting(registry.map(\.code)) {
            #expect(HTTPStatus.from(code: code).reason == nil)
            #expect(HTTPStatus.from(code: code).description == "\(code)")
        }
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

    @Test("a set of statuses is every 2xx, all, the given ones, or those that a function accepts", arguments: 0...999)
    func contains(code: Int) {
        let status = HTTPStatus.from(code: code)
        #expect(AcceptedStatuses.success.contains(status) == (200...299).contains(code))
        #expect(AcceptedStatuses.all.contains(status))
        #expect(
            AcceptedStatuses.only(.notFound, .unsupported(code: 200)).contains(status) == [200, 404].contains(code)
        )
        #expect(AcceptedStatuses { $0.code == 42 }.contains(status) == (code == 42))
    }
}
