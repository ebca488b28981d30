import StartSmallCore

/// The meaning of a call's output for a wrapper that observes the health of a service.
enum CallOutcome: Hashable, Sendable {
    case success, failure

    /// A call that says nothing about the service: it was cancelled, or never sent.
    case unknown

    /// Creates the outcome of a call.
    init(_ output: Output, remainingTime: Duration?, isFailure: () -> Bool) {
        guard case .noResponse(let error) = output else {
            self = isFailure() ? .failure : .success
            return
        }
        switch error {
        // Ended by an outer time limit: the service was too slow. Any other cancellation is the caller's wish.
        case .cancelled: self = remainingTime.map { $0 <= .zero } ?? false ? .failure : .unknown
        case .malformedURL, .malformedMethod, .malformedHeader, .malformedPayload, .missingCredentials, .requestRefused,
            .engineUnavailable, .tooManyCalls, .circuitOpen, .rateLimited, .unwritableDestination:
            self = .unknown
        // The service has answered.
        case .rejected, .payloadTooLarge, .tooManyRedirects: self = isFailure() ? .failure : .success
        // A call without a response is never a success: an untrusted certificate, for example.
        default: self = isFailure() ? .failure : output.response == nil ? .unknown : .success
        }
    }
}

extension Next {
    /// Whether the call is past its time limit, so that a request would only be abandoned.
    var isOver: Bool { context.remainingTime.map { $0 <= .zero } ?? false }
}
