#if os(Linux)
    import CCurl
    import Foundation

    /// A call in the form in which the thread of the engine takes it.
    ///
    /// The call is one reference to its fields, since it is passed from queue to queue: to copy all fields would change
    /// a dozen reference counts each time.
    struct CurlCall: Sendable {
        private struct Fields: Sendable {
            let id: UInt64
            let request: ValidatedRequest
            let urlText: String
            let payloadLimit: Int?
            let reply: CurlReply
            let server: String?
            let isLimitedUntilHead: Bool
            let arrivedAt: Int64
        }

        private indirect enum Storage: Sendable { case fields(Fields) }

        private let storage: Storage
        private var fields: Fields { switch storage { case .fields(let fields): fields } }

        var id: UInt64 { fields.id }
        var request: ValidatedRequest { fields.request }
        var payloadLimit: Int? { fields.payloadLimit }
        var reply: CurlReply { fields.reply }

        /// The URL as libcurl takes it.
        var urlText: String { fields.urlText }

        /// The server as the URL names it, if each call to the server needs its own connection: without HTTP/2.
        var server: String? { fields.server }

        /// Whether another limit replaces the idle timeout until the head of the response is delivered.
        var isLimitedUntilHead: Bool { fields.isLimitedUntilHead }

        /// The time at which the call arrived, by the clock of the engine.
        var arrivedAt: Int64 { fields.arrivedAt }

        init(
            id: UInt64,
            request: ValidatedRequest,
            version: ConnectionOptions.HTTPVersion = .automatic,
            payloadLimit: Int?,
            reply: CurlReply,
            isLimitedUntilHead: Bool = false,
            arrivedAt: Int64 = ccurl_now()
        ) {
            let url = request.url.absoluteString
            storage = .fields(
                Fields(
                    id: id,
                    request: request,
                    urlText: url,
                    payloadLimit: payloadLimit,
                    reply: reply,
                    server: Self.server(of: url, version),
                    isLimitedUntilHead: isLimitedUntilHead,
                    arrivedAt: arrivedAt
                )
            )
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
