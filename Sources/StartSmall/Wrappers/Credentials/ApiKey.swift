public import Foundation

extension Wrapper {
    /// Wrapper that sends the key of an app, in a header field or a query item.
    ///
    /// - Unchanged when: the request has a field or item of this name.
    /// - Order: outside of `.redirect`, a field is left behind where another origin begins if ``Redaction/standard`` knows
    ///   its name or ``RedirectPolicy/credentials`` has it, and an item does not go along at all: a server's `Location` has
    ///   its own.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if the key is empty.
    public static func apiKey(_ key: String, in place: APIKeyLocation) -> Wrapper {
        apiKey(in: place, onlyFor: nil) { key }
    }

    /// Wrapper that sends the key of an app, in a header field or a query item, but to one origin alone.
    ///
    /// - Unchanged when: the request has a field or item of this name, or goes to another origin than that of `only`.
    /// - Order: inside of `.baseURL`, since a relative URL has no origin. Outside of `.redirect`, as without `only`; inside
    ///   of it, a key goes wherever it belongs.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if the key is empty; and for every call if `only` is
    ///   no absolute `http` or `https` URL.
    public static func apiKey(_ key: String, in place: APIKeyLocation, only home: URL) -> Wrapper {
        apiKey(in: place, onlyFor: home) { key }
    }

    /// Wrapper that asks for the key of an app, and sends it in a header field or a query item.
    ///
    /// - Unchanged when: as with a fixed key; then nobody is asked for it.
    /// - Order: as with a fixed key.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no key, or an empty one: nothing is sent
    ///   then. What `key` throws, if it is a ``ConnectionError``.
    public static func apiKey(
        in place: APIKeyLocation,
        _ key: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        apiKey(in: place, onlyFor: nil, key)
    }

    /// Wrapper that asks for the key of an app, and sends it in a header field or a query item, but to one origin alone.
    ///
    /// - Unchanged when: as with a fixed key; then nobody is asked for it.
    /// - Order: as with a fixed key.
    /// - Fails with: the same as without `only`; and as with a fixed key for every call if `only` is no absolute URL.
    public static func apiKey(
        in place: APIKeyLocation,
        only home: URL,
        _ key: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        apiKey(in: place, onlyFor: home, key)
    }

    private static func apiKey(
        in place: APIKeyLocation,
        onlyFor home: URL?,
        _ key: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        Wrapper { input, next in
            switch input.mayTake(origin: home) {
            case .left(let error): return .noResponse(error)
            case .right(true) where !place.isTaken(in: input):
                let key = await Either.credential("API key", from: key)
                return await next(key.map { key in input.with { place.put(key, into: &$0) } })
            case .right: return await next(input)
            }
        }
    }
}

/// Where an API wants the key of an app.
///
/// Descriptions hide it if ``Redaction/standard`` knows the name, as it does `X-API-Key`, `api_key` and the like.
public enum APIKeyLocation: Hashable, Sendable {
    /// In a header field of this name.
    case header(String)

    /// In a query item of this name. It is then in the log of every server on the way: take a header where there is one.
    case query(String)

    fileprivate func isTaken(in input: Input) -> Bool {
        switch self {
        case .header(let name):
            input.headers.contains(name)
        case .query(let name):
            input.queries.contains { $0.name == name }
                || URLComponents(url: input.url, resolvingAgainstBaseURL: true)?.queryItems?
                    .contains { $0.name == name } ?? false
        }
    }

    fileprivate func put(_ key: String, into input: inout Input) {
        switch self {
        case .header(let name): input.headers.append(name, key)
        case .query(let name): input.queries.append(URLQueryItem(name: name, value: key))
        }
    }
}
