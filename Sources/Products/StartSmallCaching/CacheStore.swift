/// The storage of a cache: memory, a directory, or an app's own, as three functions.
///
/// A function that throws is a miss, or stores or removes nothing; the call never fails for it.
public struct CacheStore: Sendable {
    /// Returns the stored responses of a key: one for each variant (RFC 9111 4.1).
    let responses: @Sendable (CacheKey) async throws -> [StoredResponse]

    /// Stores a response under a key, in place of the one with the same ``StoredResponse/variant``.
    let store: @Sendable (StoredResponse, CacheKey) async throws -> Void

    /// Removes the responses of a URL, for all identities (RFC 9111 4.4).
    let remove: @Sendable (_ url: String) async throws -> Void

    /// ``responses`` of a store that answers at once, without a task that outlives the call; nil for other stores.
    let immediateResponses: (@Sendable (CacheKey) -> [StoredResponse])?

    /// The calls that are under way, which all connectors with copies of this store share.
    let coordinator = CacheCoordinator()

    /// Creates a store from its functions, which several tasks may call at the same time.
    ///
    /// - Parameters:
    ///   - responses: returns the stored responses of a key; none if there is none.
    ///   - store: stores a response under a key, in place of the one with the same ``StoredResponse/variant``.
    ///   - remove: removes the responses of a URL, for all identities.
    public init(
        responses: @escaping @Sendable (CacheKey) async throws -> [StoredResponse],
        store: @escaping @Sendable (StoredResponse, CacheKey) async throws -> Void,
        remove: @escaping @Sendable (_ url: String) async throws -> Void
    ) {
        (self.responses, self.store, self.remove, immediateResponses) = (responses, store, remove, nil)
    }

    /// Creates a store that answers at once, and never fails.
    init(
        immediateResponses: @escaping @Sendable (CacheKey) -> [StoredResponse],
        store: @escaping @Sendable (StoredResponse, CacheKey) -> Void,
        remove: @escaping @Sendable (_ url: String) -> Void
    ) {
        (responses, self.store, self.remove) = (immediateResponses, store, remove)
        self.immediateResponses = immediateResponses
    }
}

/// The key under which a cache stores responses: the URL, and who asked for it.
public struct CacheKey: Hashable, Sendable {
    /// The URL with its query, without its fragment (RFC 9111 2; RFC 9110 4.2.3 for its normal form).
    ///
    /// Its host is that of the request's own `Host` field, if there is one (RFC 9110 7.1).
    public var url: String

    /// The digest of the request's credentials in hexadecimal; empty for a request without credentials.
    ///
    /// The responses to one identity are never given to another one.
    public var identity: String

    /// Creates a key.
    public init(url: String, identity: String) {
        (self.url, self.identity) = (url, identity)
    }
}
