extension Wrapper {
    /// The most bytes of payload that are taken into memory unless told otherwise: 64 MiB.
    ///
    /// Far above what an API answers (GitHub's largest documented answer, a blob, is 100 MB and meant for a file), and
    /// far below what the system lets an app use, so that neither a mistake nor a decompression bomb ends the process.
    public static let defaultPayloadLimit = 64 * 1024 * 1024

    /// Wrapper that ends the call with ``ConnectionError/payloadTooLarge(_:limit:)`` if the payload is larger than allowed.
    ///
    /// The engines obey while the payload arrives, after decompression, so that a bomb does no harm; the payload of any
    /// other connector is measured when it is whole.
    ///
    /// - Unchanged when: the payload has at most `bytes` bytes, or goes elsewhere than into memory: to a file or receiver,
    ///   from a connector that gives parts. A smaller limit that the input already has stays. Over `.urlSession()`, what
    ///   waits for a receiver is in memory, and counts.
    /// - Order: does not matter among limits: the smallest wins.
    /// - Fails with: ``ConnectionError/payloadTooLarge(_:limit:)``, which keeps the response without its payload's excess.
    public static func limitPayload(bytes: Int = defaultPayloadLimit) -> Wrapper {
        Wrapper { input, next in
            var input = input
            let limit = max(0, min(bytes, input.payloadLimit ?? bytes))
            input.payloadLimit = limit
            let output = await next(input)
            guard case .hasResponse(var response) = output, response.payload.count > limit,
                input.destination == .memory || !response.statusCode.isSuccess
            else { return output }
            response.payload = response.payload.prefix(limit)
            return .noResponse(.payloadTooLarge(response, limit: limit))
        }
    }
}
