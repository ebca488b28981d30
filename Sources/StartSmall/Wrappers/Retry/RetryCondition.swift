/// Whether a call is made again: two questions, each a pure function.
public struct RetryCondition: Sendable {
    /// Whether doing it twice does no harm.
    public var mayRepeat: @Sendable (Input) -> Bool

    /// Whether a second try can mend what came out.
    public var canMend: @Sendable (Output) -> Bool

    /// Creates a condition; what is not given is that of ``standard``.
    public init(
        mayRepeat: @escaping @Sendable (Input) -> Bool = { isHarmlessTwice($0) },
        canMend: @escaping @Sendable (Output) -> Bool = { isPassing($0) }
    ) {
        self.mayRepeat = mayRepeat
        self.canMend = canMend
    }

    /// Whether a call is made again after this output.
    public func callAsFunction(_ input: Input, _ output: Output) -> Bool {
        canMend(output) && mayRepeat(input)
    }

    /// Repeats what does no harm twice, after a failure that may pass.
    public static let standard = RetryCondition()

    /// Repeats even what must not be done twice: a second order, a second payment, a second message.
    ///
    /// A request may have been carried out though its answer was lost. This is for servers of which you know that they
    /// notice the same request coming again. If you only want to repeat a POST, give it an `Idempotency-Key`.
    public static let dangerouslyRepeatingAnyMethod = RetryCondition(mayRepeat: { _ in true })

    /// Whether the method is idempotent, or the request has an `Idempotency-Key`
    /// (draft-ietf-httpapi-idempotency-key-header), by which a server knows a request that comes again.
    public static func isHarmlessTwice(_ input: Input) -> Bool {
        HTTPMethodAndPayload.mayBeSentAnew(input.methodAndPayload.method, input.headers)
    }

    /// Whether the output is a failure that may have passed by the next try.
    public static func isPassing(_ output: Output) -> Bool {
        output.answer.map { standardStatuses.contains($0.statusCode) } ?? output.connectionError?.isPassing ?? false
    }

    /// The statuses that say "not now".
    ///
    /// 408 (RFC 9110 15.5.9), 425 (RFC 8470 5.2), 429 (RFC 6585 4), and 500, 502, 503 and 504 (RFC 9110 15.6). Of the
    /// other errors of a server, 501 and 505 do not pass by themselves.
    public static let standardStatuses: Set<HTTPStatus> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]
}

extension ConnectionError {
    /// Whether it may have passed by the next try; one case each, so that a new one has to be thought about.
    fileprivate var isPassing: Bool {
        switch self {
        // A limit of time that is past inside does not come back; a server that was slow may.
        case .timedOut: !isWithoutTime
        // A connection, a name server or a network that comes back.
        case .notConnectedToInternet, .hostNotFound, .connectionRefused, .proxyFailed,
            .secureConnectionFailed, .connectionLost:
            true
        // The request itself is at fault.
        case .malformedURL, .malformedMethod, .malformedHeader, .malformedPayload, .missingCredentials: false
        // Something here ended it, and would again.
        case .engineUnavailable, .cancelled, .payloadTooLarge, .tooManyRedirects, .unwritableDestination, .tooManyCalls,
            .refreshFailed:
            false
        // The status that came with it decides.
        case .rejected: false
        // Who the other side is does not change from one try to the next, and must not be tried out.
        case .serverCertificateUntrusted, .clientCertificateRejected: false
        // The bytes came, and are wrong.
        case .malformedResponse, .unreadablePayload: false
        // Nobody knows what it is.
        case .noDataOrNoResponse, .other: false
        }
    }
}
