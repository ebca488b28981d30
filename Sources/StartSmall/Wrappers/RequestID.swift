public import StartSmallCore
public import StartSmallFoundation

extension Wrapper {
    /// The header field in which most servers, proxies and hosts expect a request ID; no RFC names one.
    @usableFromInline static let defaultRequestIDHeader = "X-Request-ID"

    /// Adds a request ID to each request, by which the logs of client and server can be compared.
    ///
    /// The ID is a random UUID in lowercase (RFC 9562 4 and 5.4).
    ///
    /// - Parameters:
    ///   - name: the name of the header field; by default `X-Request-ID`, in which most servers, proxies and hosts
    ///     expect a request ID.
    ///   - random: generates the UUIDs.
    /// - Passes through: requests that already have such a field.
    /// - Order: outside of `.retry`, all attempts have one ID; inside of it, each attempt has its own.
    public static func requestID(
        header name: String = defaultRequestIDHeader,
        random: @escaping @Sendable () -> UUID = { UUID() }
    ) -> Wrapper {
        Wrapper("requestID") { input, next in
            if input.headers.contains(name) { return await next(input) }
            return await next(input.with { $0.headers.append(name, random().uuidString.lowercased()) })
        }
    }
}
