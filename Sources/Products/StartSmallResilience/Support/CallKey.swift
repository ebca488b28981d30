public import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation

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
        let server = Origin.text(of: input.url)
        guard input.headers.contains("Host") else { return server }
        // A field that can't be read is for no service.
        let service = input.targetURL.map { Origin.text(of: $0) } ?? ""
        return service == server ? server : "\(server) \(service)"
    }

    /// A single key for all requests through the connector.
    public static let connector = CallKey { _ in "" }

    func callAsFunction(_ input: Input) -> String { key(input) }
}

extension Origin {
    /// The scheme, the host and the port of a URL; empty without an `http` or `https` origin, as of a relative URL.
    fileprivate static func text(of url: URL) -> String {
        Origin(url).map { "\($0.scheme)://\($0.host):\($0.port)" } ?? ""
    }
}
