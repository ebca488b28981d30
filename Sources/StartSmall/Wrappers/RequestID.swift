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
        random: @escaping @Sendable () -> UUID = { .random() }
    ) -> Wrapper {
        Wrapper("requestID") { input, next in
            if input.headers.contains(name) { return await next(input) }
            return await next(input.with { $0.headers.append(name, random().uuidString.lowercased()) })
        }
    }
}

extension UUID {
    /// Returns a random UUID of version 4 (RFC 9562 5.4).
    ///
    /// Foundation's `UUID()` opens `/dev/urandom` for each one on Linux.
    @usableFromInline
    static func random() -> UUID {
        let bits = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        let high = bits.0 & ~0xF000 | 0x4000
        let low = bits.1 & ~(0b11 << 62) | 0b10 << 62
        return UUID(uuid: withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.loadUnaligned(as: uuid_t.self) })
    }
}
