public import StartSmallCore

/// The handling of a request by `.cache`, as the field `Cache-Status` reports it (RFC 9211).
///
/// The text is `StartSmall; hit; ttl=30`, or `StartSmall; fwd=stale; fwd-status=304; stored`.
public struct CacheStatus: ReportedEvent {
    /// Whether the response is from the store, and no request was sent for it.
    public internal(set) var isHit = false

    /// The reason why a request was sent to the server (RFC 9211 2.2); nil for a hit.
    public internal(set) var forward: String?

    /// The status of the server's response, if it differs from that of the returned one.
    public internal(set) var forwardStatus: Int?

    /// The remaining seconds of freshness; negative for a stale response, nil for one that is not stored.
    public internal(set) var ttl: Int?

    /// Whether the response was stored.
    public internal(set) var isStored = false

    /// Whether another call's request got the response.
    public internal(set) var isCollapsed = false

    /// Further information: why a stale response was used, or why a response was not stored; nil if there is none.
    public internal(set) var detail: String?

    /// The name of the event by which `.cache` reports the handling.
    public var name: String { "cache" }

    fileprivate static let cacheName = "StartSmall"
    fileprivate static let fieldName = "Cache-Status"

    /// The status of a 504 for `only-if-cached`.
    static let onlyIfCached = CacheStatus(detail: "only-if-cached")
}

extension CacheStatus: CustomStringConvertible {
    /// The value of the field `Cache-Status`.
    public var description: String {
        var text = Self.cacheName
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let ttl { text += "; ttl=\(ttl)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(detail)" }
        return text
    }
}

extension Response {
    /// The handling of the request by `.cache`, as `StartSmall; hit; ttl=30`; nil if no cache of this kit was involved.
    ///
    /// Of several caches, the outermost one counts: the last `Cache-Status` field (RFC 9211 2).
    public var cacheStatus: String? {
        // As bytes: Swift compares texts by their normal form, in quadratic time for combining characters.
        guard let text = headers.values(of: CacheStatus.fieldName).last,
            text.utf8.prefix(while: { $0 != UInt8(ascii: ";") }).elementsEqual(CacheStatus.cacheName.utf8)
        else { return nil }
        return text
    }

    /// Whether `.cache` answered with a stored response, so that no request was sent.
    public var isFromCache: Bool { cacheStatus?.utf8.starts(with: "\(CacheStatus.cacheName); hit".utf8) ?? false }

    /// Returns the response with a status after those that it has (RFC 9211 2).
    func adding(_ status: CacheStatus) -> Response {
        var response = self
        response.headers.append(CacheStatus.fieldName, "\(status)")
        return response
    }
}

extension MissReason {
    var forward: String {
        switch self {
        case .nothingStored: "uri-miss"
        case .noVariant: "vary-miss"
        case .stale, .noCache: "stale"
        case .request: "request"
        }
    }

    /// The parameter `detail` of this reason; nil if `fwd` says it all.
    var detail: String? {
        switch self {
        case .nothingStored, .noVariant, .stale: nil
        case .noCache: "no-cache"
        case .request(let directive): directive
        }
    }
}
