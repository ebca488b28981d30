import Foundation
public import StartSmall

/// The calls that share the state of a wrapper: its circuit, its rate limit, its latencies.
///
/// ```swift
/// let byTenant = CallKey { $0.headers["X-Tenant"] ?? "" }
/// let limited = engine.wrapped(by: .rateLimit(sharedBy: byTenant))
/// ```
///
/// A key is not shown in events, errors and descriptions, so that it may contain an identity.
public struct CallKey: Sendable {
    private let key: @Sendable (Input) -> String

    /// Creates a key.
    ///
    /// - Parameter key: returns the same text for all requests that share a state.
    public init(_ key: @escaping @Sendable (Input) -> String) {
        self.key = key
    }

    /// The origin of the URL: scheme, host and port; and the host of the request's own `Host` field, if there is one.
    ///
    /// This is the default: one service that fails must not affect the calls of another one. Behind one gateway, two
    /// hosts are two services (RFC 9110 7.1); one host at two addresses is two servers.
    public static let origin = CallKey { input in
        let server = OriginText.text(of: input.url)
        guard input.headers.contains("Host") else { return server }
        // A field that can't be read is for no service.
        let service = input.targetURL.map { OriginText.text(of: $0) } ?? ""
        return service == server ? server : "\(server) \(service)"
    }

    /// A single key for all requests through the connector.
    public static let connector = CallKey { _ in "" }

    func callAsFunction(_ input: Input) -> String { key(input) }
}

/// The origin of a URL as a text, which costs less than ``Origin``.
enum OriginText {
    private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

    /// Returns the scheme, the host and the port if it is not the scheme's default, in lower case.
    ///
    /// A URL without an `http` or `https` origin has an empty text: a relative one, outside of `.baseURL`.
    static func text(of url: URL) -> String {
        var text = url.absoluteString
        let plain = text.withUTF8 { bytes -> Int? in
            guard let scheme = schemes.first(where: { bytes.starts(with: $0) }) else { return nil }
            var end = scheme.count
            // A plain host without a port needs no parser.
            while end < bytes.count, isPlain(bytes[end]) { end += 1 }
            return end > scheme.count && (end == bytes.count || bytes[end] == UInt8(ascii: "/")) ? end : nil
        }
        if let plain { return String(text.utf8.prefix(plain)) ?? "" }
        guard let origin = Origin(url) else { return "" }
        let isDefault = origin.port == (origin.scheme == "https" ? 443 : 80)
        return "\(origin.scheme)://\(origin.host)" + (isDefault ? "" : ":\(origin.port)")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
