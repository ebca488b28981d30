import Foundation

/// What is known of one call while it runs over a `URLSession`: pure, so that it is tested without one.
struct URLSessionExchange: Sendable {
    private let payloadLimit: Int?
    private let givesParts: Bool
    private let wantsHead: Bool
    private let isLimitedUntilHead: Bool
    private let idleTimeout: Duration?
    private var response: Response?
    private var untoldHead: Response?
    private var parts = URLSessionParts()
    private var course: URLSessionTransferState
    private var hasHeard = false
    private var lastSign: SuspendingClock.Instant

    /// Creates the state of a call that starts now.
    ///
    /// - Parameters:
    ///   - payloadLimit: The limit of what is in memory, in bytes.
    ///   - givesParts: Whether the response is given in parts if it succeeds.
    ///   - hearsHead: Whether a head that is not given as a part is to be told.
    ///   - isLimitedUntilHead: Whether another limit stands in for the idle timeout until the head.
    ///   - idleTimeout: The time limit between two bytes.
    ///   - now: The time.
    init(
        payloadLimit: Int?,
        givesParts: Bool = false,
        wantsHead: Bool = false,
        isLimitedUntilHead: Bool = false,
        idleTimeout: Duration?,
        now: SuspendingClock.Instant
    ) {
        self.payloadLimit = payloadLimit
        self.givesParts = givesParts
        self.wantsHead = wantsHead
        self.isLimitedUntilHead = isLimitedUntilHead
        self.idleTimeout = idleTimeout
        self.course = URLSessionTransferState(from: now)
        self.lastSign = now
    }

    /// So many bytes of the payload were sent by now, of so many, as far as that is known.
    mutating func sent(_ bytes: Int64 = 0, of total: Int64? = nil, at now: SuspendingClock.Instant) {
        (hasHeard, lastSign) = (true, now)
        course.sent(bytes, of: total)
    }

    /// The session has measured the call.
    mutating func measured(_ timings: RequestTimings) {
        course.measured = timings
    }

    /// Takes the head of a response, of which an interim one (RFC 9110 15.2) is only a sign of life; an output if it ends the
    /// call.
    ///
    /// `URLSession` on Apple platforms splits `multipart/x-mixed-replace` and reports a head for each part. The boundaries
    /// are lost by then, so the payload can't be given as the server sent it.
    @discardableResult
    mutating func received(head: Response, at now: SuspendingClock.Instant) -> Output? {
        (hasHeard, lastSign) = (true, now)
        if head.statusCode.isInterim { return nil }
        if let response { return .noResponse(.unreadablePayload(.severalHeads(response))) }
        response = head
        course.received(head: head, at: now)
        if givesParts, head.statusCode.isSuccess { parts.begin(head) } else if wantsHead { untoldHead = head }
        return nil
    }

    /// Whether the connection was used before and the server had closed it, so that the request can be sent again.
    ///
    /// `URLSession` on Apple platforms reports -1005 then, and measures whether the connection was reused. Nothing of a
    /// response has arrived. Whether the request may be sent twice is for the caller to decide (RFC 9110 9.2.2).
    func isStale(_ error: (any Error)?) -> Bool {
        guard response == nil, course.measured?.reusedConnection == true, let error = error.map({ $0 as NSError })
        else {
            return false
        }
        return error.domain == NSURLErrorDomain && error.code == NSURLErrorNetworkConnectionLost
    }

    /// A part of the response's payload arrived; an output if it ends the call.
    ///
    /// What waits for a receiver is in memory, and limited as such: a session that can't be paused would fill it.
    mutating func received(_ data: Data, at now: SuspendingClock.Instant) -> Output? {
        (hasHeard, lastSign) = (true, now)
        course.received(data.count)
        // No copy of the response meanwhile: its payload would be copied with every part that arrives.
        guard let inMemory = parts.hasBegun ? parts.waitingBytes : response?.payload.count else { return nil }
        let room = payloadLimit.map { max(0, $0 - inMemory) } ?? .max
        if !parts.hasBegun {
            response?.payload.append(data.count > room ? data.prefix(room) : data)
        } else if data.count <= room {
            parts.append(data)
        }
        guard data.count > room else { return nil }
        return response.map { .noResponse(.payloadTooLarge($0, limit: payloadLimit ?? .max)) }
    }

    /// The head to tell those who hear of it, once.
    mutating func takeHead() -> Response? { untoldHead.take() }

    /// The next part for the receiver, if one waits; what was paused goes on then.
    mutating func takePart(at now: SuspendingClock.Instant) -> PayloadConsumer.Part? {
        let part = parts.take()
        if part != nil { lastSign = now }
        return part
    }

    /// The receiver is not to have what waits for it.
    mutating func dropParts() {
        parts.drop()
    }

    /// Whether there is a progress that was not told yet.
    var owesProgress: Bool { course.owesProgress }

    /// A progress that is to be told now, if there is one.
    mutating func takeProgress(at now: SuspendingClock.Instant) -> TransferProgress? {
        course.takeProgress(at: now)
    }

    /// The last events of a call: the head of a response that is not whole, unless it was given in parts, the last progress,
    /// and the timings of what reached the wire.
    func told(isWhole: Bool, at now: SuspendingClock.Instant) -> [Event] {
        guard hasHeard else { return [] }
        let head = isWhole || parts.hasBegun ? nil : response?.head
        return (head.map { [.receivedHead($0)] } ?? []) + course.told(isWhole: isWhole, at: now)
    }

    /// Whether more waits for the receiver than it should, so that nothing more is to be read for now.
    var isFull: Bool { parts.isFull }

    /// The session is done; `final` is what it knows of the response, where the head was never announced.
    func output(error: (any Error)?, final: Response? = nil) -> Output {
        if let error { return .noResponse(ConnectionError(urlSession: error, partial: response)) }
        guard let whole = response ?? final else {
            return .noResponse(.noDataOrNoResponse(debugInfo: "the session ended without response and without error"))
        }
        return .hasResponse(whole)
    }

    /// When the call ends if nothing happens until then; a receiver may take its time.
    var deadline: SuspendingClock.Instant? {
        parts.isFull || isLimitedUntilHead && response == nil ? nil : idleTimeout.map { lastSign.advanced(by: $0) }
    }

    /// An output if the deadline is over.
    func output(expiredAt now: SuspendingClock.Instant) -> Output? {
        guard let idleTimeout, let deadline, deadline <= now else { return nil }
        return .noResponse(
            .timedOut(
                ConnectionError.Cause(
                    domain: NSURLErrorDomain,
                    code: NSURLErrorTimedOut,
                    text: "nothing came or went for \(idleTimeout)",
                    partial: response
                )
            )
        )
    }
}

extension ConnectionError.Cause {
    /// The cause of a second head.
    fileprivate static func severalHeads(_ partial: Response) -> ConnectionError.Cause {
        ConnectionError.Cause(
            domain: NSURLErrorDomain,
            code: NSURLErrorCannotDecodeContentData,
            text: "the session split the payload into several responses, as it does with multipart/x-mixed-replace",
            partial: partial
        )
    }
}

extension HTTPStatus {
    /// Whether another head follows; 101 is the last of its connection (RFC 9110 15.2.2).
    fileprivate var isInterim: Bool {
        (100..<200).contains(code) && self != .switchingProtocols
    }
}
