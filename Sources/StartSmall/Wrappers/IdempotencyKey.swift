public import Foundation

extension Wrapper {
    /// The field of draft-ietf-httpapi-idempotency-key-header-07.
    public static let defaultIdempotencyKeyHeader = HTTPMethodAndPayload.idempotencyKeyHeader

    /// The methods of HTTP that may do harm when they are done twice: not idempotent by RFC 9110 9.2.2 and RFC 5789 2, and
    /// the ones that the draft is written for.
    public static let defaultIdempotencyKeyMethods: Set<String> = ["POST", "PATCH"]

    /// Wrapper that gives each request that must not be done twice a key, by which the server knows it again.
    ///
    /// It is a random UUID as a string of RFC 9651 3.3.3, as the draft has it: in quotes. Some servers want it bare: they
    /// take `quoted: false`.
    ///
    /// - Unchanged when: the request has such a field, or another method.
    /// - Order: **outside of what tries again**: a key is made once, and all attempts have the same one. Inside, each
    ///   attempt has its own, and a server that lost only its answer does everything twice.
    ///
    /// Of its own accord, ``retry(_:budget:clock:random:now:)`` repeats for the standard field alone. For another `header`,
    /// a ``RetryCondition`` has to say so:
    ///
    /// ```swift
    /// RetryCondition { input, output in
    ///     let isSafe = RetryCondition.isSafeToReplay(input) || input.headers.contains("Order-Key")
    ///     return isSafe && RetryCondition.isTransient(output)
    /// }
    /// ```
    public static func idempotencyKey(
        header name: String = defaultIdempotencyKeyHeader,
        methods: Set<String> = defaultIdempotencyKeyMethods,
        quoted: Bool = true,
        random: @escaping @Sendable () -> UUID = { UUIDFormat.random() }
    ) -> Wrapper {
        Wrapper { input, next in
            guard methods.contains(input.methodAndPayload.method), !input.headers.contains(name) else {
                return await next(input)
            }
            let key = UUIDFormat.text(of: random())
            return await next(input.with { $0.headers.append(name, quoted ? "\"\(key)\"" : key) })
        }
    }
}
