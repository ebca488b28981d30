#if os(Linux)
    import CCurl
    import Foundation

    /// A call in the form in which the thread of the engine takes it.
    struct CurlCall: Sendable {
        private let parameters: CallParameters

        /// The reply channel of the call.
        let reply: CurlReply

        /// Creates a call.
        ///
        /// - Parameters:
        ///   - parameters: everything but the reply channel.
        ///   - reply: the reply channel.
        init(_ parameters: CallParameters, reply: CurlReply) {
            (self.parameters, self.reply) = (parameters, reply)
        }

        var id: UInt64 { parameters.fields.id }
        var request: ValidatedRequest { parameters.fields.request }
        var production: PayloadProduction? { parameters.fields.production }
        var payloadLimit: Int? { parameters.fields.payloadLimit }

        /// The URL as libcurl takes it.
        var urlText: String { parameters.fields.urlText }

        /// Whether the URL asks for a connection without TLS.
        var isPlain: Bool { parameters.fields.isPlain }

        /// The scheme, host and port as the URL names them.
        var origin: String { parameters.fields.origin }

        /// Whether each call to the server needs its own connection: without HTTP/2.
        var needsOwnConnection: Bool { parameters.fields.needsOwnConnection }

        /// Whether another limit replaces the idle timeout until the head of the response is delivered.
        var isLimitedUntilHead: Bool { parameters.fields.isLimitedUntilHead }

        /// Whether only the payload that soon arrives of a redirect is needed.
        var followsRedirects: Bool { parameters.fields.followsRedirects }

        /// The time left to the call as it arrived; nil without a time limit.
        var remainingTime: Duration? { parameters.fields.remainingTime }

        /// The time at which the call arrived, by the clock of the engine.
        var arrivedAt: Int64 { parameters.fields.arrivedAt }

        /// The event loop that runs the call; nil until the router has chosen one.
        var route: CallRoute?
    }
#endif
