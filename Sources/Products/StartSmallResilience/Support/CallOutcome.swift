import StartSmallCore

/// The meaning of a call's output for a wrapper that observes the health of a service.
enum CallOutcome: Hashable, Sendable {
    case success, failure

    /// A call that says nothing about the service: it was cancelled, or never sent.
    case unknown

    init(_ output: Output, in context: CallContext, isFailure: () -> Bool) {
        self.init(output, remainingTime: context.remainingConnectorTime, isFailure: isFailure)
    }

    init(_ output: Output, remainingTime: Duration?, isFailure: () -> Bool) {
        guard case .noResponse(let error) = output else {
            self = isFailure() ? .failure : .success
            return
        }
        switch (error, error.fault) {
        // Ended by an outer time limit: the service was too slow. Any other cancellation is the caller's wish.
        case (.cancelled, _): self = remainingTime.map { $0 <= .zero } ?? false ? .failure : .unknown
        case (.timedOut(let cause), _) where cause.isChosenTimeLimit: self = .unknown
        case (.refused(_, after: nil), _): self = .unknown
        case (.refused, .service): self = .failure
        // The service has answered.
        case _ where output.response != nil, (_, .limit): self = isFailure() ? .failure : .success
        case (_, .caller): self = .unknown
        // A call without a response is never a success: an untrusted certificate, for example.
        default: self = isFailure() ? .failure : .unknown
        }
    }
}

extension Next {
    /// Whether the call is past its time limit, so that a request would only be abandoned.
    var isOver: Bool { context.remainingTime.map { $0 <= .zero } ?? false }
}
