#if os(Linux)
    import CCurl

    /// Whether concurrent calls to a host share a connection.
    enum ConnectionUse: Hashable, Sendable {
        /// No handshake of TLS has decided between HTTP/1.1 and a version that shares connections (ALPN, RFC 7301).
        case unknown

        /// Each running call has its own connection: HTTP/1.1.
        case exclusive

        /// Calls share a connection: HTTP/2 and HTTP/3.
        case multiplexed

        init(_ use: ccurl_connection_use) {
            switch use {
            case ccurl_use_exclusive: self = .exclusive
            case ccurl_use_multiplexed: self = .multiplexed
            default: self = .unknown
            }
        }

        /// The value for libcurl's callbacks.
        var forCallbacks: ccurl_connection_use {
            switch self {
            case .unknown: ccurl_use_unknown
            case .exclusive: ccurl_use_exclusive
            case .multiplexed: ccurl_use_multiplexed
            }
        }
    }
#endif
