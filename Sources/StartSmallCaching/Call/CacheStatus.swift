public import StartSmall

/// The handling of a request by `.cache`, as the field `Cache-Status` reports it (RFC 9211).
///
/// ```swift
/// let isFromCache = response.cacheStatus?.isHit == true
/// ```
///
/// The text is that of the field: `StartSmall; hit; ttl=30`, or `StartSmall; fwd=stale; fwd-status=304; stored`.
public struct CacheStatus: Hashable, Sendable {
    /// The reason why a request was sent to the server (RFC 9211 2.2).
    public enum Forward: String, Hashable, Sendable, CaseIterable {
        /// The cache does not handle such a request.
        case bypass

        /// The method is neither GET nor HEAD.
        case method

        /// No response is stored for the URL and the identity.
        case uriMiss = "uri-miss"

        /// No stored response matches the request fields that `Vary` names.
        case varyMiss = "vary-miss"

        /// No stored response can be used; a cache that tells the reasons apart does not report it.
        case miss

        /// A stored response is fresh, but a directive of the request excludes it.
        case request

        /// The stored response is stale, or may not be used before the server has validated it.
        case stale
    }

    /// Whether the response is from the store, and no request was sent for it.
    public var isHit = false

    /// The reason why a request was sent; nil for a hit.
    public var forward: Forward?

    /// The status of the server's response, if it differs from that of the returned one.
    public var forwardStatus: Int?

    /// The remaining seconds of freshness; negative for a stale response, nil for one that is not stored.
    public var ttl: Int?

    /// Whether the response was stored.
    public var isStored = false

    /// Whether another call's request got the response.
    public var isCollapsed = false

    /// Further information: why a stale response was used, or why a response was not stored; nil if there is none.
    public var detail: String?

    init() {}
}

extension CacheStatus {
    /// The name of the cache in the field.
    public static let cacheName = "StartSmall"

    /// The name of the field.
    static let fieldName = "Cache-Status"

    /// The number of parameters that are read: twice as many as the cache writes.
    ///
    /// A server may send any text.
    private static let maximumParameters = 14

    /// Reads the text of a field; nil if it is not of this cache, or not in ASCII (RFC 9651 4.2).
    ///
    /// - Parameter text: the last member of `Cache-Status`.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let pieces = text.split(separator: ";", maxSplits: Self.maximumParameters).prefix(Self.maximumParameters)
        let parts = pieces.map { $0.trimmingBlanks() }
        guard parts.first == Self.cacheName else { return nil }
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            let value = pair.count == 2 ? String(pair[1]) : nil
            switch pair.first {
            case "hit": isHit = true
            case "fwd": forward = value.flatMap(Forward.init)
            case "fwd-status": forwardStatus = value.flatMap { Int($0) }
            case "ttl": ttl = value.flatMap { Int($0) }
            case "stored": isStored = true
            case "collapsed": isCollapsed = true
            case "detail": detail = value
            default: continue
            }
        }
    }
}

extension CacheStatus: CustomStringConvertible {
    /// The text of the field.
    public var description: String {
        var text = Self.cacheName
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let ttl { text += "; ttl=\(ttl)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(detail)" }
        return text
    }
}

extension MissReason {
    /// The parameter `fwd` of this reason.
    var forward: CacheStatus.Forward {
        switch self {
        case .nothingStored: .uriMiss
        case .noVariant: .varyMiss
        case .stale, .noCache, .invalidated: .stale
        case .request: .request
        }
    }

    /// The parameter `detail` of this reason; nil if `fwd` says it all.
    var detail: String? {
        switch self {
        case .nothingStored, .noVariant, .stale: nil
        case .noCache: "no-cache"
        case .invalidated: "invalidated"
        case .request(let directive): directive
        }
    }
}

extension Response {
    /// The handling of the request by `.cache`; nil if no cache of this kit was involved.
    ///
    /// Of several caches, the outermost one counts.
    public var cacheStatus: CacheStatus? {
        headers.values(of: CacheStatus.fieldName).last.flatMap { CacheStatus($0) }
    }

    /// Returns the response with a status after those that it has (RFC 9211 2).
    func adding(_ status: CacheStatus) -> Response {
        var response = self
        response.headers.append(CacheStatus.fieldName, "\(status)")
        return response
    }
}
