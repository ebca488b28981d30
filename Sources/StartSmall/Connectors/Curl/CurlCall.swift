#if os(Linux)
    import CCurl
    import Foundation

    /// A call in the form in which the thread of the engine takes it.
    struct CurlCall: Sendable {
        let id: UInt64
        let request: ValidatedRequest
        let payloadLimit: Int?
        let reply: CurlReply

        /// The server as the URL names it, if each call to the server needs its own connection: without HTTP/2.
        let server: String?

        /// Whether another limit replaces the idle timeout until the head of the response is delivered.
        let isLimitedUntilHead: Bool

        /// The time at which the call arrived, by the clock of the engine.
        let arrivedAt: Int64

        init(
            id: UInt64,
            request: ValidatedRequest,
            version: ConnectionOptions.HTTPVersion = .automatic,
            payloadLimit: Int?,
            reply: CurlReply,
            isLimitedUntilHead: Bool = false,
            arrivedAt: Int64 = ccurl_now()
        ) {
            (self.id, self.request, self.payloadLimit, self.reply) = (id, request, payloadLimit, reply)
            (self.isLimitedUntilHead, self.arrivedAt) = (isLimitedUntilHead, arrivedAt)
            server = Self.server(of: request.url.absoluteString, version)
        }

        private static func server(of url: String, _ version: ConnectionOptions.HTTPVersion) -> String? {
            let (http, slashes) = ("http:".utf8, "//".utf8)
            switch version {
            case .automatic where url.utf8.starts(with: http), .http1_1: break
            case .automatic, .http2: return nil
            }
            guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let authority = url.utf8[colon...].dropFirst(1 + slashes.count)
            let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
            return String(url.utf8[..<(authority.firstIndex { $0 == slash || $0 == question } ?? url.endIndex)])
        }
    }
#endif
