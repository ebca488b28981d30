public import StartSmallCore

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
    /// A file is validated when it is complete, by its head; the file of a rejected response is removed. A wrapper that
    /// rejects a download at its head is a streaming wrapper (``streaming(_:_:)``).
    ///
    /// - Parameter rejectionReason: returns the reason to reject a response, or nil to accept the response.
    /// - Passes through: outputs for which `rejectionReason` returns nil, or that have no response.
    /// - Order: inside of `.retry`, a rejected response is retried if the policy says so, by default by its status, as
    ///   if it had not been rejected; outside, only the last response is validated. Outside of `.redirect`, redirect
    ///   responses are not validated.
    /// - Events: ``Event/received(_:)``, and then ``Event/invalid(_:reason:)``.
    /// - Errors: ``ConnectionError/rejected(_:reason:)``, which keeps the whole response, of a stream what arrived.
    public static func validate(_ rejectionReason: @escaping @Sendable (Response) -> String?) -> Wrapper {
        Wrapper("validate") { input, next in
            let output = await next(input)
            guard case .hasResponse(let response) = output else { return output }
            let reason = response.body == nil ? rejectionReason(response) : rejectionReason(response.head)
            guard let reason else { return output }
            return .noResponse(.rejected(await response.keepingPayload(), reason: reason))
        }
    }
}
