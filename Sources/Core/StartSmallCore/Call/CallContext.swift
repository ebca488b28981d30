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
    private var scope: CallScope

    /// Whether a wrapper follows redirects, so that an engine may give up the payload of one.
    ///
    /// An engine returns a redirect that has a `Location` with the part of the payload that arrives soon after the
    /// head.
    public private(set) var followsRedirects = false

    /// The limits of payloads outside of 2xx that a wrapper has set; nil for the default ones.
    private var ownErrorPayloadLimit: ErrorPayloadLimit?

    init(reportingTo listenerContext: ListenerContext?) {
        scope = listenerContext.map { .reporting(EventReporter($0)) } ?? .whole
    }

    init(of recorder: DryRunRecorder) { scope = .dryRun(recorder) }

    /// Returns a context for the inside of a wrapper, which changes events on their way to listeners.
    package func changingEvents(_ change: @escaping @Sendable (Event) -> Event) -> CallContext {
        var context = self
        context.scope = .changingEvents(change, within: scope)
        return context
    }

    /// Returns a context for one request of an engine, which adds the number of the attempt to progress events.
    func ofNextAttempt() -> CallContext {
        var context = self
        context.scope = scope.ofNextAttempt
        return context
    }

    /// Returns a context for a part of the call that can be abandoned, by a time limit or a cancellation.
    package func within(_ part: some CallPart) -> CallContext {
        var context = self
        context.scope = .part(part, within: scope)
        return context
    }

    /// Returns a context for a call whose payload may have files, which its requests have to send unchanged.
    func sendingFiles(of input: Input) -> CallContext {
        switch input.methodAndPayload.payload?.content {
        case nil, .data?, .stream?: return self
        case .file?, .assembled?:
            var context = self
            context.scope = .sendingFiles(SentFiles(), within: scope)
            return context
        }
    }

    func receiving(_ files: TemporaryFiles) -> CallContext {
        var context = self
        context.scope = .receivingFiles(files, within: scope)
        return context
    }

    /// The temporary files of the call; new ones if its payload does not go to a file, as far as the call knows.
    package var temporaryFiles: TemporaryFiles { scope.temporaryFiles ?? TemporaryFiles() }

    /// The files that the requests of the call send; nil if its payload has none.
    package var sentFiles: SentFiles? { scope.sentFiles }

    /// The time that is left to the call by the innermost time limit: negative if it is past, nil without a limit.
    ///
    /// ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)`` limit everything inside of them; of two nested
    /// limits, the smaller one counts. ``Wrapper/retry(_:budget:clock:random:now:)`` does not begin a delay that is
    /// longer than this time. A custom wrapper that waits reads this property of ``Next/context``, a connector that
    /// of its context. Calls that they make through ``WebAPI``, and tasks that they start, have their own limits.
    public var remainingTime: Duration? { scope.remainingTime }

    /// The time limit whose end ``remainingTime`` is, as it was set; nil without one.
    package var timeLimit: TimeLimit? { scope.timeLimit }

    fileprivate func noting(_ mark: SentMark) -> CallContext {
        var context = self
        context.scope = .noting(mark, within: scope)
        return context
    }

    /// Lets the wrappers that ask whether a request was sent know that an engine gets one.
    @inline(__always)
    func noteRequest() {
        if case .whole = scope { return }
        scope.note(nil)
    }

    /// Returns the output of an engine, which those wrappers get to know.
    @inline(__always)
    func noting(_ output: consuming Output) -> Output {
        if case .whole = scope { return output }
        scope.note(output)
        return output
    }

    /// Returns a context for one request that has a time limit until the head of its response.
    package func limitedUntilHead() -> CallContext {
        var context = self
        context.scope = .limitedUntilHead(within: scope)
        return context
    }

    /// The limits of payloads outside of 2xx: those of the innermost wrapper that sets them, or else the default ones.
    var errorPayloadLimit: ErrorPayloadLimit { ownErrorPayloadLimit ?? ErrorPayloadLimit() }

    package func limitingErrorPayloads(to limit: ErrorPayloadLimit) -> CallContext {
        var context = self
        context.ownErrorPayloadLimit = limit
        return context
    }

    package func followingRedirects() -> CallContext {
        var context = self
        context.followsRedirects = true
        return context
    }

    /// Whether this is a dry run, which sends nothing (`dryRun(_:)` of StartSmallTesting).
    ///
    /// A wrapper that keeps state, waits for other calls, or makes calls by ``WebAPI`` then leaves that out: it calls
    /// `next` with the request that it would send.
    public var isDryRun: Bool { dryRun != nil }

    /// The recorder of the dry run; nil if this is a call.
    var dryRun: DryRunRecorder? {
        if case .whole = scope { nil } else { scope.dryRun }
    }

    /// Whether ``Wrapper/timeout(untilHead:clock:)`` limits the time of this request until the head of its response.
    ///
    /// Until the head, an engine with its own limit between two bytes does not apply that limit.
    public var isLimitedUntilHead: Bool {
        scope.isLimitedUntilHead
    }

    /// Whether this is the inside of an engine, which calls another connector for its request.
    var isWithinRequest: Bool { scope.isWithinRequest }

    /// Whether the call is cancelled or past a time limit, so that nothing more may be sent for it.
    package var isCancelled: Bool {
        if Task.isCancelled { return true }
        if case .whole = scope { return false }
        return scope.isOver
    }

    /// Whether the call is past a time limit, or otherwise over; a cancelled task is not known here.
    package var isOver: Bool { scope.isOver }

    /// Whether the call has a listener; without one, a connector need not collect data for events.
    public var hasListeners: Bool { scope.hasListeners }

    /// Reports an event of a wrapper or connector to the listeners of this call.
    ///
    /// Without a listener, the event is not even created. Events that only the call itself may report, such as
    /// ``Event/ended``, are dropped. Events after the call has an output are dropped too: a wrapper can abandon work
    /// that ends later.
    public func report(_ event: @autoclosure () -> Event) {
        if hasListeners { Self.report(event, to: scope) }
    }

    /// Reports an event that only the call itself reports, outside of all wrappers.
    func reportLifecycle(_ event: @autoclosure () -> Event) {
        if case .reporting(let reporter) = scope { Self.report(event, to: reporter) }
    }

    // Neither is inlined, so that no event takes space in the stack frame of a call without a listener.

    @inline(never)
    private static func report(_ event: () -> Event, to scope: CallScope) {
        let event = event()
        if !event.isReportedByCall { scope.report(event) }
    }

    @inline(never)
    private static func report(_ event: () -> Event, to reporter: EventReporter) {
        reporter.report(event())
    }
}

/// The knowledge about the requests of a part of a call.
final class SentMark: Sendable {
    private let running = Atomic(0)
    private let isSent = Atomic(false)
    private let isUnanswered = Atomic(false)

    /// Notes that a request begins, or the output of one.
    func note(_ output: Output?) {
        guard let output else { return _ = running.add(1, ordering: .relaxed) }
        if output.sent.mayHaveBeenSent { isSent.store(true, ordering: .relaxed) }
        if output.sent.mayBeUnanswered { isUnanswered.store(true, ordering: .relaxed) }
        running.subtract(1, ordering: .relaxed)
    }

    /// The facts; a request that still runs, since its call was abandoned, may have been sent.
    var sent: SentRequests {
        let isRunning = running.load(ordering: .relaxed) > 0
        return SentRequests(
            mayHaveBeenSent: isRunning || isSent.load(ordering: .relaxed),
            mayBeUnanswered: isRunning || isUnanswered.load(ordering: .relaxed)
        )
    }
}

/// The facts about all requests of a part of a call, of which the last error knows only the last one.
public struct SentRequests: Hashable, Sendable {
    /// Whether a request, or a part of one, may have reached the server.
    public var mayHaveBeenSent: Bool

    /// Whether the server may have acted on a request whose response did not arrive.
    public var mayBeUnanswered: Bool
}

extension Output {
    fileprivate var sent: SentRequests {
        let mayHaveBeenSent = connectionError?.mayHaveBeenSent ?? true
        if case .noResponse(.refused) = self {
            return SentRequests(mayHaveBeenSent: mayHaveBeenSent, mayBeUnanswered: false)
        }
        return SentRequests(mayHaveBeenSent: mayHaveBeenSent, mayBeUnanswered: mayHaveBeenSent && response == nil)
    }
}

extension Next {
    /// Calls the next wrapper or connector, and returns whether a request may have reached the server.
    ///
    /// The first attempt may have been lost after the service acted, and the second one refused. A call that joins a
    /// request in flight knows the output only.
    public func notingRequests(of input: Input) async -> (output: Output, sent: SentRequests) {
        let mark = SentMark()
        let output = await handler(input, context.noting(mark))
        let (all, last) = (mark.sent, output.sent)
        let sent = SentRequests(
            mayHaveBeenSent: all.mayHaveBeenSent || last.mayHaveBeenSent,
            mayBeUnanswered: all.mayBeUnanswered || last.mayBeUnanswered
        )
        return (output, sent)
    }
}
