/// The context of one call in its connector and wrappers: the time limits, the cancellation, and the listeners.
///
/// ```swift
/// let cached = Connector { input, context in
///     context.report(CacheHit(key: input.url.path()))
///     return .hasResponse(response)
/// }
/// ```
///
/// A connector receives the context of each call; a wrapper has it as ``Next/context``. It is passed from layer to
/// layer, and is not a task local, which the tasks that listeners and closures of an app start would inherit.
public struct CallContext: Sendable {
    /// Whether a wrapper follows redirects, so that an engine may give up the payload of one.
    ///
    /// An engine returns a redirect that has a `Location` with the part of the payload that arrives soon after the
    /// head.
    public var followsRedirects: Bool {
        get { has(.followsRedirects) }
        set { set(.followsRedirects, newValue) }
    }

    /// Whether ``Wrapper/timeout(untilHead:clock:)`` limits the time of this request until the head of its response.
    ///
    /// Until the head, an engine with its own limit between two bytes does not apply that limit.
    public var isLimitedUntilHead: Bool {
        get { has(.isLimitedUntilHead) }
        set { set(.isLimitedUntilHead, newValue) }
    }

    /// Whether a wrapper makes more than one attempt of this call, so that ``Wrapper/timeout(_:clock:)`` limits each.
    ///
    /// A wrapper such as `.retry` sets it for its inside. The time limit of the call (``hasTimeLimit``) then replaces no
    /// limit inside.
    public var isAttempt: Bool {
        get { has(.isAttempt) }
        set { set(.isAttempt, newValue) }
    }

    /// Whether an option decides the time of the call around all wrappers, in place of ``Wrapper/timeout(_:clock:)``.
    public var hasTimeLimit: Bool {
        get { has(.hasTimeLimit) }
        set { set(.hasTimeLimit, newValue) }
    }

    /// In one byte: each layer of a call passes the context on, and more values than registers would go by memory.
    private enum Flag: UInt8 {
        case followsRedirects = 1
        case isLimitedUntilHead = 2
        case isAttempt = 4
        case hasTimeLimit = 8
    }

    private var flags: UInt8 = 0

    private func has(_ flag: Flag) -> Bool { flags & flag.rawValue != 0 }

    private mutating func set(_ flag: Flag, _ isOn: Bool) {
        if isOn { flags |= flag.rawValue } else { flags &= ~flag.rawValue }
    }

    /// The reporter of the call's events; nil without a listener.
    private let reporter: EventReporter?

    /// The limits, values and marks of the call; nil for a call that has none, for which all questions are answered at once.
    private var layer: Layer?

    /// The facts that apply inside of one wrapper: copies of the context share them.
    ///
    /// A wrapper that adds a limit makes another layer, whose outer one this is.
    private final class Layer: Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }

        var isOver: Bool {
            facts.limit?.isAbandoned == true || facts.outer?.isOver == true || facts.dryRun?.hasEnded == true
        }

        func remainingTime(withChosen: Bool) -> Duration? {
            let outer = facts.outer?.remainingTime(withChosen: withChosen)
            guard let time = facts.limit?.remainingTime(withChosen: withChosen) else { return outer }
            return min(time, outer ?? time)
        }
    }

    private struct Facts: Sendable {
        /// The function of wrappers that change events on their way to listeners.
        var changeOfEvents: (@Sendable (Event) -> Event)?

        /// The number of the request, in the inside of an engine: 1 for the first one of the call.
        var attempt: Int?

        /// The recorder of a dry run, which ends with its first request.
        var dryRun: DryRunRecorder?

        /// The innermost limit; nil without one.
        var limit: (any CallLimit)?

        /// The layer around that limit, with the limits further out.
        var outer: Layer?

        /// The knowledge of wrappers that ask whether a request may have been sent.
        var marks: [SentMark] = []

        /// The limits of payloads outside of 2xx that a wrapper has set; nil for the default ones.
        var errorPayloadLimit: ErrorPayloadLimit?
        var values: CallValues?
    }

    private mutating func change(_ change: (inout Facts) -> Void) {
        var facts = layer?.facts ?? Facts()
        change(&facts)
        layer = Layer(facts)
    }

    init(reportingTo listenerContext: ListenerContext?) {
        reporter = listenerContext.map(EventReporter.init)
    }

    init(of recorder: DryRunRecorder) {
        reporter = nil
        change { $0.dryRun = recorder }
    }
}

// MARK: time and cancellation

/// A limit of a part of a call, which can end it before it has an output.
protocol CallLimit: AnyObject, Sendable {
    /// Whether nothing waits for the output of the part any more.
    var isAbandoned: Bool { get }

    /// Returns the time until the limit of the part, negative if it is past; nil without a limit.
    ///
    /// - Parameter withChosen: whether a limit that the caller of the call has chosen counts.
    func remainingTime(withChosen: Bool) -> Duration?
}

extension CallContext {
    /// The time that is left to the call by the smallest time limit: negative if it is past, nil without a limit.
    ///
    /// ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)`` limit everything inside of them; of two nested
    /// limits, the smaller one counts. ``Wrapper/retry(_:budget:clock:random:now:)`` does not begin a delay that is
    /// longer than this time. A custom wrapper that waits reads this property of ``Next/context``, a connector that
    /// of its context. Calls that they make through ``WebAPI``, and tasks that they start, have their own limits.
    public var remainingTime: Duration? { layer?.remainingTime(withChosen: true) }

    /// The time that is left by the limits of the connector alone, without those that the caller has chosen.
    ///
    /// A caller can choose a limit that is shorter than the service ever is: that it is over says nothing about it.
    public var remainingConnectorTime: Duration? { layer?.remainingTime(withChosen: false) }

    /// Whether the task of the call is cancelled, or the call ``isOver``: nothing more may be sent for it.
    ///
    /// A wrapper that sends several requests reads this property of ``Next/context`` before each of them.
    public var isCancelled: Bool { Task.isCancelled || isOver }

    /// Whether nothing waits for the output any more: the call was abandoned, for example by a time limit.
    ///
    /// Unlike ``isCancelled``, this is the same in each task.
    public var isOver: Bool { layer?.isOver ?? false }

    /// Adds a limit for the inside of a wrapper.
    mutating func limit(by limit: some CallLimit) {
        let outer = layer
        change { ($0.limit, $0.outer) = (limit, outer) }
    }

    /// Makes this the context of an inner call for which several calls wait: its limit and its values are its own.
    mutating func share(by limit: some CallLimit) {
        change { facts in
            (facts.limit, facts.outer) = (limit, nil)
            if facts.values != nil { facts.values = CallValues() }
        }
    }
}

// MARK: events

extension CallContext {
    /// Whether the call has a listener; without one, a connector need not collect data for events.
    public var hasListeners: Bool { reporter != nil }

    /// Reports an event of a wrapper or connector to the listeners of this call.
    ///
    /// Without a listener, the event is not even created. Events that only the call itself may report, such as
    /// ``Event/ended``, are dropped. So are events after the call has reported its output, with an open body after the
    /// end of that: a wrapper can abandon work that ends later.
    public func report(_ event: @autoclosure () -> Event) {
        if hasListeners { reportInside(event) }
    }

    /// Reports an event that only the call itself reports, outside of all wrappers.
    func reportLifecycle(_ event: @autoclosure () -> Event) {
        if let reporter { Self.report(event, to: reporter) }
    }

    // Neither is inlined, so that no event takes space in the stack frame of a call without a listener.

    @inline(never)
    private func reportInside(_ make: () -> Event) {
        var event = make()
        guard !event.isReportedByCall else { return }
        if let attempt = layer?.facts.attempt, case .progress(let progress) = event {
            event = .progress(progress.ofAttempt(attempt))
        }
        reporter?.report(layer?.facts.changeOfEvents?(event) ?? event)
    }

    @inline(never)
    private static func report(_ event: () -> Event, to reporter: EventReporter) {
        reporter.report(event())
    }

    /// Has a function change the events of wrappers and connectors on their way to listeners.
    package mutating func changeEvents(_ new: @escaping @Sendable (Event) -> Event) {
        guard hasListeners else { return }
        change { facts in
            facts.changeOfEvents = facts.changeOfEvents.map { outer in { @Sendable event in outer(new(event)) } } ?? new
        }
    }

    /// Returns a context for one request of an engine, which adds the number of the attempt to progress events.
    func ofNextAttempt() -> CallContext {
        guard let reporter, layer?.facts.attempt == nil else { return self }
        var context = self
        context.change { $0.attempt = reporter.nextAttempt() }
        return context
    }

    /// Whether this is the inside of an engine, which calls another connector for its request.
    var isWithinRequest: Bool { layer?.facts.attempt != nil }
}

// MARK: requests and payloads

extension CallContext {
    /// Whether this is a dry run, which sends nothing (`dryRun(_:)` of StartSmallTesting).
    ///
    /// A wrapper that keeps state, waits for other calls, or makes calls by ``WebAPI`` then leaves that out: it calls
    /// `next` with the request that it would send.
    public var isDryRun: Bool { dryRun != nil }

    /// The recorder of the dry run; nil if this is a call.
    var dryRun: DryRunRecorder? { layer?.facts.dryRun }

    /// Has the requests inside of a wrapper noted.
    mutating func note(in mark: SentMark) {
        change { $0.marks.append(mark) }
    }

    /// The marks to note a request of an engine in, before it is sent, and its output.
    var marks: [SentMark] { layer?.facts.marks ?? [] }

    /// The limits of payloads outside of 2xx: those of the innermost wrapper that sets them, or else the default ones.
    var errorPayloadLimit: ErrorPayloadLimit { layer?.facts.errorPayloadLimit ?? ErrorPayloadLimit() }

    /// Changes the limits of payloads outside of 2xx, whatever the delivery; one that exceeds a limit is broken.
    ///
    /// - Parameters:
    ///   - bytes: the maximum size in bytes; 1 MiB without this function.
    ///   - time: the maximum time from the head to the end of the payload; nil for 10 seconds.
    ///   - clock: the clock that measures the time.
    public mutating func limitErrorPayload(
        to bytes: Int,
        within time: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        let limit = ErrorPayloadLimit(bytes: bytes, time: time ?? ErrorPayloadLimit.defaultTime, clock: clock)
        change { $0.errorPayloadLimit = limit }
    }

    /// Returns the value of this call; nil if neither a wrapper has values of each call, nor a payload a file.
    package func value<Value: CallValue>(_ type: Value.Type) -> Value? { values?.value(type) }

    /// The values of this call.
    package var values: CallValues? {
        get { layer?.facts.values }
        set { change { $0.values = newValue } }
    }
}
