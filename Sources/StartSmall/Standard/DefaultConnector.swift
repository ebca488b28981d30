// Calls over `Connector.standard`: the overloads without `via:`.

public import Dispatch
public import Foundation

#if canImport(Combine)
    public import Combine
#endif

extension WebAPI {
    /// Calls an API over ``Connector/standard``.
    @concurrent
    public static func call(with input: Input) async -> Output {
        await call(with: input, via: .standard)
    }

    /// Calls an API over ``Connector/standard``, and then `block` once, on the queue, or on any thread if there is none.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - queue: the queue of the block; nil for any thread.
    ///   - block: gets the output.
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    public static func call(
        with input: Input,
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Output) -> Void
    ) -> Task<Void, Never> {
        call(with: input, via: .standard, on: queue, block)
    }

    /// Calls an API over ``Connector/standard``, and ignores its output.
    ///
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    public static func call(with input: Input) -> Task<Void, Never> {
        call(with: input, via: .standard)
    }
}

extension Fetchable {
    /// Calls the API over ``Connector/standard``.
    public func fetch() async -> Fetched<Failure, Value> {
        await fetch(via: .standard)
    }

    /// Calls the API over ``Connector/standard``, and then `block` once, on the queue, or on any thread if there is none.
    ///
    /// - Parameters:
    ///   - queue: the queue of the block; nil for any thread.
    ///   - block: gets the value or the failure.
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    public func fetch(
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        fetch(via: .standard, on: queue, block)
    }

    /// Calls the API over ``Connector/standard``, and returns the value.
    ///
    /// - Throws: ``CallError``.
    public func value() async throws(CallError<Failure>) -> Value {
        try await value(via: .standard)
    }
}

extension StreamEndpoint {
    /// The values and the failures of one call over ``Connector/standard``, as elements.
    public func stream() -> ResponseStream<Problem, Value> { stream(via: .standard) }

    /// The values of one call over ``Connector/standard``; throws its failure.
    public func values() -> ThrowingResponseStream<Problem, Value> { values(via: .standard) }
}

extension ServerSentEvents {
    /// The events and the failures among them, over ``Connector/standard``, as elements.
    public func stream() -> ServerSentEventStream<Problem> { stream(via: .standard) }
}

extension Polling {
    /// Creates a sequence of calls over ``Connector/standard``.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint to call.
    ///   - interval: the time from the end of a call to the start of the next.
    ///   - longestPause: the longest pause that a response can ask for.
    ///   - goesOn: whether another call follows on the result of one.
    ///   - clock: the clock of the pauses.
    ///   - now: the time of day, for responses that ask for a pause until a date.
    public init(
        _ endpoint: Endpoint<Reason, Value>,
        every interval: Duration,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        while goesOn: @escaping @Sendable (Element) -> Bool = goesOn,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(endpoint, every: interval, upTo: longestPause, while: goesOn, via: .standard, clock: clock, now: now)
    }
}

extension Endpoint {
    /// The pages that begin with this endpoint, each fetched over ``Connector/standard`` when it is asked for.
    ///
    /// - Parameters:
    ///   - strategy: the way from one page to the next.
    ///   - limit: the largest number of pages.
    ///   - origins: the other origins at which pages may be.
    public func pages(
        by strategy: PaginationStrategy<Value>,
        limit: Int = DefaultLimits.pages,
        alsoAt origins: Set<Origin> = []
    ) -> Pages<Failure, Value> {
        pages(by: strategy, limit: limit, alsoAt: origins, via: .standard)
    }
}

#if canImport(Combine)
    extension Fetchable {
        /// Calls the API over ``Connector/standard`` for each subscriber, and publishes the value or the failure.
        public func publisher() -> AnyPublisher<Value, CallError<Failure>> { publisher(via: .standard) }
    }
#endif
