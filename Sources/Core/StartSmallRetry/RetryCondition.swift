public import StartSmallCore

/// The calls that are retried: a pure function of the request and its output.
///
/// ```swift
/// let pending = RetryCondition { input, output in
///     RetryCondition.isSafeToReplay(input) && output.response?.statusCode == .notFound
/// }
/// ```
public struct RetryCondition: Sendable {
    private let isRetryable: @Sendable (Input, Output) -> Bool

    /// Creates a condition.
    ///
    /// - Parameter isRetryable: returns whether to send this request again after this output.
    public init(_ isRetryable: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool) {
        self.isRetryable = isRetryable
    }

    /// Returns whether to send a request again after this output.
    ///
    /// - Parameters:
    ///   - input: the request that was sent.
    ///   - output: the output of the attempt.
    public func callAsFunction(_ input: Input, _ output: Output) -> Bool {
        isRetryable(input, output)
    }

    /// Returns a condition that holds where this condition or another one holds.
    public func or(_ other: RetryCondition) -> RetryCondition {
        RetryCondition { self($0, $1) || other($0, $1) }
    }

    /// Retries transient failures of requests that are safe to replay, or that the server did not process.
    ///
    /// A server says the latter of a stream that it refuses, or that is above the last one of its GOAWAY (RFC 9113 6.8
    /// and 8.7): then a request of any method is sent again.
    public static let standard = RetryCondition {
        (isSafeToReplay($0) || $1.connectionError?.isUnprocessed == true) && isTransient($1)
    }

    /// Retries a request of any method that was throttled: 429 with `Retry-After` (RFC 6585 4, RFC 9110 10.2.3).
    ///
    /// Such a server did not carry the request out, and says when to send it again.
    public static let throttled = RetryCondition { _, output in
        guard let response = output.response, response.statusCode == .tooManyRequests else { return false }
        return response.headers.contains("Retry-After")
    }

    /// Retries a request that is safe to replay after 409, for an API that answers so when a lock was not free in time.
    ///
    /// 409 alone says only that the request conflicts with the state of the resource (RFC 9110 15.5.10), which the next
    /// attempt does not change: no other condition retries it.
    public static let lockTimeout = RetryCondition { input, output in
        isSafeToReplay(input) && output.response?.statusCode == .conflict
    }

    /// Retries transient failures of any method, even of requests that must not run twice.
    ///
    /// Such requests are an order, a payment, a message. The server may have carried a request out although its
    /// response was lost. This condition is for servers that are known to recognize a repeated request. To only repeat
    /// a POST, add an `Idempotency-Key` instead.
    public static let dangerouslyReplayingAnyMethod = RetryCondition { _, output in isTransient(output) }

    /// Returns whether the method is idempotent (``HTTPMethodAndPayload/isIdempotent``), or the request has an
    /// `Idempotency-Key`.
    ///
    /// By this key (draft-ietf-httpapi-idempotency-key-header), a server recognizes a repeated request.
    public static func isSafeToReplay(_ input: Input) -> Bool {
        HTTPMethodAndPayload.isResendable(input.methodAndPayload.method, input.headers)
    }

    /// Returns whether the output is a failure that may not recur in the next attempt.
    ///
    /// The statuses of such failures are 408, 425, 429, 500, 502, 503 and 504, even if the payload is broken
    /// (``Output/response``); without a response, the error decides.
    public static func isTransient(_ output: Output) -> Bool {
        if case .hasResponse(let response) = output, response.statusCode == .ok { return false }
        return output.response.map { $0.statusCode.isTransient } ?? output.connectionError?.isTransient
            ?? false
    }
}
