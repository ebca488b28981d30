#if os(Linux)
    @testable import StartSmall

    extension CurlCall {
        /// Creates a call with the parameters of a test.
        init(
            id: UInt64,
            request: ValidatedRequest,
            version: ConnectionOptions.HTTPVersion = .automatic,
            payloadLimit: Int?,
            reply: CurlReply
        ) {
            let parameters = CallParameters(
                id: id,
                request: request,
                version: version,
                payloadLimit: payloadLimit
            )
            self.init(parameters, reply: reply)
        }
    }
#endif
