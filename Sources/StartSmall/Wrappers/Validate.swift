extension Wrapper {
    /// Wrapper that refuses a response for which `rejectionReason` gives a reason, for a whole API and before any transform.
    ///
    /// ```swift
    /// .validate { $0.headers["X-API-Version"] == "3" ? nil : "not version 3" }
    /// ```
    ///
    /// Where the payload goes elsewhere than into memory, the response is judged by its head before anything of the payload
    /// is given, and once more at the end; its payload is empty then, unless the connector gives no parts.
    ///
    /// - Unchanged when: `rejectionReason` gives nil, or there is no response.
    /// - Order: inside of `.retry`, what is refused is tried again if its policy says so, by default by its status, as if it
    ///   had not been refused; outside, only the last response is judged. Outside of `.redirect`, redirects are not.
    /// - Fails with: ``ConnectionError/rejected(_:reason:)``, which keeps the whole response.
    public static func validate(_ rejectionReason: @escaping @Sendable (Response) -> String?) -> Wrapper {
        Wrapper { input, next in
            let output = await next(input.with { $0.destination = $0.destination.judging(by: rejectionReason) })
            guard case .hasResponse(let response) = output, let reason = rejectionReason(response) else {
                return output
            }
            return .noResponse(.rejected(response, reason: reason))
        }
    }
}

extension Destination {
    /// The same, but a response that is refused ends the call at its head.
    fileprivate func judging(by rejectionReason: @escaping @Sendable (Response) -> String?) -> Destination {
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
