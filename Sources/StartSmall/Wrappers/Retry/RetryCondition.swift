/// The calls that are made again: a pure function of the request and what came of it.
///
/// ```swift
/// let pending = RetryCondition { input, output in
///     RetryCondition.isSafeToReplay(input) && output.response?.statusCode == .notFound
/// }
/// ```
public struct RetryCondition: Sendable {
    private let isRetryable: @Sendable (Input, Output) -> Bool

    /// Creates a condition.
    ///
    /// - Parameter isRetryable: whether to send this request again after this output.
    public init(_ isRetryable: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool) {
        self.isRetryable = isRetryable
    }

    /// Whether to send a request again after this output.
    public func callAsFunction(_ input: Input, _ output: Output) -> Bool {
        isRetryable(input, output)
    }

    /// A condition that holds where this one or another one does.
    public func or(_ other: RetryCondition) -> RetryCondition {
        RetryCondition { self($0, $1) || other($0, $1) }
    }

    /// Retries transient failures of requests that are safe to replay.
    public static let standard = RetryCondition { isSafeToReplay($0) && isTransient($1) }

    /// Retries a request of any method that was throttled: 429 with `Retry-After` (RFC 6585 4, RFC 9110 10.2.3).
    ///
    /// Such a server did not carry the request out, and says when to send it again.
    public static let throttled = RetryCondition { _, output in
        guard let answer = output.answer, answer.statusCode == .tooManyRequests else { return false }
        return answer.headers.contains("Retry-After")
    }

    /// Retries what ``standard`` retries, and a throttled request of any method.
    public static let standardOrThrottled = standard.or(throttled)

    /// Retries transient failures of any method, even of what must not be done twice: an order, a payment, a message.
    ///
    /// A request may have been carried out though its answer was lost. This is for servers of which you know that they
    /// notice the same request coming again. If you only want to repeat a POST, give it an `Idempotency-Key`.
    public static let dangerouslyReplayingAnyMethod = RetryCondition { _, output in isTransient(output) }

    /// Whether the method is idempotent, or the request has an `Idempotency-Key`
    /// (draft-ietf-httpapi-idempotency-key-header), by which a server knows a request that comes again.
    public static func isSafeToReplay(_ input: Input) -> Bool {
        HTTPMethodAndPayload.mayBeSentAnew(input.methodAndPayload.method, input.headers)
    }

    /// Whether the output is a failure that may have passed by the next try.
    public static func isTransient(_ output: Output) -> Bool {
        output.answer.map { defaultStatuses.contains($0.statusCode) } ?? output.connectionError?.isTransient ?? false
    }

    /// The statuses that say "not now".
    ///
    /// 408 (RFC 9110 15.5.9), 425 (RFC 8470 5.2), 429 (RFC 6585 4), and 500, 502, 503 and 504 (RFC 9110 15.6). Of the
    /// other errors of a server, 501 and 505 do not pass by themselves.
    public static let defaultStatuses: Set<HTTPStatus> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]
}

extension ConnectionError {
    /// Whether it may have passed by the next try; one case each, so that a new one has to be thought about.
    fileprivate var isTransient: Bool {
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
        case .requestRefused, .engineUnavailable, .cancelled, .payloadTooLarge, .tooManyRedirects,
            .unwritableDestination, .tooManyCalls, .refreshFailed:
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
