extension HTTPStatus {
    /// Returns the status of a code; `from(code: status.code) == status` for every status.
    public static func from(code: Int) -> HTTPStatus {
        byCode[code]?.status ?? .unsupported(code: code)
    }

    /// The name in the registry, such as `Not Found`; nil for a code without a name.
    public var reason: String? {
        Self.byCode[code]?.reason
    }

    private static let byCode: [Int: (status: HTTPStatus, reason: String)] = registry.reduce(into: [:]) {
        $0[$1.status.code] = $1
    }

    /// The IANA registry of HTTP status codes.
    private static let registry: [(status: HTTPStatus, reason: String)] = [
        (.continue, "Continue"),
        (.switchingProtocols, "Switching Protocols"),
        (.processing, "Processing"),
        (.earlyHints, "Early Hints"),
        (.uploadResumptionSupported, "Upload Resumption Supported"),
        (.ok, "OK"),
        (.created, "Created"),
        (.accepted, "Accepted"),
        (.nonAuthoritativeInformation, "Non-Authoritative Information"),
        (.noContent, "No Content"),
        (.resetContent, "Reset Content"),
        (.partialContent, "Partial Content"),
        (.multiStatus, "Multi-Status"),
        (.alreadyReported, "Already Reported"),
        (.imUsed, "IM Used"),
        (.multipleChoices, "Multiple Choices"),
        (.movedPermanently, "Moved Permanently"),
        (.found, "Found"),
        (.seeOther, "See Other"),
        (.notModified, "Not Modified"),
        (.useProxy, "Use Proxy"),
        (.temporaryRedirect, "Temporary Redirect"),
        (.permanentRedirect, "Permanent Redirect"),
        (.badRequest, "Bad Request"),
        (.unauthorized, "Unauthorized"),
        (.paymentRequired, "Payment Required"),
        (.forbidden, "Forbidden"),
        (.notFound, "Not Found"),
        (.methodNotAllowed, "Method Not Allowed"),
        (.notAcceptable, "Not Acceptable"),
        (.proxyAuthenticationRequired, "Proxy Authentication Required"),
        (.requestTimeout, "Request Timeout"),
        (.conflict, "Conflict"),
        (.gone, "Gone"),
        (.lengthRequired, "Length Required"),
        (.preconditionFailed, "Precondition Failed"),
        (.contentTooLarge, "Content Too Large"),
        (.uriTooLong, "URI Too Long"),
        (.unsupportedMediaType, "Unsupported Media Type"),
        (.rangeNotSatisfiable, "Range Not Satisfiable"),
        (.expectationFailed, "Expectation Failed"),
        (.misdirectedRequest, "Misdirected Request"),
        (.unprocessableContent, "Unprocessable Content"),
        (.locked, "Locked"),
        (.failedDependency, "Failed Dependency"),
        (.tooEarly, "Too Early"),
        (.upgradeRequired, "Upgrade Required"),
        (.preconditionRequired, "Precondition Required"),
        (.tooManyRequests, "Too Many Requests"),
        (.requestHeaderFieldsTooLarge, "Request Header Fields Too Large"),
        (.unavailableForLegalReasons, "Unavailable For Legal Reasons"),
        (.internalServerError, "Internal Server Error"),
        (.notImplemented, "Not Implemented"),
        (.badGateway, "Bad Gateway"),
        (.serviceUnavailable, "Service Unavailable"),
        (.gatewayTimeout, "Gateway Timeout"),
        (.httpVersionNotSupported, "HTTP Version Not Supported"),
        (.variantAlsoNegotiates, "Variant Also Negotiates"),
        (.insufficientStorage, "Insufficient Storage"),
        (.loopDetected, "Loop Detected"),
        (.notExtended, "Not Extended"),
        (.networkAuthenticationRequired, "Network Authentication Required"),
    ]
}
