import StartSmallSupport
import Synchronization

/// An inner call that its caller can abandon before it ends, even if the inner call ignores cancellation.
///
/// ```swift
/// let stoppable = Wrapper("stoppable") { input, next in
///     let call = AbandonableCall()
///     button.onPress { call.abandon(.cancelled) }
///     return await call.output(of: input, next)
/// }
/// ```
///
/// The inner call runs in its own task, since no task group ends before the last of its tasks does. It begins on the
/// thread of its caller, and costs no thread switch if it does not suspend.
///
/// As soon as the call is abandoned or cancelled, the inner wrappers send no further request, and an output that still
/// comes is discarded. Exception: after an inner wrapper has returned its output, it may still send requests in the
/// background to get a newer output for later calls.
///
/// A call with an open ``Response/body`` can be abandoned until the body ends: the error then ends the body. Copies are
/// the same call, which is made once; made again, it returns ``ConnectionError/cancelled``.
public struct AbandonableCall: Sendable {
    private let part: AbandonablePart

    /// Creates a call that has not begun.
    ///
    /// - Parameters:
    ///   - isChosen: whether the caller of the call has chosen its time limit, and not the connector.
    ///   - remainingTime: returns the time that is left until its caller abandons it, negative if it is past, from any
    ///     thread, which the inside reads from ``CallContext/remainingTime``; nil without a time limit.
    public init(isChosen: Bool = false, remainingTime: (@Sendable () -> Duration)? = nil) {
        part = AbandonablePart(isChosen, remainingTime)
    }

    /// Ends the call with an error, unless all of its output has arrived.
    ///
    /// The inner call is no longer needed. If its output has a body, the body ends with the error.
    public func abandon(_ error: ConnectionError) { part.abandon(error) }

    /// Makes the inner call, until it returns, is abandoned, or its task is cancelled.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - next: the inner wrapper or connector.
    ///   - waiting: a function that is called once if the inner call suspends, or returns an open body, such as to
    ///     start a timer.
    /// - Returns: the output of the inner call, or the one that replaced it.
    public func output(of input: Input, _ next: Next, waiting: () -> Void = {}) async -> Output {
        if part.hasBegun.exchange(true, ordering: .relaxed) { return .noResponse(.cancelled) }
        // The inner call begins on this thread, and may be abandoned before anything waits for it.
        return await withTaskCancellationHandler {
            let task = part.begin(input, next)
            // The inner call still runs if it was abandoned.
            defer { task?.cancel() }
            if let output = part.takeOutput() {
                if output.body != nil { waiting() }
                return output
            }
            waiting()
            return await part.output()
        } onCancel: {
            // Not the body, if there is one: functions that wait for its end must not run in this handler.
            part.end(with: .noResponse(.cancelled), isAbandoned: true)
        }
    }
}

/// The state of an ``AbandonableCall``.
///
/// This is a class of its own, and not ``Promise``: a generic state would be copied by functions that look up its
/// layout at run time, in each call.
private final class AbandonablePart: CallLimit {
    private struct State: Sendable {
        /// The output of the inner call, or another one in its place, until it is taken.
        var output: Output?
        var waiter: CheckedContinuation<Output, Never>?
        var isOver = false
        var isAbandoned = false

        /// Ends the body of the output with an error, without keeping the body; nil if there was none.
        var interrupt: (@Sendable (ConnectionError) -> Void)?
    }

    let hasBegun = Atomic(false)
    private let state = Mutex(State())

    private let timeLeft: (@Sendable () -> Duration)?
    private let isChosen: Bool

    init(_ isChosen: Bool, _ timeLeft: (@Sendable () -> Duration)?) {
        (self.isChosen, self.timeLeft) = (isChosen, timeLeft)
    }

    func remainingTime(withChosen: Bool) -> Duration? { withChosen || !isChosen ? timeLeft?() : nil }

    /// Whether an error replaced the output of the inner call, or ended its body, so that nothing waits for it.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    func abandon(_ error: ConnectionError) {
        if end(with: .noResponse(error), isAbandoned: true) { return }
        let interrupt = state.withLock { state in
            if state.interrupt != nil { state.isAbandoned = true }
            return state.interrupt.take()
        }
        interrupt?(error)
    }

    /// Begins the inner call, and returns when it suspends for the first time.
    ///
    /// - Returns: the task, to cancel it; nil if the call is already cancelled and no request was sent.
    func begin(_ input: Input, _ next: Next) -> Task<Void, Never>? {
        // A new task would not inherit the cancellation.
        if next.context.isCancelled {
            end(with: .noResponse(.cancelled), isAbandoned: false)
            return nil
        }
        let next = next.with { $0.limit(by: self) }
        return Task.startedImmediately {
            let output = await next(input)
            if !self.end(with: output, isAbandoned: false) { output.discard() }
        }
    }

    /// Takes the output, which can be taken once; nil if there is none yet.
    func takeOutput() -> Output? {
        state.withLock { $0.output.take() }
    }

    /// Waits for the output, and takes it.
    func output() async -> Output {
        await withCheckedContinuation { continuation in
            var output: Output?
            state.withLock { state in
                output = state.output.take()
                if output == nil { state.waiter = continuation }
            }
            if let output { continuation.resume(returning: output) }
        }
    }

    /// Ends the call, unless it is over, and resumes the waiting task outside of the lock.
    ///
    /// - Returns: whether the call was not over.
    @discardableResult
    func end(with output: Output, isAbandoned: Bool) -> Bool {
        let interrupt = output.interruption
        var waiter: CheckedContinuation<Output, Never>?
        let isFirst = state.withLock { state in
            if state.isOver { return false }
            (state.isOver, state.isAbandoned, state.interrupt) = (true, isAbandoned, interrupt)
            waiter = state.waiter.take()
            if waiter == nil { state.output = output }
            return true
        }
        waiter?.resume(returning: output)
        return isFirst
    }
}

extension Output {
    /// A function that ends the body with an error, which gets the head, and does not keep the body; nil without one.
    fileprivate var interruption: (@Sendable (ConnectionError) -> Void)? {
        guard case .hasResponse(let response) = self, let body = response.body else { return nil }
        return { [body = body.weak, head = response.head] error in body.interrupt(with: error.keeping(head)) }
    }
}
