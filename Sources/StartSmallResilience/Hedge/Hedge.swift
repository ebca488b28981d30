public import StartSmall
import Synchronization

extension Wrapper {
    /// Sends a second request for a call that is slow; the first success is the output, and the other is cancelled.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .hedge(after: .percentile(95)))
    /// ```
    ///
    /// A failure is the output only if no other request can succeed any more: of two failures, that of the first
    /// request. A call that fails before the delay has no second request: `.retry` is for that.
    ///
    /// - Parameters:
    ///   - delay: the time after which a call gets a second request.
    ///   - budget: the budget of second requests; by default 10 for 100 successful calls, and 1 a second.
    ///   - key: the calls whose durations are observed together; those to one origin by default.
    ///   - isHedgeable: whether a request may run twice at the same time; by default one with a safe method, such as
    ///     GET (`HTTPMethodAndPayload.isSafe`). With `RetryCondition.isSafeToReplay`, all idempotent requests get a
    ///     second one. A server can still carry out the cancelled one of two PUT requests after a later change.
    ///   - isFailure: whether an output is a failure; by default a transient one, as `RetryCondition.isTransient`
    ///     decides. A call without a response always failed.
    ///   - clock: the clock that measures the delay.
    /// - Passes through: calls that end before the delay, or have no budget left; requests that may not run twice;
    ///   payloads that can be produced only once, and responses to a file or a stream, which can take one response
    ///   only.
    /// - Order: inside of `.retry`, and of wrappers that add an ID or key to the call, so that the server recognizes
    ///   both requests; outside of `.circuitBreaker` and `.rateLimit`, which count each request.
    /// - Events: `Event.custom(name: "hedge", detail:)` before the second request.
    /// - Errors: `ConnectionError.cancelled` at once when the task is cancelled; both requests are cancelled then.
    /// - State: the budget, and the observed durations, created once per wrap.
    public static func hedge(
        after delay: HedgeDelay,
        budget: HedgeBudget? = nil,
        sharedBy key: CallKey = .origin,
        for isHedgeable: @escaping @Sendable (_ input: Input) -> Bool = isSafe,
        countingAsFailure isFailure: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool = {
            RetryCondition.isTransient($1)
        },
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Wrapper {
        Wrapper("hedge") { connector in
            let budget = budget ?? .share(clock: clock)
            let latencies = ObservedLatencies(delay, time: clock.timeSinceNow())
            let hedging = Wrapper { input, next in
                guard input.staysInMemory, isHedgeable(input), !next.context.isDryRun,
                    input.methodAndPayload.payload?.isAvailable != false
                else { return await next(input) }
                let key = latencies.areObserved ? key(input) : ""
                let start = latencies.areObserved ? latencies.time() : .zero
                let output: Output
                if let delay = latencies.delay(of: key) {
                    output = await HedgedCall.output(of: input, next, isFailure) { call in
                        Task {
                            do { try await clock.sleep(for: delay) } catch { return }
                            guard !next.isOver, input.methodAndPayload.payload?.isAvailable != false,
                                call.outputIfKnown == nil, budget.withdraw(), call.startSecond()
                            else { return }
                            next.report(.custom(name: "hedge", detail: "second request"))
                            await call.send(.second, input, next, isFailure)
                        }
                    }
                } else {
                    output = await next(input)
                }
                if output.isSuccess(of: input, isFailure) {
                    budget.deposit()
                    // The winner's request may be shorter; the time without a second request is at least this.
                    if latencies.areObserved { latencies.add(since: start, to: key) }
                }
                return output
            }
            return connector.wrapped(by: hedging)
        }
    }

    /// Returns whether the method of a request is safe (RFC 9110 9.2.1).
    @usableFromInline static func isSafe(_ input: Input) -> Bool { input.methodAndPayload.isSafe }
}

extension HedgedCall {
    /// Makes a call with a second request, if the first has not ended when one is wanted.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - next: the inner connector.
    ///   - isFailure: whether an output is a failure.
    ///   - second: starts the task of the second request; called only for a call that suspends.
    fileprivate static func output(
        of input: Input,
        _ next: Next,
        _ isFailure: @escaping @Sendable (Input, Output) -> Bool,
        second: (HedgedCall) -> Task<Void, Never>
    ) async -> Output {
        let call = HedgedCall()
        return await withTaskCancellationHandler {
            if Task.isCancelled { return .noResponse(.cancelled) }
            let first = startedImmediately { await call.send(.first, input, next, isFailure) }
            defer { first.cancel() }
            if let output = call.outputIfKnown { return output }
            let second = second(call)
            defer { second.cancel() }
            return await call.output()
        } onCancel: {
            call.abandon(.noResponse(.cancelled))
        }
    }

    /// Sends one of the requests, and ends it.
    fileprivate func send(
        _ request: Request,
        _ input: Input,
        _ next: Next,
        _ isFailure: @Sendable (Input, Output) -> Bool
    ) async {
        let output = await next(input)
        end(request, output, isFailure: !output.isSuccess(of: input, isFailure))
    }

    /// Starts a task on the thread of its caller, so that a call without suspension costs no switch of threads.
    ///
    /// On Apple platforms before version 26, it is an ordinary task.
    private static func startedImmediately(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { await operation() }
        } else {
            Task { await operation() }
        }
    }
}

extension Output {
    fileprivate func isSuccess(of input: Input, _ isFailure: (Input, Output) -> Bool) -> Bool {
        guard case .hasResponse = self else { return false }
        return !isFailure(input, self)
    }
}

/// The durations of the requests of one wrapped connector, if its delay depends on them.
private final class ObservedLatencies: Sendable {
    let time: @Sendable () -> Duration
    let areObserved: Bool
    private let fixed: Duration?
    private let states: Mutex<KeyedStates<Latencies>>

    init(_ delay: HedgeDelay, time: @escaping @Sendable () -> Duration) {
        self.time = time
        switch delay {
        case .fixed(let delay):
            (fixed, areObserved) = (delay.bounded, false)
            states = Mutex(KeyedStates { Latencies(percentile: 100) })
        case .percentile(let percentile):
            (fixed, areObserved) = (nil, true)
            states = Mutex(KeyedStates { Latencies(percentile: percentile) })
        }
    }

    /// Returns the delay of a second request; nil if it is not known yet.
    func delay(of key: String) -> Duration? {
        if let fixed { return fixed }
        let now = time()
        return states.withLock { $0.withState(of: key, at: now) { $0.delay } }
    }

    func add(since start: Duration, to key: String) {
        let now = time()
        states.withLock { $0.withState(of: key, at: now) { $0.add(now - start, at: now) } }
    }
}
