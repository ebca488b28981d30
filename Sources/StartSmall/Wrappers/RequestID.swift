public import Foundation

extension Wrapper {
    /// The field in which most servers, proxies and hosts expect a request's id; no RFC names one.
    public static let defaultRequestIDHeader = "X-Request-ID"

    /// Wrapper that gives each request an id, by which a log here and a log there can be laid side by side.
    ///
    /// It is a random UUID in small letters (RFC 9562 4 and 5.4).
    ///
    /// - Unchanged when: the request has such a field.
    /// - Order: outside of what tries again, all attempts have one id; inside of it each has its own.
    public static func requestID(
        header name: String = defaultRequestIDHeader,
        random: @escaping @Sendable () -> UUID = { UUIDFormat.random() }
    ) -> Wrapper {
        Wrapper { input, next in
            if input.headers.contains(name) { return await next(input) }
            return await next(input.with { $0.headers.append(name, UUIDFormat.text(of: random())) })
        }
    }
}
