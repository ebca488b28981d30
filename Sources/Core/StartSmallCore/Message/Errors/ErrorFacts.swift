extension ConnectionError {
    /// The part whose change lets a later call succeed.
    public enum Fault: String, Codable, Hashable, Sendable {
        /// The app, its request, its credentials, its options or its time.
        case caller

        /// A limit that the app has set for its calls.
        case limit

        /// The way to the service.
        case network

        /// The service, which failed or sent invalid bytes.
        case service

        /// The identity of the service or of the client, which was not proved.
        case identity
    }

    /// The part whose change lets a later call succeed.
    ///
    /// Retries, polling, fallbacks, breakers and caches decide by this and the other facts, and not by the cases.
    public var fault: Fault { facts.fault }

    /// Whether the failure may not recur in the next attempt, as a lost connection or an expired time limit.
    ///
    /// The status of a response that the error keeps does not count: `RetryCondition.isTransient(_:)` of StartSmallRetry
    /// decides on it.
    public var isTransient: Bool { facts.isTransient }

    /// Whether a wrapper refused the call, and may let the same call pass later (``Refusal/end``).
    public var mayPass: Bool {
        if case .refused(let refused, _) = self { refused.refusal.end != .never } else { false }
    }

    /// Whether the request, or a part of it, may have reached the server; of a repeated one, that of the last attempt.
    ///
    /// ``Next/notingRequests(of:)`` knows of all attempts.
    public var mayHaveBeenSent: Bool { facts.mayHaveBeenSent }

    /// The facts by which wrappers decide.
    ///
    /// Each error is named, so that a new one requires a decision.
    private var facts: (fault: Fault, isTransient: Bool, mayHaveBeenSent: Bool) {
        switch self {
        case .malformedURL, .malformedMethod, .malformedHeader, .missingCredentials, .engineUnavailable:
            (.caller, false, false)
        // A payload may fail in the middle. The client ended the call, and would end it again; the status of the rejected response decides.
        case .malformedPayload, .cancelled, .unwritableDestination, .rejected: (.caller, false, true)
        case .payloadTooLarge: (.limit, false, true)
        // An expired outer time limit stays expired; a slow server may be faster next time.
        case .timedOut(.noTimeLeft): (.caller, false, false)
        case .timedOut, .connectionLost: (.network, true, true)
        // A name server, a network or a host may be available again.
        case .notConnectedToInternet, .hostNotFound, .connectionRefused, .secureConnectionFailed:
            (.network, true, false)
        // A wrong password that is sent again and again locks the account.
        case .proxyFailed(let cause):
            cause.statusOfProxy.map(\.isTransient) ?? true ? (.network, true, false) : (.caller, false, false)
        // The identity of the peer does not change, and must not be probed.
        case .serverCertificateUntrusted, .clientCertificateRejected: (.identity, false, false)
        case .malformedResponse, .unreadablePayload, .noDataOrNoResponse, .other: (.service, false, true)
        case .refused(let refused, let response): (refused.refusal.fault, refused.refusal.isTransient, response != nil)
        }
    }
}

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
