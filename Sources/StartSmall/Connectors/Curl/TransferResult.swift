#if os(Linux)
    import Foundation

    /// The result that libcurl left of a transfer.
    struct TransferResult: Sendable {
        /// The lines of all heads and of the trailers, followed by the payload unless it is in `payload`.
        var bytes: [UInt8]

        /// The number of bytes of `bytes` that are lines.
        var headCount: Int

        /// A payload that is too large to be copied.
        var payload: Data?

        /// The failure that libcurl reports, or nil if libcurl reports none.
        var failure: CurlFailure?

        /// The reason why the request's payload could not be read, or nil if it could.
        var bodyFailure: ConnectionError?

        /// Whether the head contradicts itself about the payload, so that it is discarded (RFC 9112 6.3).
        var isHeadRefused = false

        /// Whether the payload was cut at its limit.
        var isOverLimit = false

        /// Whether the payload is taken in parts, so that only the rest is left here.
        var isInParts = false

        mutating func takeRest() -> Data? {
            guard isInParts else { return nil }
            let rest = payload ?? Data(bytes.dropFirst(headCount))
            payload = nil
            bytes.removeLast(bytes.count - headCount)
            return rest.isEmpty ? nil : rest
        }

        func output(payloadLimit: Int?) -> Output {
            let response = response
            if let response, failure == nil { return .hasResponse(response) }
            if let bodyFailure { return .noResponse(bodyFailure) }
            if isOverLimit, let response, let payloadLimit {
                return .noResponse(.payloadTooLarge(response, limit: payloadLimit))
            }
            return .noResponse(ConnectionError(failure ?? .endedInHead, partial: isHeadRefused ? nil : response))
        }

        /// The response as far as it has arrived, if its head is complete.
        var response: Response? {
            var head = CurlHead()
            bytes.withUnsafeBufferPointer { head.feed(UnsafeBufferPointer(rebasing: $0.prefix(headCount))) }
            guard head.isComplete, let code = head.statusCode else { return nil }
            var response = Response(
                statusCode: .from(code: code),
                headers: HTTPHeaders(head.fields),
                payload: payload ?? Data(bytes.dropFirst(headCount)),
                trailers: HTTPHeaders(head.trailers)
            )
            response.called.httpVersion = head.version
            return response
        }
    }

    extension CurlFailure {
        /// An incomplete head, which libcurl does not report as a failure (7.81 to 7.88).
        fileprivate static let endedInHead = CurlFailure(
            code: 56,
            text: "the connection ended before the head of the response was complete"
        )
    }
#endif
