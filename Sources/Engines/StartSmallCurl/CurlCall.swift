#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import StartSmallSupport
    import CCurl
    import StartSmallFoundation

    /// One request, as the thread of the engine takes it: each redirect and each attempt of an API call is another one.
    ///
    /// It is an object, since it is passed from queue to queue: to copy all properties would change a dozen
    /// reference counts each time.
    final class CurlCall: Sendable {
        /// The number of the request in this engine, which no other one has.
        let id: UInt64

        let request: ValidatedRequest

        /// The production of the request's stream; nil if it has none.
        let production: PayloadProduction?

        /// The largest payload of the response, in bytes; nil for no limit.
        let payloadLimit: Int?

        /// Whether another limit replaces the idle timeout until the head of the response is delivered.
        let isLimitedUntilHead: Bool

        /// Whether only the payload that soon arrives of a redirect is needed.
        let followsRedirects: Bool

        /// The time left to the call as it arrived; nil without a time limit, whose wrapper ends the call by itself.
        let remainingTime: Duration?

        /// The time at which the call arrived, by the clock of the engine.
        let arrivedAt = ccurl_now()

        /// The URL as libcurl takes it.
        let urlText: String

        /// Whether the URL asks for a connection without TLS.
        let isPlain: Bool

        /// Whether each call to the server needs its own connection: without HTTP/2.
        let needsOwnConnection: Bool

        /// A number that is the same for calls to the same scheme, host and port, as their URLs name them.
        let origin: UInt64

        let reply: CurlReply

        init(
            id: UInt64,
            request: ValidatedRequest,
            production: PayloadProduction? = nil,
            version: ConnectionOptions.HTTPVersion = .automatic,
            payloadLimit: Int? = nil,
            isLimitedUntilHead: Bool = false,
            followsRedirects: Bool = false,
            remainingTime: Duration? = nil,
            reply: CurlReply
        ) {
            (self.id, self.request, self.production, self.reply) = (id, request, production, reply)
            (self.payloadLimit, self.isLimitedUntilHead) = (payloadLimit, isLimitedUntilHead)
            (self.followsRedirects, self.remainingTime) = (followsRedirects, remainingTime)
            var url = request.url.absoluteString
            let (isPlain, origin) = url.withUTF8 { ($0.hasPrefix("http:"), Self.origin(of: $0)) }
            (urlText, self.isPlain, self.origin) = (url, isPlain, origin)
            needsOwnConnection =
                switch version {
                case .automatic, .http3: isPlain
                case .http1_1: true
                case .http2: false
                }
        }

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
        let call: CurlCall
        var transfer: CurlTransfer

        /// The way to reply to the task that waits for the outcome; nil when the outcome was sent, and only the handle is
        /// still busy.
        var reply: CurlReply?

        /// The filter that decides which progress is reported; nil without listeners.
        var meter: ProgressMeter?

        /// Whether other calls may share the connection, as far as the loop knows.
        var isShared = false
        var hasDeliveredHead = false

        init(_ call: CurlCall, _ transfer: CurlTransfer) {
            (self.call, self.transfer, reply) = (call, transfer, call.reply)
        }

        /// Returns the reply for a result of libcurl; nil if the call has been replied to.
        ///
        /// The call counts as replied to from now on.
        mutating func takeReply(for result: Int32, _ options: ConnectionOptions) -> CurlLoop.PendingReply? {
            guard let reply = reply.take() else { return nil }
            let failure = transfer.failure(result, options)
            return (reply, .ended(transfer.transferResult(failure)), finalEvents(isWhole: failure == nil))
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

    /// The running calls, each at an index that libcurl's handle knows.
    struct CallSlots {
        private var entries: [ActiveCall?] = []
        private var free: [Int] = []
        private var byID: [UInt64: Int] = [:]

        /// The largest number of concurrent calls since the last time that none ran.
        private(set) var peak = 0

        var isEmpty: Bool { entries.count == free.count }
        var indices: Range<Int> { entries.indices }

        var ids: [UInt64] { entries.compactMap { $0?.call.id } }

        /// The call at an index; nil if there is none.
        subscript(slot: Int) -> ActiveCall? {
            get { entries.indices.contains(slot) ? entries[slot] : nil }
            // In place: to copy a call and its handle changes a dozen reference counts.
            _modify {
                var none: ActiveCall?
                if entries.indices.contains(slot) { yield &entries[slot] } else { yield &none }
            }
        }

        /// Returns the index of a call that has not ended.
        func slot(of id: UInt64) -> Int? { byID[id] }

        /// Adds a call, and returns its index.
        mutating func insert(_ entry: consuming ActiveCall) -> Int {
            let slot = free.popLast() ?? entries.count
            byID[entry.call.id] = slot
            if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
            peak = byID.count == 1 ? 1 : max(peak, byID.count)
            return slot
        }

        /// Notes that a call has ended, whose handle is still busy.
        mutating func noteEnd(of id: UInt64) { byID[id] = nil }

        /// Removes and returns the call at an index.
        mutating func remove(_ slot: Int) -> ActiveCall? {
            guard let entry = self[slot].take() else { return nil }
            free.append(slot)
            byID[entry.call.id] = nil
            return entry
        }
    }
#endif
