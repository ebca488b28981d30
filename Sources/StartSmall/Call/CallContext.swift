import Synchronization

/// The context of one call in its connector and wrappers: the time limits, the cancellation, and the listeners.
///
/// ```swift
/// let cached = Connector { input, context in
///     context.report(.custom(name: "hit", detail: input.url.path()))
///     return .hasResponse(response)
/// }
/// ```
///
/// A connector receives the context of each call; a wrapper has it as ``Next/context``.
public struct CallContext: Sendable {
    private let send: (@Sendable (Event) -> Void)?
    private var scope: CallScope

    /// The counter of the call's attempts; nil within an attempt, and without a listener.
    private var nextAttempt: (@Sendable () -> Int)?

    /// Creates the context of a new call.
    init(reportingTo listenerContext: ListenerContext?) {
        guard let listenerContext else {
            self.init(send: nil)
            return
        }
        let (listener, callID) = (listenerContext.listener, listenerContext.nextCallID())
        let sequencer = Mutex(EventSequencer())
        let attempts = Atomic(0)
        // No listener runs under the lock: one that cancels the call can cause another event in the same thread.
        let send = { @Sendable (event: Event) in
            guard sequencer.withLock({ $0.beginObserving(event) }) else { return }
            listener.observe(event, callID)
            while let next = sequencer.withLock({ $0.endObserving() }) { listener.observe(next, callID) }
        }
        self.init(send: send, nextAttempt: { attempts.add(1, ordering: .relaxed).newValue })
    }

    private init(
        send: (@Sendable (Event) -> Void)?,
        scope: CallScope = .whole,
        nextAttempt: (@Sendable () -> Int)? = nil
    ) {
        (self.send, self.scope, self.nextAttempt) = (send, scope, nextAttempt)
    }

    /// Returns a context for the inside of a wrapper, which changes events on their way to listeners.
    func changingEvents(_ change: @escaping @Sendable (Event) -> Event) -> CallContext {
        guard let send else { return self }
        return CallContext(send: { send(change($0)) }, scope: scope, nextAttempt: nextAttempt)
    }

    /// Returns a context for one request of an engine, which adds the number of the attempt to progress events.
    @usableFromInline
    func ofNextAttempt() -> CallContext {
        guard let number = nextAttempt?() else { return self }
        var context = changingEvents { event in
            if case .progress(let progress) = event { .progress(progress.ofAttempt(number)) } else { event }
        }
        context.nextAttempt = nil
        return context
    }

    /// Returns a context for a part of the call that can end early, by a time limit or a cancellation.
    func within(
        isOver: @escaping @Sendable () -> Bool,
        remainingTime: (@Sendable () -> Duration)? = nil
    ) -> CallContext {
        var context = self
        context.scope = .part(isOver: isOver, remainingTime: remainingTime, within: scope)
        return context
    }

    /// The time that is left to the call by the innermost time limit: negative if it is past, nil without a limit.
    ///
    /// ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)`` limit everything inside of them; of two nested
    /// limits, the smaller one counts. ``Wrapper/retry(_:budget:clock:random:now:)`` does not begin a delay that is
    /// longer than this time. A custom wrapper that waits reads this property of ``Next/context``, a connector that
    /// of its context. Calls that they make through ``WebAPI``, and tasks that they start, have their own limits.
    public var remainingTime: Duration? { scope.remainingTime }

    /// Returns a context for a part of the call in which each request has a time limit until the head of its response.
    ///
    /// Of two limits, the smaller one counts.
    func limitedUntilHead(_ limit: HeadLimit) -> CallContext {
        if let outer = headLimit, outer.limit <= limit.limit { return self }
        var context = self
        context.scope = .limitedUntilHead(limit, within: scope)
        return context
    }

    /// Returns a context for one request, whose time limit until the head begins now.
    func countingUntilHead() -> CallContext {
        var context = self
        context.scope = .limitedUntilHead(nil, within: scope)
        return context
    }

    /// Returns a context for the inside of a wrapper that observes the heads of responses.
    func observing(head observe: @escaping @Sendable (Response) -> Void) -> CallContext {
        var context = self
        context.scope = .observingHead(observe, within: scope)
        return context
    }

    /// The time limit until the head of a response, if it has not begun yet; nil if there is none.
    var headLimit: HeadLimit? {
        if case .notBegun(let limit) = scope.headLimit { limit } else { nil }
    }

    /// Whether there is a time limit until the head that has not begun yet.
    @usableFromInline
    var hasHeadLimit: Bool { headLimit != nil }

    /// Whether ``Wrapper/timeout(untilHead:clock:)`` limits the time of this request until the head of its response.
    ///
    /// Until the head, an engine with its own limit between two bytes does not apply that limit.
    public var isLimitedUntilHead: Bool {
        if case .begun = scope.headLimit { true } else { false }
    }

    /// Whether a wrapper observes the heads of responses; if not, ``received(head:)`` has no effect.
    public var wantsHead: Bool { scope.wantsHead }

    /// Notifies the wrappers that the head of a response has arrived; an engine calls this before it reads the payload.
    ///
    /// Interim responses (1xx) are not reported. A head that is passed to a consumer
    /// (``PayloadConsumer/Part/head(_:)``) is reported by that already. Without a report, the head of a connector
    /// counts as received when its output is returned.
    public func received(head: Response) {
        if !isCancelled { scope.received(head) }
    }

    /// Whether the call is cancelled or past a time limit, so that nothing more may be sent for it.
    @usableFromInline
    var isCancelled: Bool { Task.isCancelled || scope.isOver }

    /// Whether the call has a listener; without one, a connector need not collect data for events.
    public var hasListeners: Bool { send != nil }

    /// Reports an event of a wrapper or connector to the listeners of this call.
    ///
    /// Without a listener, the event is not even created. Events that only the call itself may report, such as
    /// ``Event/ended``, are dropped. Events after the call has an output are dropped too: a wrapper can abandon work
    /// that ends later.
    public func report(_ event: @autoclosure () -> Event) {
        guard let send else { return }
        let event = event()
        if !event.isReportedByCall { send(event) }
    }

    /// Reports an event that only the call itself reports.
    ///
    /// Not inlined, so that no event takes space in the stack frame of a call without a listener.
    func reportLifecycle(_ event: @autoclosure () -> Event) {
        if let send { Self.report(event, with: send) }
    }

    @inline(never)
    private static func report(_ event: () -> Event, with send: @Sendable (Event) -> Void) {
        send(event())
    }
}
