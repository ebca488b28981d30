public import StartSmallCore
public import StartSmallRetry
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
    /// - Events: ``Hedging`` before the second request.
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
            let time = clock.timeSinceNow()
            let latencies = Mutex(KeyedStates { Latencies(delay) })
            let hedging = Wrapper { input, next in
                guard input.staysInMemory, isHedgeable(input), !next.context.isDryRun,
                    input.methodAndPayload.payload?.isReplayable != false
                else { return await next(input) }
                let next = next.with { $0.isAttempt = true }
                let (key, start) = (key(input), time())
                let wait = latencies.withLock { $0.withState(of: key, at: start) { $0.delay } }
                let output: Output
                if let wait {
                    output = await HedgedCall().output(of: input, next, isFailure) { call in
                        do { try await clock.sleep(for: wait) } catch { return false }
                        guard !next.isOver, !call.hasOutput, budget.withdraw(), call.startSecond()
                        else { return false }
                        next.report(Hedging())
                        return true
                    }
                } else {
                    output = await next(input)
                }
                if output.isSuccess(of: input, isFailure) {
                    budget.deposit()
                    // The winner's request may be shorter; the time without a second request is at least this.
                    let now = time()
                    latencies.withLock { $0.withState(of: key, at: now) { $0.add(now - start, at: now) } }
                }
                return output
            }
            return connector.wrapped(by: hedging)
        }
    }

    /// Returns whether the method of a request is safe (RFC 9110 9.2.1).
    @usableFromInline static func isSafe(_ input: Input) -> Bool { input.methodAndPayload.isSafe }
}

extension Output {
    fileprivate func isSuccess(of input: Input, _ isFailure: (Input, Output) -> Bool) -> Bool {
        guard case .hasResponse = self else { return false }
        return !isFailure(input, self)
    }
}

/// The second request of a call, as `.hedge` reports it before it is sent.
public struct Hedging: ReportedEvent {
    /// Creates an event.
    public init() {}

    /// The name of the event.
    public var name: String { "hedge" }
}

/// The budget of second requests, so that an outage is not doubled.
public struct HedgeBudget: Sendable {
    /// The number of second requests that a hundred successful calls allow: 10.
    ///
    /// A delay at the 95th percentile needs 5 (Dean and Barroso, The Tail at Scale, 2013); the rest is for a moment in
    /// which the service slows down.
    @usableFromInline static let defaultPercent = 10

    /// The number of second requests that each second allows in addition: 1, so that an app with few calls gets any.
    @usableFromInline static let defaultFreePerSecond = 1

    let withdraw: @Sendable () -> Bool
    let deposit: @Sendable () -> Void

    /// Returns a budget of second requests alone.
    ///
    /// Copies are one budget: pass the same one to several connectors that call the same service.
    ///
    /// - Parameters:
    ///   - percent: the number of second requests that a hundred successful calls allow; 10 by default.
    ///   - freePerSecond: the number that each second allows in addition; 1 by default.
    ///   - clock: the clock that measures the seconds.
    public static func share(
        percent: Int = defaultPercent,
        freePerSecond: Int = defaultFreePerSecond,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> HedgeBudget {
        let budget = RetryBudget(freePerSecond: freePerSecond, percent: percent, clock: clock)
        return HedgeBudget(withdraw: { budget.withdraw() }, deposit: { budget.deposit() })
    }

    /// Returns the budget that `.retry` uses, for retries and second requests together.
    ///
    /// Only `.retry` records the successful calls, so that each counts once.
    public static func shared(with budget: RetryBudget) -> HedgeBudget {
        HedgeBudget(withdraw: { budget.withdraw() }, deposit: {})
    }
}

/// Two requests for one call, of which the first success is the output.
private final class HedgedCall: Sendable {
    private struct State {
        var running = 1
        var failure: Output?
        var output: Output?
        var waiter: CheckedContinuation<Output, Never>?
    }

    private let state = Mutex(State())

    /// Whether the output is known, and a second request of no use.
    var hasOutput: Bool { state.withLock { $0.output != nil } }

    /// Starts the second request, and returns whether it is still of use.
    func startSecond() -> Bool {
        state.withLock { state in
            if state.output == nil { state.running += 1 }
            return state.output == nil
        }
    }

    /// Makes a call with a second request, if the first has not ended when one is wanted.
    func output(
        of input: Input,
        _ next: Next,
        _ isFailure: @escaping @Sendable (Input, Output) -> Bool,
        wantsSecond: @escaping @Sendable (HedgedCall) async -> Bool
    ) async -> Output {
        @Sendable func send(isFirst: Bool) async {
            let output = await next(input)
            end(output, isFirst: isFirst, isFailure: !output.isSuccess(of: input, isFailure))
        }
        return await withTaskCancellationHandler {
            if Task.isCancelled { return .noResponse(.cancelled) }
            let first = Self.startedImmediately { await send(isFirst: true) }
            defer { first.cancel() }
            if let output = state.withLock({ $0.output }) { return output }
            let second = Task { if await wantsSecond(self) { await send(isFirst: false) } }
            defer { second.cancel() }
            return await withCheckedContinuation { waiter in
                finish { state in
                    state.waiter = waiter
                    return state.output
                }
            }
        } onCancel: {
            finish { $0.output ?? .noResponse(.cancelled) }
        }
    }

    /// Ends a request.
    ///
    /// A failure is the output only when no request is left that could succeed; if both fail, it is that of the first
    /// request.
    private func end(_ output: Output, isFirst: Bool, isFailure: Bool) {
        finish { state in
            state.running -= 1
            if !isFailure || state.output != nil { return state.output ?? output }
            if isFirst || state.failure == nil { state.failure = output }
            return state.running == 0 ? state.failure : nil
        }
    }

    /// Sets the output unless it is nil, and resumes the waiting task outside of the lock.
    private func finish(_ output: (inout State) -> Output?) {
        let (waiter, output) = state.withLock { state in
            state.output = output(&state)
            return (state.output == nil ? nil : state.waiter.take(), state.output)
        }
        if let output { waiter?.resume(returning: output) }
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
