import StartSmallCore
import StartSmallEngines
import StartSmallFoundation

/// The state of one call while it runs over a `URLSession`: pure, so that it is tested without one.
struct URLSessionExchange: Sendable {
    /// A part of a response for its reader.
    enum Part: Equatable, Sendable {
        case head(Response)

        /// The next bytes of the payload, never empty.
        case chunk(Data)
    }

    /// The number of waiting bytes at which reading pauses: 256 KiB.
    ///
    /// That is a few of the pieces in which `URLSession` delivers a payload, so that a fast reader never waits for
    /// the network, and small enough for a thousand downloads at once.
    static let fullBytes = 256 * 1024

    /// The URL that is called.
    private let url: URL?

    /// The redirections that the session has followed, if its options let it.
    var redirections: [Redirection] = []

    private let payloadLimit: Int?
    private var deliversParts: Bool
    private let isLimitedUntilHead: Bool
    private let followsRedirects: Bool

    /// The time at which the rest of the payload of a redirect is given up; nil if it is needed.
    private var redirectEnd: SuspendingClock.Instant?
    private let idleTimeout: Duration?
    private var response: Response?
    private var waitingHead: Response?
    private var waitingBytes = Data()
    var transferState: URLSessionTransferState
    private var hasActivity = false
    private var lastActivity: SuspendingClock.Instant

    /// Creates the state of a call that starts now.
    init(
        url: URL? = nil,
        payloadLimit: Int?,
        deliversParts: Bool = false,
        isLimitedUntilHead: Bool = false,
        followsRedirects: Bool = false,
        idleTimeout: Duration?,
        now: SuspendingClock.Instant
    ) {
        self.url = url
        self.payloadLimit = payloadLimit
        self.deliversParts = deliversParts
        self.isLimitedUntilHead = isLimitedUntilHead
        self.followsRedirects = followsRedirects
        self.idleTimeout = idleTimeout
        self.transferState = URLSessionTransferState(from: now)
        self.lastActivity = now
    }

    /// Records the number of bytes of the payload that were sent until now.
    mutating func sent(_ bytes: Int64 = 0, of total: Int64? = nil, at now: SuspendingClock.Instant) {
        (hasActivity, lastActivity) = (true, now)
        transferState.sent(bytes, of: total)
    }

    /// Records the head of a response; an interim one (RFC 9110 15.2) only counts as activity.
    ///
    /// `URLSession` on Apple platforms splits `multipart/x-mixed-replace` and reports a head for each part. The
    /// boundaries are lost by then, so the payload can't be returned as the server sent it.
    ///
    /// - Returns: An output if the head ends the call.
    @discardableResult
    mutating func received(head: Response, at now: SuspendingClock.Instant) -> Output? {
        (hasActivity, lastActivity) = (true, now)
        if head.statusCode.isInterim { return nil }
        if let response {
            let text = "the session split the payload into several responses, as it does with multipart/x-mixed-replace"
            let cause = ConnectionError.Cause(ofSession: NSURLErrorCannotDecodeContentData, text, partial: response)
            return .noResponse(.unreadablePayload(cause))
        }
        let head = called(head)
        response = head
        transferState.received(head: head, at: now)
        if !deliversParts, followsRedirects, head.isFollowable {
            redirectEnd = now.advanced(by: Response.redirectPayloadTime)
        } else if deliversParts || head.statusCode.code >= 300 {
            // The payload of an error has limits of its own, and is read by them.
            (deliversParts, waitingHead) = (true, head)
        }
        return nil
    }

    private func called(_ head: Response) -> Response {
        var head = head
        (head.url, head.redirections) = (redirections.last?.to ?? url, redirections)
        return head
    }

    /// Whether the server had closed a reused connection, so that the request can be sent again.
    ///
    /// In that case, `URLSession` on Apple platforms reports -1005, and measures whether the connection was reused. No
    /// part of a response has arrived. The caller decides whether the request may be sent twice (RFC 9110 9.2.2).
    func isStale(_ error: (any Error)?) -> Bool {
        guard response == nil, transferState.measured?.reusedConnection == true,
            let error = error.map({ $0 as NSError })
        else { return false }
        return error.domain == NSURLErrorDomain && error.code == NSURLErrorNetworkConnectionLost
    }

    /// Records a part of the response's payload; returns an output if the part ends the call.
    ///
    /// The parts that wait for a reader are in memory, and limited as such: a session that can't be paused would fill
    /// the memory.
    mutating func received(_ data: Data, at now: SuspendingClock.Instant) -> Output? {
        (hasActivity, lastActivity) = (true, now)
        transferState.received(data.count)
        // The response is not copied meanwhile: a copy would copy its payload with every part that arrives.
        guard let payloadCount = response?.payload.count else { return nil }
        let inMemory = deliversParts ? waitingBytes.count : payloadCount
        let isGivenUp = redirectEnd != nil && payloadLimit ?? .max > Response.redirectPayloadLimit
        let limit = isGivenUp ? Response.redirectPayloadLimit : payloadLimit
        let room = limit.map { max(0, $0 - inMemory) } ?? .max
        let taken = data.count > room ? data.prefix(room) : data
        if !deliversParts {
            response?.payload.append(taken)
        } else if waitingBytes.isEmpty {
            waitingBytes = taken
        } else {
            waitingBytes.append(taken)
        }
        guard data.count > room, let response else { return nil }
        return isGivenUp ? .hasResponse(response) : .noResponse(.payloadTooLarge(response, limit: payloadLimit ?? .max))
    }

    /// Takes the next part for the reader, if one waits; a paused call continues then.
    mutating func takePart(at now: SuspendingClock.Instant) -> Part? {
        let part = waitingHead.map(Part.head) ?? (waitingBytes.isEmpty ? nil : .chunk(waitingBytes))
        if part == nil { return nil }
        lastActivity = now
        if waitingHead.take() == nil { waitingBytes = Data() }
        return part
    }

    mutating func dropParts() {
        (waitingHead, waitingBytes) = (nil, Data())
    }

    /// Returns the last events of a call.
    ///
    /// The events are the head of an incomplete response, unless it was delivered in parts, the last progress, and the
    /// timings of a request that reached the wire.
    func reported(isWhole: Bool, at now: SuspendingClock.Instant) -> [Event] {
        guard hasActivity else { return [] }
        let head = isWhole || deliversParts ? nil : response?.head
        return (head.map { [.receivedHead($0)] } ?? []) + transferState.reported(isWhole: isWhole, at: now)
    }

    /// Whether more bytes than intended wait for the reader, so that reading should pause.
    var isFull: Bool { waitingBytes.count >= Self.fullBytes }

    /// Returns the output after the end of the session's task.
    func output(error: (any Error)?, final: Response? = nil) -> Output {
        let whole = response ?? final.map(called)
        if let error { return .noResponse(ConnectionError(urlSession: error, partial: whole)) }
        guard let whole else {
            return .noResponse(
                .noDataOrNoResponse(debugInfo: "the session ended the task without a response or an error")
            )
        }
        return .hasResponse(whole)
    }

    /// The time at which the call times out if nothing happens until then.
    ///
    /// The value is nil while a full buffer waits for the reader, and while another limit applies.
    var deadline: SuspendingClock.Instant? {
        if let redirectEnd { return redirectEnd }
        if isFull || isLimitedUntilHead && response == nil { return nil }
        return idleTimeout.map { lastActivity.advanced(by: $0) }
    }

    /// Returns an output if the deadline is over.
    func output(expiredAt now: SuspendingClock.Instant) -> Output? {
        guard let deadline, deadline <= now else { return nil }
        if redirectEnd != nil, let response { return .hasResponse(response) }
        guard let idleTimeout else { return nil }
        let silence = "no byte was sent or received"
        let text = ConnectionOptions.overdueText(silence, for: "\(idleTimeout)", option: "idleTimeout")
        return .noResponse(.timedOut(ConnectionError.Cause(ofSession: NSURLErrorTimedOut, text, partial: response)))
    }
}

extension HTTPStatus {
    /// Whether another head follows; 101 is the last of its connection (RFC 9110 15.2.2).
    fileprivate var isInterim: Bool {
        (100..<200).contains(code) && self != .switchingProtocols
    }
}
