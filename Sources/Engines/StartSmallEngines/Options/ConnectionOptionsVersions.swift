extension ConnectionOptions {
    /// A version of HTTP; `URLSession` only supports `automatic`, and ignores the others.
    public enum HTTPVersion: Hashable, Sendable {
        /// HTTP/2 over TLS if the server supports it, or else HTTP/1.1.
        case automatic

        /// HTTP/1.1 only.
        case http1_1

        /// HTTP/2 with prior knowledge without TLS (RFC 9113 3.3); over TLS, the version that the server chooses.
        ///
        /// From libcurl 8.10 on, only HTTP/2 is offered over TLS, so that the version is always HTTP/2. An older
        /// libcurl also offers HTTP/1.1 (ALPN, RFC 7301), and accepts that. With libcurl 7.88, each call opens its own
        /// connection.
        case http2

        /// HTTP/3 (RFC 9114) over TLS, with HTTP/2 or HTTP/1.1 if no connection over QUIC is made first.
        ///
        /// libcurl begins with QUIC (RFC 9000), begins another connection over TCP after 200 milliseconds, or as soon
        /// as QUIC fails, and uses the connection that is ready first. A URL without TLS uses HTTP/1.1. Without libcurl
        /// 7.88 or later that has HTTP/3 built in, each call ends with
        /// ``ConnectionError/engineUnavailable(debugInfo:)``: most distributions build libcurl without HTTP/3.
        case http3
    }

    /// A version of TLS.
    public enum TLSVersion: Hashable, Sendable {
        /// TLS 1.2; everything older is deprecated (RFC 8996).
        case tls1_2

        /// TLS 1.3 (RFC 8446).
        case tls1_3
    }

    /// The decompression of payloads.
    public enum Decompression: Hashable, Sendable {
        /// Decompression of gzip, deflate and br, which requests ask for if zlib and libbrotlidec can be loaded.
        ///
        /// Zstd (libzstd) is decompressed, too, if the request's own `Accept-Encoding` asks for it.
        ///
        /// A request whose own `Accept-Encoding` names only unknown codings gets its payload as it arrives. A payload
        /// in an unknown coding that was not asked for, in more than one coding, or with an incomplete coding leads to
        /// ``ConnectionError/unreadablePayload(_:)``. A request with `Range` asks for no coding.
        case automatic

        /// No decompression: requests ask for no coding, and payloads are returned as they arrive.
        case none
    }
}
