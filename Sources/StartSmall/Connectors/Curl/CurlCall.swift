#if os(Linux)
    import CCurl
    import Foundation

    /// One call as it is handed to the thread of the engine.
    struct CurlCall: Sendable {
        let id: UInt64
        let request: ValidatedRequest
        let payloadLimit: Int?
        let answer: CurlAnswer

        /// Its server as the URL names it, if each call to that needs a connection of its own: where HTTP/2 is not spoken.
        let server: String?

        /// Whether another limit stands in for the idle timeout until the head of the response.
        let isLimitedUntilHead: Bool

        /// When it came, by the clock of the engine.
        let arrivedAt: Int64

        init(
            id: UInt64,
            request: ValidatedRequest,
            version: ConnectionOptions.HTTPVersion = .automatic,
            payloadLimit: Int?,
            answer: CurlAnswer,
            isLimitedUntilHead: Bool = false,
            arrivedAt: Int64 = ccurl_now()
        ) {
            (self.id, self.request, self.payloadLimit, self.answer) = (id, request, payloadLimit, answer)
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
