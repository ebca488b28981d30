extension HTTPStatus {
    /// Whether the status is that of a failure that may not recur.
    package var isTransient: Bool { Self.transient.contains(self) }

    /// The statuses of transient failures.
    ///
    /// 408 (RFC 9110 15.5.9), 425 (RFC 8470 5.2), 429 (RFC 6585 4), and 500, 502, 503 and 504 (RFC 9110 15.6). The
    /// other server errors 501 and 505 are permanent.
    private static let transient: Set<HTTPStatus> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]
}

extension ConnectionError {
    /// Whether the failure may not recur in the next attempt, as a lost connection or an expired time limit.
    ///
    /// The status of a response that the error keeps does not count: `RetryCondition.isTransient(_:)` of StartSmallRetry
    /// decides on it.
    public var isTransient: Bool {
        switch self {
        // Each error is named, so that a new error requires a decision.
        // An expired inner time limit stays expired; a slow server may be faster next time.
        case .timedOut: !isWithoutTime
        // A connection, a name server or a network may be available again.
        case .notConnectedToInternet, .hostNotFound, .connectionRefused, .secureConnectionFailed, .connectionLost:
            true
        // A proxy decides by its status: a wrong password that is sent again and again locks the account.
        case .proxyFailed(let cause): cause.statusOfProxy?.isTransient ?? true
        // The request is invalid, or the client ended the call, and would end it again.
        case .malformedURL, .malformedMethod, .malformedHeader, .malformedPayload, .missingCredentials, .requestRefused,
            .engineUnavailable, .cancelled, .payloadTooLarge, .tooManyRedirects, .unwritableDestination, .tooManyCalls,
            .refreshFailed:
            false
        // The wrapper knows when a request can succeed, which is later than a caller should wait; the status of the
        // rejected response decides.
        case .circuitOpen, .rateLimited, .rejected: false
        // The identity of the peer does not change, and must not be probed; the bytes that arrived are invalid.
        case .serverCertificateUntrusted, .clientCertificateRejected, .malformedResponse, .unreadablePayload: false
        // The cause is unknown.
        case .noDataOrNoResponse, .other: false
        }
    }
}
