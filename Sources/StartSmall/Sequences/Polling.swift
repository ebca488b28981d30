public import Foundation

/// An endpoint called again and again: what comes of each call, and a pause before the next.
///
/// ```swift
/// for await errorOrJob in Polling(job, every: .seconds(5), while: { $0.right?.isRunning ?? false }, via: .app) {
///     print(errorOrJob)
/// }
/// ```
///
/// The pause is counted from the end of a call to the start of the next, whatever the consumer does meanwhile. Where a
/// response asks for a longer one, as a 202 with `Retry-After` does, that is made (``RetryAfter``). The next call is
/// made when it is asked for, so that nothing goes on when its consumer has stopped; where its task is cancelled, the
/// sequence ends. Each iteration begins anew.
public struct Polling<Reason: Error, Value: Sendable>: AsyncSequence, Sendable {
    /// What comes of one call.
    public typealias Element = Fetched<Reason, Value>

    /// The sequence itself never fails: failures are elements.
    public typealias Failure = Never

    private let endpoint: Endpoint<ResponseTagged<Reason>, ResponseTagged<Value>>
    private let connector: Connector
    private let goesOn: @Sendable (Element) -> Bool
    private let pause: @Sendable (Response?) -> Pause

    /// Waits for the end of a pause that has begun; false if that is not to be waited for any more.
    private typealias Pause = @Sendable () async -> Bool

    /// Creates a sequence of calls.
    ///
    /// - Parameters:
    ///   - endpoint: what is called.
    ///   - interval: the time from the end of a call to the start of the next; zero for a server that holds its response
    ///     back until there is news. One below zero is a mistake, and ``DefaultLimits/pollingInterval`` is taken instead.
    ///   - longestPause: the longest pause that a response can ask for.
    ///   - goesOn: whether another call follows on what came of one: ``goesOn(after:)`` unless told otherwise.
    ///   - connector: what it is called over.
    ///   - clock: what counts the pauses.
    ///   - now: the time of day, for responses that ask for a pause until a date.
    public init(
        _ endpoint: Endpoint<Reason, Value>,
        every interval: Duration,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        while goesOn: @escaping @Sendable (Element) -> Bool = goesOn,
        via connector: Connector,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.endpoint = endpoint.answered
        self.connector = connector
        self.goesOn = goesOn
        let interval = interval < .zero ? DefaultLimits.pollingInterval : interval
        pause = { response in
            let asked = response.flatMap { RetryAfter.delay(of: $0, now: now()) } ?? .zero
            let pause = Swift.max(interval, Swift.min(asked, longestPause))
            let end = clock.now.advanced(by: Swift.min(pause, .maximumWait))
            return { await Self.sleep(until: end, clock) }
        }
    }

    /// Goes on after a value and where the network failed, which may pass; stops at any other failure, where the call
    /// was cancelled, and where a limit of time around it, such as a deadline, leaves none for a call.
    public static func goesOn(after fetched: Element) -> Bool {
        switch fetched {
        case .right: true
        case .left(.right): false
        case .left(.left(let error)): error.isOfNetwork && !error.isWithoutTime
        }
    }

    private static func sleep<C: Clock>(until end: C.Instant, _ clock: C) async -> Bool {
        do {
            try await clock.sleep(until: end, tolerance: nil)
            return true
        } catch {
            return false
        }
    }

    /// Begins with a call.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: self)
    }

    /// What comes of one call after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let polling: Polling
        private var hasEnded = false
        private var pause: Pause?

        fileprivate init(of polling: Polling) { self.polling = polling }

        /// Waits for the end of the pause and calls; nil after the last call, or if the task is cancelled.
        public mutating func next() async -> Element? {
            if hasEnded { return nil }
            hasEnded = true
            if let pause, await !pause() { return nil }
            let answered = await polling.endpoint.fetch(via: polling.connector)
            if Task.isCancelled { return nil }
            let refused = answered.connectionError.flatMap { Output.noResponse($0).answer }
            let response = answered.right?.response ?? answered.failure?.response ?? refused
            let fetched = answered.mapLeft { $0.map(\.reading) }.map(\.reading)
            hasEnded = !polling.goesOn(fetched)
            pause = hasEnded ? nil : polling.pause(response)
            return fetched
        }
    }
}

extension ConnectionError {
    /// Whether the network failed: not what was to be sent, not a limit of our own, and not the caller's change of mind;
    /// one list each, so that a new case has to be thought about.
    fileprivate var isOfNetwork: Bool {
        switch self {
        case .timedOut, .notConnectedToInternet, .hostNotFound, .connectionRefused, .proxyFailed,
            .secureConnectionFailed, .serverCertificateUntrusted, .clientCertificateRejected, .connectionLost,
            .malformedResponse, .unreadablePayload, .noDataOrNoResponse, .other:
            true
        case .malformedURL, .malformedMethod, .malformedHeader, .malformedPayload, .missingCredentials,
            .requestRefused, .engineUnavailable, .cancelled, .payloadTooLarge, .tooManyRedirects, .rejected,
            .refreshFailed,
            .tooManyCalls, .unwritableDestination:
            false
        }
    }
}
