#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import StartSmallSupport
    import CCurl
    import StartSmallFoundation

    /// Everything that the engine knows of a call before there is a reply channel.
    struct CallParameters: Sendable {
        /// The number of the call, which no other call has.
        let id: UInt64

        let request: ValidatedRequest

        /// The production of the request's stream; nil if it has none.
        var production: PayloadProduction?
        var version = ConnectionOptions.HTTPVersion.automatic

        /// The largest payload of the response, in bytes; nil for no limit.
        var payloadLimit: Int?

        /// Whether another limit replaces the idle timeout until the head of the response is delivered.
        var isLimitedUntilHead = false

        /// Whether only the payload that soon arrives of a redirect is needed.
        var followsRedirects = false

        /// The time left to the call as it arrived; nil without a time limit.
        var remainingTime: Duration?

        /// The time at which the call arrived, by the clock of the engine.
        var arrivedAt = ccurl_now()
    }

    /// A call in the form in which the thread of the engine takes it.
    ///
    /// The value is one reference beside the reply channel, since it is passed from queue to queue: to copy all fields
    /// would change a dozen reference counts each time.
    struct CurlCall: Sendable {
        private struct Fields: Sendable {
            let parameters: CallParameters
            let urlText: String
            let isPlain: Bool
            let origin: UInt64
        }

        private indirect enum Storage: Sendable { case fields(Fields) }

        private let storage: Storage
        var reply: CurlReply

        init(_ parameters: CallParameters, reply: CurlReply) {
            var url = parameters.request.url.absoluteString
            let (isPlain, origin) = url.withUTF8 { ($0.hasPrefix("http:"), Self.origin(of: $0)) }
            storage = .fields(Fields(parameters: parameters, urlText: url, isPlain: isPlain, origin: origin))
            self.reply = reply
        }

        private var fields: Fields {
            switch storage {
            case .fields(let fields): fields
            }
        }

        var id: UInt64 { fields.parameters.id }
        var request: ValidatedRequest { fields.parameters.request }
        var production: PayloadProduction? { fields.parameters.production }
        var payloadLimit: Int? { fields.parameters.payloadLimit }
        var isLimitedUntilHead: Bool { fields.parameters.isLimitedUntilHead }
        var followsRedirects: Bool { fields.parameters.followsRedirects }
        var remainingTime: Duration? { fields.parameters.remainingTime }
        var arrivedAt: Int64 { fields.parameters.arrivedAt }

        /// The URL as libcurl takes it.
        var urlText: String { fields.urlText }

        /// Whether the URL asks for a connection without TLS.
        var isPlain: Bool { fields.isPlain }

        /// Whether each call to the server needs its own connection: without HTTP/2.
        var needsOwnConnection: Bool {
            switch fields.parameters.version {
            case .automatic, .http3: isPlain
            case .http1_1: true
            case .http2: false
            }
        }

        /// A number that is the same for calls to the same scheme, host and port, as their URLs name them.
        var origin: UInt64 { fields.origin }

        /// Returns the number of the origin of an absolute URL: the hash of the bytes before its path.
        ///
        /// Two origins with one number, if there ever are any, share the limit of connections to one host.
        private static func origin(of url: UnsafeBufferPointer<UInt8>) -> UInt64 {
            var (index, slashes) = (0, 0)
            while index < url.count, url[index] != UInt8(ascii: "?") {
                if url[index] == UInt8(ascii: "/") { slashes += 1 }
                if slashes == 3 { break }
                index += 1
            }
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(url)[..<index]))
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }

    /// A call that runs on the engine's thread.
    struct ActiveCall {
        var call: CurlCall
        var transfer: CurlTransfer

        /// Whether the outcome was sent, and only the handle is still busy.
        var isAnswered = false

        /// The filter that decides which progress is reported; nil without listeners.
        var meter: ProgressMeter?

        /// Whether other calls may share the connection, as far as the loop knows.
        var isShared = false
        var hasDeliveredHead = false

        /// The channel to the task that waits for the outcome; nil when the outcome was sent.
        var reply: CurlReply? { isAnswered ? nil : call.reply }

        /// Returns the reply channel with the result of libcurl; nil if the call has been replied to.
        ///
        /// The call counts as replied to from now on.
        mutating func takeReply(for result: Int32, _ options: ConnectionOptions) -> EndedCall.Reply? {
            if isAnswered { return nil }
            isAnswered = true
            let failure = transfer.failure(result, options)
            let outcome = CurlOutcome.ended(transfer.transferResult(failure))
            return (call.reply, outcome, finalEvents(isWhole: failure == nil))
        }

        init(_ call: CurlCall, _ transfer: CurlTransfer) {
            (self.call, self.transfer) = (call, transfer)
        }

        /// Returns the events that are still to be reported for a call that ends now, for listeners: the head of an
        /// incomplete response, unless it was delivered; the last progress, unless it was reported; and the timings, if
        /// the request reached the wire.
        func finalEvents(isWhole: Bool) -> [Event] {
            guard let meter, transfer.isConnected else { return [] }
            let last = transfer.progress(isWhole: isWhole)
            var events: [Event] = []
            if !isWhole, !hasDeliveredHead, let head = transfer.head.response { events.append(.receivedHead(head)) }
            if meter.hasUnreported(last) { events.append(.progress(last)) }
            let total = Duration.nanoseconds(ccurl_now() - call.arrivedAt)
            return events + [.timings(transfer.timings(total: total, since: call.arrivedAt))]
        }
    }

    /// A call whose transfer is over, and whose handle is still to be removed.
    struct EndedCall {
        typealias Reply = (channel: CurlReply, outcome: CurlOutcome, events: [Event])

        /// The index of the call among the running ones.
        let slot: Int

        /// The reply channel with the result; nil if the call has been replied to.
        var reply: Reply?

        /// Replies to the call, and keeps no reference to the result.
        mutating func sendReply() {
            guard let (channel, outcome, events) = reply.take() else { return }
            channel.end(outcome, events)
        }
    }
#endif
