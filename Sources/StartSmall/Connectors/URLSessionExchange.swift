import Foundation

/// What is known of one call while it runs over a `URLSession`: pure, so that it is tested without one.
struct URLSessionExchange: Sendable {
    private let payloadLimit: Int?
    private let options: URLSessionOptions
    private var response: Response?
    private var hasHeard = false
    private var lastSign: SuspendingClock.Instant

    /// A call that starts now.
    init(payloadLimit: Int?, options: URLSessionOptions, now: SuspendingClock.Instant) {
        self.payloadLimit = payloadLimit
        self.options = options
        self.lastSign = now
    }

    /// A part of the payload was sent.
    mutating func sent(at now: SuspendingClock.Instant) {
        (hasHeard, lastSign) = (true, now)
    }

    /// The head of a response arrived; an interim one (RFC 9110 15.2) is only a sign of life.
    mutating func received(head: Response, at now: SuspendingClock.Instant) {
        (hasHeard, lastSign) = (true, now)
        if head.statusCode.isInterim { return }
        response = head
    }

    /// A part of the response's payload arrived; an output if it ends the call.
    mutating func received(_ data: Data, at now: SuspendingClock.Instant) -> Output? {
        (hasHeard, lastSign) = (true, now)
        guard response != nil else { return nil }
        let room = payloadLimit.map { $0 - (response?.payload.count ?? 0) } ?? .max
        guard data.count > room else {
            response?.payload.append(data)
            return nil
        }
        response?.payload.append(data.prefix(max(0, room)))
        return response.map { .noResponse(.payloadTooLarge($0, limit: payloadLimit ?? .max)) }
    }

    /// The session is done; `final` is what it knows of the response, where the head was never announced.
    func output(error: (any Error)?, final: Response? = nil) -> Output {
        if let error { return .noResponse(ConnectionError(urlSession: error, partial: response)) }
        guard let whole = response ?? final else {
            return .noResponse(.noDataOrNoResponse(debugInfo: "the session ended without response and without error"))
        }
        return .hasResponse(whole)
    }

    /// When the call ends if nothing happens until then.
    var deadline: SuspendingClock.Instant? {
        timeout.map { lastSign.advanced(by: $0) }
    }

    /// An output if the deadline is over.
    func output(expiredAt now: SuspendingClock.Instant) -> Output? {
        guard let timeout, let deadline, deadline <= now else { return nil }
        let what = hasHeard || options.connectTimeout == nil ? "nothing came or went" : "no sign of the server"
        return .noResponse(
            .timedOut(
                ConnectionError.Cause(
                    domain: NSURLErrorDomain,
                    code: NSURLErrorTimedOut,
                    text: "\(what) for \(timeout)",
                    partial: response
                )
            )
        )
    }

    private var timeout: Duration? {
        hasHeard ? options.idleTimeout : options.connectTimeout ?? options.idleTimeout
    }
}

extension HTTPStatus {
    /// Whether another head follows; 101 is the last of its connection (RFC 9110 15.2.2).
    fileprivate var isInterim: Bool {
        (100..<200).contains(code) && self != .switchingProtocols
    }
}
