public import StartSmallCore
public import StartSmall
import StartSmallSupport
import StartSmallFoundation
import StartSmallHeaders

/// An endpoint that is called repeatedly: the outcome of each call, and a pause before the next.
///
/// ```swift
/// for await errorOrJob in Polling(job, every: .seconds(5), while: { $0.right?.isRunning ?? false }, via: .app) {
///     print(errorOrJob)
/// }
/// ```
///
/// Each element is the outcome of one call; the sequence itself never throws.
///
/// The pause is measured from the end of a call to the start of the next, regardless of the consumer's work meanwhile.
/// If a response requests a longer pause, as a 202 with `Retry-After` does, that pause is used (``RetryAfter``), also by
/// a field of the API (``DelayField``), such as `.milliseconds("OpenAI-Poll-After-Ms")`. The next call is made when its
/// element is requested, so that no call runs after the consumer has stopped; if the consumer's task is cancelled, the
/// sequence ends. Each iteration starts again.
public struct Polling<Reason: Error, Value: Sendable>: AsyncSequence, Sendable {
    private let endpoint: Endpoint<ResponseTagged<Reason>, ResponseTagged<Value>>
    private let connector: Connector
    private let continues: @Sendable (Fetched<Reason, Value>) -> Bool
    private let pause: @Sendable (Response?) -> Pause

    /// A function that waits for the end of a pause that has begun; false if the wait is cancelled.
    private typealias Pause = @Sendable () async -> Bool

    /// Creates a sequence of calls.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint to call.
    ///   - interval: the time from the end of a call to the start of the next; zero for a server that holds its
    ///     response back until there is news. A negative interval is a mistake, and 5 seconds are used instead,
    ///     the interval of a client if the server names none (RFC 8628 3.2).
    ///   - longestPause: the longest pause that a response can request; one hour by default.
    ///   - field: the header field in which the API requests a pause, beside those of ``RetryAfter``; none by default.
    ///   - continues: returns whether another call follows the outcome of one. By default, another call follows a
    ///     value, and a network failure, which may be transient; none follows any other failure, a cancelled call, or
    ///     an outer time limit, such as a deadline, that leaves no time for a call.
    ///   - connector: the connector that makes the calls.
    ///   - clock: the clock that measures the pauses.
    ///   - now: returns the current time, for responses that request a pause until a date.
    public init(
        _ endpoint: Endpoint<Reason, Value>,
        every interval: Duration,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        pausedBy field: DelayField? = nil,
        while continues: @escaping @Sendable (Fetched<Reason, Value>) -> Bool = continues,
        via connector: Connector = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.endpoint = endpoint.taggedWithResponse
        self.connector = connector
        self.continues = continues
        let interval = interval < .zero ? DefaultLimits.pollingInterval : interval
        pause = { response in
            let delays = response.map { [RetryAfter.delay(of: $0, now: now()), field?.delay(of: $0)] } ?? []
            let requested = delays.compactMap(\.self).max() ?? .zero
            let pause = Swift.max(interval, Swift.min(requested, longestPause))
            let end = clock.now.advanced(by: Swift.min(pause, .maximumWait))
            return { (try? await clock.sleep(until: end, tolerance: nil)) != nil }
        }
    }

    /// Returns whether to continue: after a value, and after a network failure, which may be transient.
    ///
    /// A response outside of 2xx is a response, even if its payload is broken (``Output/response``).
    /// The result is false after any other failure, after a cancelled call, and if an outer time limit, such as a
    /// deadline, leaves no time for a call.
    @usableFromInline package static func continues(after fetched: Fetched<Reason, Value>) -> Bool {
        switch fetched {
        case .right: true
        case .left(.right): false
        case .left(.left(let error)):
            Output.noResponse(error).response == nil
                && (error.isTransient || error.mayPass || error.fault == .network || error.fault == .service)
        }
    }

    /// Creates an iterator that begins with a call.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: self)
    }

    /// An iterator over the outcomes of the calls.
    public struct Iterator: AsyncIteratorProtocol {
        private let polling: Polling
        private var hasEnded = false
        private var pause: Pause?

        fileprivate init(of polling: Polling) { self.polling = polling }

        /// Waits for the end of the pause and calls; returns nil after the last call, or if the task is cancelled.
        public mutating func next() async -> Fetched<Reason, Value>? {
            if hasEnded { return nil }
            hasEnded = true
            if let pause, await !pause() { return nil }
            let tagged = await polling.endpoint.fetch(via: polling.connector)
            if Task.isCancelled { return nil }
            let kept = tagged.connectionError.flatMap { Output.noResponse($0).response }
            let response = tagged.right?.response ?? tagged.failure?.response ?? kept
            let fetched = tagged.mapLeft { $0.map(\.value) }.map(\.value)
            hasEnded = !polling.continues(fetched)
            pause = hasEnded ? nil : polling.pause(response)
            return fetched
        }
    }
}
