import Synchronization

/// How a wrapper or connector tells the listeners of its call what happens: `report(.custom(name: "hit", detail: key))`.
///
/// The event is not even made where nobody listens. What only the call itself may tell, such as ``Event/ended``, is not
/// passed on, and neither is anything after the call has an output: a wrapper may let go of work that ends later.
public struct Report: Sendable {
    private let tell: (@Sendable (Event) -> Void)?
    private var scope: CallScope

    /// The number of the next attempt; nil within an attempt, and where nobody listens.
    private var nextAttempt: (@Sendable () -> Int)?

    /// The report of a new call.
    init(to audience: Audience?) {
        guard let audience else {
            self.init(tell: nil)
            return
        }
        let (listener, call) = (audience.listener, audience.nextCall())
        let turns = Mutex(EventTurns())
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
    func changing(_ change: @escaping @Sendable (Event) -> Event) -> Report {
        guard let tell else { return self }
        return Report(tell: { tell(change($0)) }, scope: scope, nextAttempt: nextAttempt)
    }

    /// A report for one request of an engine, whose progress says which attempt it belongs to.
    @usableFromInline
    func ofNextAttempt() -> Report {
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
    ) -> Report {
        var report = self
        report.scope = .part(isOver: isOver, remainingTime: remainingTime, within: scope)
        return report
    }

    /// The time that the call has left, by the innermost time limit around; negative when it is past, nil without a limit.
    ///
    /// ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)`` limit everything inside of them, and a limit within
    /// another is the smaller of the two. ``Wrapper/retry(_:budget:clock:random:now:)`` does not begin a wait that would be
    /// longer. A wrapper of one's own that waits asks ``Next/remainingTime``, a connector asks its report. Calls that either
    /// of them makes through ``WebAPI``, and tasks that it starts, have limits of their own.
    public var remainingTime: Duration? { scope.remainingTime }

    /// Whether the call is cancelled, or a time limit around has ended it: nothing more is to be sent for it.
    @usableFromInline
    var isCancelled: Bool { Task.isCancelled || scope.isOver }

    /// Whether anybody listens: if not, what is told is not worth finding out.
    public var isHeard: Bool { tell != nil }

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
