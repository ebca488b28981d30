#if os(Linux)
    import CCurl
    import Foundation

    /// One call as it is handed to the thread of the engine.
    struct CurlCall: Sendable {
        let id: UInt64
        let request: WireRequest
        let payloadLimit: Int?
        let answer: CurlAnswer

        /// Its server, if each call to that needs a connection of its own: without TLS, HTTP/2 is not spoken.
        let server: String?

        /// When it came, by the clock of the engine.
        let arrivedAt: Int64

        init(id: UInt64, request: WireRequest, payloadLimit: Int?, answer: CurlAnswer, arrivedAt: Int64 = ccurl_now()) {
            (self.id, self.request, self.payloadLimit, self.answer) = (id, request, payloadLimit, answer)
            self.arrivedAt = arrivedAt
            server = Self.server(of: request.url.absoluteString)
        }

        /// The host and port of an `http` URL, as they are written.
        private static func server(of url: String) -> String? {
            let scheme = "http://".utf8
            guard url.utf8.starts(with: scheme) else { return nil }
            let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
            return String(url.utf8.dropFirst(scheme.count).prefix { $0 != slash && $0 != question })
        }
    }
#endif
