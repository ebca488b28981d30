public import StartSmallCore
public import StartSmallFoundation

extension Wrapper {
    /// The header field of draft-ietf-httpapi-idempotency-key-header-07.
    @usableFromInline static let defaultIdempotencyKeyHeader = "Idempotency-Key"

    /// The default methods that get an idempotency key: POST and PATCH.
    ///
    /// HTTP defines neither method as idempotent, so a repetition may do harm (RFC 9110 9.2.2 and RFC 5789 2). The
    /// draft is written for these methods.
    @usableFromInline static let defaultIdempotencyKeyMethods: Set<String> = ["POST", "PATCH"]

    /// Adds an `Idempotency-Key` header field to each POST and PATCH request.
    ///
    /// By this key, the server recognizes a repetition. The key is a random UUID as a string of RFC 9651 3.3.3, as the
    /// draft defines it: in quotes. For servers that expect the key without quotes, pass `quoted: false`.
    ///
    /// By default, ``retry(_:budget:clock:random:now:)`` retries such a request only with the standard field. For
    /// another `header`, a ``RetryCondition`` has to allow the retry:
    ///
    /// ```swift
    /// RetryCondition { input, output in
    ///     let isSafe = RetryCondition.isSafeToReplay(input) || input.headers.contains("Order-Key")
    ///     return isSafe && RetryCondition.isTransient(output)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the header field; by default `Idempotency-Key`, the field of
    ///     draft-ietf-httpapi-idempotency-key-header-07.
    ///   - methods: the methods whose requests get a key; by default POST and PATCH, neither of which HTTP defines as
    ///     idempotent (RFC 9110 9.2.2 and RFC 5789 2).
    ///   - quoted: whether the key is sent in quotes.
    ///   - random: generates the UUIDs.
    /// - Passes through: requests that have such a field, or another method.
    /// - Order: **outside of `.retry`**: one key is generated, and all attempts send the same key. Inside, each attempt
    ///   has its own key, and a server whose response was lost executes the request twice.
    public static func idempotencyKey(
        header name: String = defaultIdempotencyKeyHeader,
        methods: Set<String> = defaultIdempotencyKeyMethods,
        quoted: Bool = true,
        random: @escaping @Sendable () -> UUID = { .random() }
    ) -> Wrapper {
        Wrapper("idempotencyKey") { input, next in
            guard methods.contains(input.methodAndPayload.method), !input.headers.contains(name) else {
                return await next(input)
            }
            let key = random().uuidString.lowercased()
            return await next(input.with { $0.headers.append(name, quoted ? "\"\(key)\"" : key) })
        }
    }
}
