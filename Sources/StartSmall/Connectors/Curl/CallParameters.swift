#if os(Linux)
    import CCurl
    import Foundation

    /// Everything that the engine knows of a call before there is a reply channel.
    ///
    /// The value is one reference, since it is passed from queue to queue: to copy all fields would change a dozen
    /// reference counts each time.
    struct CallParameters: Sendable {
        struct Fields: Sendable {
            let id: UInt64
            let request: ValidatedRequest
            let urlText: String
            let isPlain: Bool
            let production: PayloadProduction?
            let payloadLimit: Int?
            let origin: String
            let needsOwnConnection: Bool
            let isLimitedUntilHead: Bool
            let followsRedirects: Bool
            let remainingTime: Duration?
            let arrivedAt: Int64
        }

        private indirect enum Storage: Sendable { case fields(Fields) }

        private let storage: Storage

        var fields: Fields {
            switch storage {
            case .fields(let fields): fields
            }
        }

        /// Creates the parameters of a call.
        ///
        /// - Parameters:
        ///   - id: the number of the call, which no other call has.
        ///   - request: the request.
        ///   - production: the production of the request's stream; nil if it has none.
        ///   - version: the version of HTTP of the engine.
        ///   - payloadLimit: the largest payload of the response, in bytes; nil for no limit.
        ///   - isLimitedUntilHead: whether another limit replaces the idle timeout until the head of the response.
        ///   - followsRedirects: whether only the payload that soon arrives of a redirect is needed.
        ///   - remainingTime: the time left to the call as it arrives; nil without a time limit.
        ///   - arrivedAt: the time at which the call arrived, by the clock of the engine.
        init(
            id: UInt64,
            request: ValidatedRequest,
            production: PayloadProduction? = nil,
            version: ConnectionOptions.HTTPVersion = .automatic,
            payloadLimit: Int?,
            isLimitedUntilHead: Bool = false,
            followsRedirects: Bool = false,
            remainingTime: Duration? = nil,
            arrivedAt: Int64 = ccurl_now()
        ) {
            var url = request.url.absoluteString
            let (isPlain, originCount) = url.withUTF8 { ($0.hasPrefix("http:"), Self.originCount(of: $0)) }
            let needsOwnConnection =
                switch version {
                case .automatic, .http3: isPlain
                case .http1_1: true
                case .http2: false
                }
            storage = .fields(
                Fields(
                    id: id,
                    request: request,
                    urlText: url,
                    isPlain: isPlain,
                    production: production,
                    payloadLimit: payloadLimit,
                    origin: String(decoding: url.utf8.prefix(originCount), as: UTF8.self),
                    needsOwnConnection: needsOwnConnection,
                    isLimitedUntilHead: isLimitedUntilHead,
                    followsRedirects: followsRedirects,
                    remainingTime: remainingTime,
                    arrivedAt: arrivedAt
                )
            )
        }

        /// Returns the number of bytes of an absolute URL before its path.
        private static func originCount(of url: UnsafeBufferPointer<UInt8>) -> Int {
            var (index, slashes) = (0, 0)
            while index < url.count, url[index] != UInt8(ascii: "?") {
                if url[index] == UInt8(ascii: "/") { slashes += 1 }
                if slashes == 3 { break }
                index += 1
            }
            return index
        }
    }
#endif
