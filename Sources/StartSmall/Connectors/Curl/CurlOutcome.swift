#if os(Linux)
    import Foundation

    /// How a transfer ended, as the thread of the engine hands it over: raw, so that reading it is the caller's work and
    /// holds no other transfer up.
    enum CurlOutcome: Sendable {
        /// libcurl is done, and this is what it left.
        case ended(TransferResult)

        /// The task was cancelled.
        case cancelled

        /// The engine can't do it at all.
        case refused(String)

        /// Takes out the last chunk of a payload in parts; nil if there is none.
        mutating func takeRest() -> Data? {
            guard case .ended(var remains) = self, let rest = remains.takeRest() else { return nil }
            self = .ended(remains)
            return rest
        }

        /// What comes out of a call, by an input's limit.
        func output(payloadLimit: Int?) -> Output {
            switch self {
            case .ended(let remains): remains.output(payloadLimit: payloadLimit)
            case .cancelled: .noResponse(.cancelled)
            case .refused(let reason): .noResponse(.engineUnavailable(debugInfo: reason))
            }
        }
    }

    /// What libcurl left of a transfer.
    struct TransferResult: Sendable {
        /// The lines of all heads and of the trailers, and behind them the payload unless it is in `payload`.
        var bytes: [UInt8]

        /// How many of `bytes` are lines.
        var headCount: Int

        /// A payload that is too large to be copied.
        var payload: Data?

        /// What libcurl says is wrong, or nil if it is content.
        var failure: CurlFailure?

        /// Why the request's payload could not be read, or nil if it could.
        var bodyFailure: ConnectionError?

        /// Whether the payload was cut at its limit.
        var isOverLimit = false

        /// Whether the payload is taken in parts, so that only what was not taken yet is left here.
        var isInParts = false

        fileprivate mutating func takeRest() -> Data? {
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
            return .noResponse(ConnectionError(failure ?? .endedInHead, partial: response))
        }

        /// The response as far as it has come, if its head is whole.
        var response: Response? {
            var head = CurlHead()
            bytes.withUnsafeBufferPointer { head.feed(UnsafeBufferPointer(rebasing: $0.prefix(headCount))) }
            guard head.isComplete, let code = head.statusCode else { return nil }
            return Response(
                statusCode: .from(code: code),
                headers: HTTPHeaders(head.fields),
                payload: payload ?? Data(bytes.dropFirst(headCount)),
                trailers: HTTPHeaders(head.trailers)
            )
        }
    }

    extension CurlFailure {
        /// What libcurl is content with: half a head (7.81 to 7.88).
        fileprivate static let endedInHead = CurlFailure(
            code: 56,
            text: "the connection ended before the head of the response was whole"
        )
    }
#endif
