extension Wrapper {
    /// Rejects each response for which `rejectionReason` returns a reason, before any transform.
    ///
    /// ```swift
    /// .validate { $0.headers["X-API-Version"] == "3" ? nil : "not version 3" }
    /// ```
    ///
    /// For a stream, `rejectionReason` is called with the head of the response, before any part of the payload is
    /// delivered. A payload that arrives within a second is kept in the error, up to 64 KiB; the rest is discarded.
    ///
    /// If the payload goes to a file or a consumer, `rejectionReason` is called with the head of the response, too, and
    /// once more at the end. The payload of that response is empty then, unless the connector delivers no parts.
    ///
    /// - Parameter rejectionReason: returns the reason to reject a response, or nil to accept the response.
    /// - Passes through: outputs for which `rejectionReason` returns nil, or that have no response.
    /// - Order: inside of `.retry`, a rejected response is retried if the policy says so, by default by its status, as
    ///   if it had not been rejected; outside, only the last response is validated. Outside of `.redirect`, redirect
    ///   responses are not validated.
    /// - Events: ``Event/received(_:)``, and then ``Event/invalid(_:reason:)``.
    /// - Errors: ``ConnectionError/rejected(_:reason:)``, which keeps the whole response, of a stream what arrived.
    public static func validate(_ rejectionReason: @escaping @Sendable (Response) -> String?) -> Wrapper {
        Wrapper(WrapperDeclaration("validate", changes: [.response, .destination])) { input, next in
            let output = await next(input.with { $0.destination = $0.destination.validated(by: rejectionReason) })
            guard case .hasResponse(let response) = output else { return output }
            let isOpen = response.body != nil
            guard let reason = rejectionReason(isOpen ? response.head : response) else { return output }
            return .noResponse(.rejected(await response.keepingRefusedPayload(), reason: reason))
        }
    }
}

extension Destination {
    /// Returns a destination at which the head of a rejected response ends the call.
    fileprivate func validated(by rejectionReason: @escaping @Sendable (Response) -> String?) -> Destination {
        guard let consumer else { return self }
        return .consumer(
            consumer.wrapped { part, isWanted, inner in
                if case .head(let response) = part, let reason = rejectionReason(response) {
                    return .rejected(response, reason: reason)
                }
                return await inner.receive(part, while: isWanted)
            }
        )
    }
}
