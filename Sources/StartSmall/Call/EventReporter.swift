import Synchronization

/// The way by which a wrapper or connector tells the listeners of its call of an event:
/// `report(.custom(name: "hit", detail: key))`.
///
/// The event is not even made where nobody listens. What only the call itself may tell, such as ``Event/ended``, is not
/// passed on, and neither is anything after the call has an output: a wrapper may let go of work that ends later.
public struct EventReporter: Sendable {
    private let tell: (@Sendable (Event) -> Void)?
    private var scope: CallScope

    /// The number of the next attempt; nil within an attempt, and where nobody listens.
    private var nextAttempt: (@Sendable () -> Int)?

    /// The report of a new call.
    init(to audience: ListenerContext?) {
        guard let audience else {
            self.init(tell: nil)
            return
        }
        let (listener, call) = (audience.listener, audience.nextCall())
        let turns = Mutex(EventSequencer())
        let attempts = Atomic(0)
        // No listener is called under the lock: one that cancels the call may bring another event in the same thread.
        let tell = { @Sendable (event: Event) in
            guard turns.withLock({ $0.mayBeHeard(event) }) else { return }
            listener.hear(event, call)
            while let next = turns.withLock({ $0.heard() }) { listener.hear(next, call) }
        }
        self.init(tell: tell, nextAttempt: { attempts.add(1, ordering: .relaxed).newValue })
    }

    private init(
        tell: (@Sendable (Event) -> Void)?,
        scope: CallScope = .whole,
        nextAttempt: (@Sendable () -> Int)? = nil
    ) {
        (self.tell, self.scope, self.nextAttempt) = (tell, scope, nextAttempt)
    }

    /// A report for what is inside of a wrapper, whose events are changed on their way to the listeners.
    func changing(_ change: @escaping @Sendable (Event) -> Event) -> EventReporter {
        guard let tell else { return self }
        return EventReporter(tell: { tell(change($0)) }, scope: scope, nextAttempt: nextAttempt)
    }

    /// A report for one request of an engine, whose progress says which attempt it belongs to.
    @usableFromInline
    func ofNextAttempt() -> EventReporter {
        guard let number = nextAttempt?() else { return self }
        var report = changing { event in
            if case .progress(let progress) = event { .progress(progress.ofAttempt(number)) } else { event }
        }
        report.nextAttempt = nil
        return report
    }

    /// A report for a part of the call that ends early, by a time limit or a cancellation.
    func within(
        isOver: @escaping @Sendable () -> Bool,
        remainingTime: (@Sendable () -> Duration)? = nil
    ) -> EventReporter {
        var report = self
        report.scope = .part(isOver: isOver, remainingTime: remainingTime, within: scope)
        return report
    }

    /// The time that the call has left, by the innermost time limit around; negative when it is past, nil without a
    /// limit.
    ///
    /// ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)`` limit everything inside of them, and a limit
    /// within another is the smaller of the two. ``Wrapper/retry(_:budget:clock:random:now:)`` does not begin a wait
    /// that would be longer. A wrapper of one's own that waits asks ``Next/remainingTime``, a connector asks its
    /// report. Calls that either of them makes through ``WebAPI``, and tasks that it starts, have limits of their own.
    public var remainingTime: Duration? { scope.remainingTime }

    /// A report for a part of the call in which each request has a time limit until the head of its response; of two
    /// limits, the smaller counts.
    func limitedUntilHead(_ limit: HeadLimit) -> EventReporter {
        if let outer = scope.headLimit ?? nil, outer.limit <= limit.limit { return self }
        var report = self
        report.scope = .limitedUntilHead(limit, within: scope)
        return report
    }

    /// A report for one request, whose time limit until the head counts from now.
    func countingUntilHead() -> EventReporter {
        var report = self
        report.scope = .limitedUntilHead(nil, within: scope)
        return report
    }

    /// A report for what is inside of a wrapper that hears of heads.
    func hearing(head hear: @escaping @Sendable (Response) -> Void) -> EventReporter {
        var report = self
        report.scope = .hearingHead(hear, within: scope)
        return report
    }

    /// The time limit until the head of a response that is still to be counted; nil if there is none.
    var headLimit: HeadLimit? { scope.headLimit ?? nil }

    /// Whether a time limit until the head is still to be counted.
    @usableFromInline
    var hasHeadLimit: Bool { headLimit != nil }

    /// Whether ``Wrapper/timeout(untilHead:clock:)`` limits this request until the head of its response.
    ///
    /// An engine with a limit of its own between two bytes does not apply it until then.
    public var isLimitedUntilHead: Bool {
        if case .some(.none) = scope.headLimit { true } else { false }
    }

    /// Whether a wrapper hears of the heads of responses: if not, ``received(head:)`` is not worth calling.
    public var wantsHead: Bool { scope.wantsHead }

    /// Tells the wrappers around that the head of a response has arrived, as an engine does before it reads the
    /// payload.
    ///
    /// Interim responses (1xx) are none of these. A head that is given to a receiver (``PayloadConsumer/Part/head(_:)``) is
    /// told by that already. A connector that tells nothing is taken to have its head when it has its output.
    public func received(head: Response) {
        if !isCancelled { scope.received(head) }
    }

    /// Whether the call is cancelled, or a time limit around has ended it: nothing more is to be sent for it.
    @usableFromInline
    var isCancelled: Bool { Task.isCancelled || scope.isOver }

    /// Whether anybody listens: if not, what is told is not worth finding out.
    public var hasListeners: Bool { tell != nil }

    /// Tells the listeners of this call.
    public func callAsFunction(_ event: @autoclosure () -> Event) {
        guard let tell else { return }
        let event = event()
        if !event.isTheCalls { tell(event) }
    }

    /// Tells the listeners what only the call itself may tell.
    ///
    /// Out of line, so that no event takes room in the frame of a call that nobody listens to.
    func call(_ event: @autoclosure () -> Event) {
        if let tell { Self.send(event, to: tell) }
    }

    @inline(never)
    private static func send(_ event: () -> Event, to tell: @Sendable (Event) -> Void) {
        tell(event())
    }
}
