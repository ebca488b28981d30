public import StartSmallCore

extension Wrapper {
    /// The default limit of a payload in memory: 64 MiB.
    ///
    /// The limit is far above the usual responses of an API (GitHub's largest documented response, a blob, is 100 MB
    /// and meant for a file), and far below the memory that the system lets an app use, so that neither a mistake nor a
    /// decompression bomb ends the process.
    @usableFromInline static let defaultPayloadLimit = 64 * 1024 * 1024

    /// Ends a call with ``ConnectionError/payloadTooLarge(_:limit:)`` if the payload is larger than a limit.
    ///
    /// The engines enforce the limit while the payload arrives, after decompression, so that a decompression bomb does
    /// no harm. The payload of any other connector is measured when it is complete.
    ///
    /// - Parameter bytes: the maximum size of the payload in bytes, 64 MiB by default; a smaller limit that the input
    ///   already has stays.
    /// - Passes through: payloads of at most `bytes` bytes, and successful payloads to a file or a
    ///   stream instead of into memory. With `.urlSession()`, bytes that wait for the reader are in memory, and count.
    /// - Order: any; of several limits, the smallest wins.
    /// - Errors: ``ConnectionError/payloadTooLarge(_:limit:)``, which keeps the response with the payload truncated to
    ///   the limit.
    public static func limitPayload(bytes: Int = defaultPayloadLimit) -> Wrapper {
        Wrapper("limitPayload") { input, next in
            var input = input
            let limit = max(0, min(bytes, input.payloadLimit ?? bytes))
            input.payloadLimit = limit
            let output = await next(input)
            guard case .hasResponse(var response) = output, response.payload.count > limit,
                input.staysInMemory || !response.statusCode.isSuccess
            else { return output }
            response.payload = response.payload.prefix(limit)
            return .noResponse(.payloadTooLarge(response, limit: limit))
        }
    }

    /// Changes the limits of payloads outside of 2xx, which are 1 MiB and 10 seconds after the head without this wrapper.
    ///
    /// ```swift
    /// let patient = Connector.standard.wrapped(by: .limitPayload(ofErrors: 5_000_000, within: .seconds(60)))
    /// ```
    ///
    /// A payload that is cut is broken: retries, new tokens and fallbacks decide by the head, and no problem is decoded
    /// from it. Its connection is closed, or its stream reset.
    ///
    /// - Parameters:
    ///   - bytes: the maximum size in bytes; a smaller limit of ``limitPayload(bytes:)`` applies as well.
    ///   - time: the maximum time from the head to the end of the payload; nil for 10 seconds.
    ///   - clock: the clock that measures the time.
    /// - Passes through: payloads of 2xx, and redirects that ``redirect(_:)`` follows.
    /// - Order: any; of several such wrappers, the innermost one counts.
    /// - Errors: ``ConnectionError/payloadTooLarge(_:limit:)`` and ``ConnectionError/timedOut(_:)``, which keep the
    ///   response with the part of the payload that arrived.
    public static func limitPayload(
        ofErrors bytes: Int,
        within time: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Wrapper {
        Wrapper("limitPayload(ofErrors:)") { input, next in
            await next.with { $0.limitErrorPayload(to: bytes, within: time, clock: clock) }(input)
        }
    }
}
