extension ConnectionOptions {
    /// A version of HTTP; over `URLSession`, only `automatic` is known, and the others have no effect.
    public enum HTTPVersion: Hashable, Sendable {
        /// HTTP/2 over TLS where the server has it, or else HTTP/1.1.
        case automatic

        /// HTTP/1.1 only.
        case http1_1

        /// HTTP/2 from the first byte on without TLS (RFC 9113 3.3); over TLS, what the server chooses.
        ///
        /// From libcurl 8.10 on nothing else is offered over TLS, so that it is HTTP/2 only. An older one offers
        /// HTTP/1.1 too (ALPN, RFC 7301), and is content with that. On libcurl 7.88, each call opens a connection of
        /// its own.
        case http2
    }

    /// A version of TLS.
    public enum TLSVersion: Hashable, Sendable {
        /// TLS 1.2; everything older is deprecated (RFC 8996).
        case tls1_2

        /// TLS 1.3 (RFC 8446).
        case tls1_3
    }

    /// Whether payloads are decompressed.
    public enum Decompression: Hashable, Sendable {
        /// Gzip, deflate and br are asked for, as far as zlib and libbrotlidec can be loaded, and decompressed; so is
        /// zstd (libzstd) where the request's own `Accept-Encoding` asks for it.
        ///
        /// A request whose own `Accept-Encoding` names only codings that are not known here gets its payload as it
        /// comes. A payload that comes in such a coding unasked, in more than one coding, or incomplete is
        /// ``ConnectionError/unreadablePayload(_:)``. A request with `Range` asks for no coding.
        case automatic

        /// Nothing is asked for, and payloads are given as they come.
        case none
    }
}
