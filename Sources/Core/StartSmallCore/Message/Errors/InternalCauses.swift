/// Causes that the kit reports where an engine has none: all of them in one place, so that no two share a code.
extension ConnectionError.Cause {
    private enum InternalCode: Int {
        case timeIsOver
        case noTimeLeft
        case wrongRange
        case shortRange
        case noHeadInTime
        case streamEnded
        case secondReader
        case unprocessed
        case overduePayload
        case chosenTimeIsOver
    }

    private static let domain = "StartSmall"

    private init(_ code: InternalCode, _ text: String, after partial: Response? = nil) {
        self.init(domain: Self.domain, code: code.rawValue, text: text, partial: partial)
    }

    /// The cause of a call that begins when its time limit has passed: nothing was sent.
    public static let noTimeLeft = Self(.noTimeLeft, "no time was left")

    /// A stream of events ended although its consumer did not end it.
    package static let streamEnded = Self(.streamEnded, "the stream ended")

    /// A body was to be read while another task read it, or after another reader.
    static let secondReader = Self(.secondReader, "the body has, or had, another reader")

    /// The payload of a response outside of 2xx did not end in time.
    static func overduePayload(limit: Duration) -> Self {
        Self(.overduePayload, "the payload of the error did not end within \(limit)")
    }

    /// Returns the cause of a request that its server has refused to process (RFC 9113 6.8 and 8.7, RFC 9114 4.1.1).
    package static func unprocessed(_ text: String) -> Self {
        Self(.unprocessed, "the server did not process the request: \(text)")
    }

    private static let proxyDomain = "CONNECT"

    /// Returns the cause of a proxy that answers CONNECT with this status, and opens no tunnel (RFC 9110 9.3.6).
    package static func refusedByProxy(status: Int, _ text: String) -> Self {
        let missing = status == HTTPStatus.proxyAuthenticationRequired.code ? "the proxy wants other credentials: " : ""
        return Self(domain: proxyDomain, code: status, text: missing + text)
    }

    /// The status with which a proxy refused a tunnel; nil for any other cause.
    var statusOfProxy: HTTPStatus? { domain == Self.proxyDomain ? .from(code: code) : nil }

    fileprivate var isUnprocessed: Bool { domain == Self.domain && code == InternalCode.unprocessed.rawValue }

    /// Returns the cause of a call that took longer than a limit; nil for a point in time.
    ///
    /// - Parameters:
    ///   - limit: the limit as it was set.
    ///   - option: the name of the option that set it; nil for a wrapper.
    ///   - isChosen: whether the caller of the call has chosen it.
    public static func timeIsOver(limit: Duration?, option: String? = nil, isChosen: Bool = false) -> Self {
        let origin = option.map { " (\($0))" } ?? ""
        let text = limit.map { "timed out after \($0)\(origin)" } ?? "the deadline is over"
        return Self(isChosen ? .chosenTimeIsOver : .timeIsOver, text)
    }

    /// Whether this is the end by a time limit that the caller has chosen, which says nothing about the service.
    public var isChosenTimeLimit: Bool { domain == Self.domain && code == InternalCode.chosenTimeIsOver.rawValue }

    /// Returns the cause of a request whose response did not begin within a limit.
    public static func noHeadInTime(limit: Duration) -> Self {
        Self(.noHeadInTime, "no response head within \(limit)")
    }

    /// Returns the cause of a response with another range or version than the requested one (RFC 9110 15.3.7).
    package static func wrongRange(_ response: Response) -> Self {
        Self(.wrongRange, "not the requested range", after: response)
    }

    /// Returns the cause of a partial response that does not complete the payload.
    package static func shortRange(_ response: Response, size: Int, total: Int) -> Self {
        Self(.shortRange, "the range completes only \(size) of \(total) bytes", after: response)
    }
}

extension ConnectionError {
    /// Whether the server has said that it did not process the request, so that any request may be sent again.
    package var isUnprocessed: Bool { if case .connectionLost(let cause) = self { cause.isUnprocessed } else { false } }
}
