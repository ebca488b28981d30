/// The time limits, cancellations, listeners and hooks around a part of a call, from the inside out.
///
/// A scope is one reference, which each layer passes on at little cost. It is passed from layer to layer, and is not a
/// task local: the tasks that listeners and closures of an app start would inherit that, but are no part of the call.
enum CallScope: Sendable {
    /// The whole call, which ends early only if its task is cancelled.
    case whole

    /// The whole call, whose events are reported to listeners.
    case reporting(EventReporter)

    /// A dry run, which ends with its first request.
    case dryRun(DryRunRecorder)

    /// A part whose wrapper changes events on their way to listeners.
    indirect case changingEvents(@Sendable (Event) -> Event, within: CallScope)

    /// One request of an engine, with its number among the requests of the call: 1 for the first one.
    indirect case attempt(Int, within: CallScope)

    /// A part that can end early, by a time limit or because nobody waits for it any more.
    indirect case part(any CallPart, within: CallScope)

    /// One request that has a time limit until the head of its response.
    indirect case limitedUntilHead(within: CallScope)

    /// A part whose wrapper asks whether a request of it may have been sent.
    indirect case noting(SentMark, within: CallScope)

    /// A part whose requests have files in their payload, as the first request sends them.
    indirect case sendingFiles(SentFiles, within: CallScope)

    /// A part whose payloads go to files, which the call removes at its end.
    indirect case receivingFiles(TemporaryFiles, within: CallScope)

    /// The scope around this one; nil for the whole call.
    private var outer: CallScope? {
        switch self {
        case .whole, .reporting, .dryRun: nil
        case .changingEvents(_, let outer), .attempt(_, let outer), .part(_, let outer),
            .limitedUntilHead(let outer), .noting(_, let outer), .sendingFiles(_, let outer),
            .receivingFiles(_, let outer):
            outer
        }
    }

    @inline(__always)
    var hasListeners: Bool {
        if case .whole = self { false } else { isReporting }
    }

    private var isReporting: Bool {
        if case .reporting = self { true } else { outer?.isReporting ?? false }
    }

    func report(_ event: Event) {
        switch self {
        case .whole, .dryRun: return
        case .reporting(let reporter): reporter.report(event)
        case .changingEvents(let change, let outer): outer.report(change(event))
        case .attempt(let number, let outer):
            if case .progress(let progress) = event {
                outer.report(.progress(progress.ofAttempt(number)))
            } else {
                outer.report(event)
            }
        case .part, .limitedUntilHead, .noting, .sendingFiles, .receivingFiles: outer?.report(event)
        }
    }

    /// Returns a scope for the next request of an engine, if there are listeners for its number.
    var ofNextAttempt: CallScope {
        nextAttempt().map { .attempt($0, within: self) } ?? self
    }

    /// Returns the number of the next request; nil within a request, and without a listener.
    private func nextAttempt() -> Int? {
        switch self {
        case .reporting(let reporter): reporter.nextAttempt()
        case .attempt: nil
        default: outer?.nextAttempt()
        }
    }

    /// Whether nothing waits for the output any more.
    var isOver: Bool {
        switch self {
        case .whole, .reporting: false
        case .dryRun(let recorder): recorder.hasEnded
        case .part(let part, let outer): part.isAbandoned || !part.isOfSeveralCalls && outer.isOver
        default: outer?.isOver ?? false
        }
    }

    /// The recorder of the dry run; nil if this is a call.
    var dryRun: DryRunRecorder? {
        switch self {
        case .whole, .reporting: nil
        case .dryRun(let recorder): recorder
        default: outer?.dryRun
        }
    }

    /// The remaining time of the innermost time limit; nil if there is none.
    var remainingTime: Duration? {
        if case .part(let part, _) = self {
            let time = part.remainingTime
            if time != nil || part.isOfSeveralCalls { return time }
        }
        return outer?.remainingTime
    }

    /// The innermost time limit, as it was set; nil if there is none.
    var timeLimit: TimeLimit? {
        if case .part(let part, _) = self, part.isOfSeveralCalls || part.timeLimit != nil { return part.timeLimit }
        return outer?.timeLimit
    }

    /// Notes a request of an engine, or its output, for each wrapper that asks.
    func note(_ output: Output?) {
        if case .noting(let mark, _) = self { mark.note(output) }
        outer?.note(output)
    }

    var isLimitedUntilHead: Bool {
        switch self {
        case .whole, .reporting, .dryRun: false
        case .limitedUntilHead: true
        default: outer?.isLimitedUntilHead ?? false
        }
    }

    var isWithinRequest: Bool {
        switch self {
        case .whole, .reporting, .dryRun: false
        case .attempt: true
        default: outer?.isWithinRequest ?? false
        }
    }

    /// The files that the requests of the call send; nil if their payload has none.
    var sentFiles: SentFiles? {
        if case .sendingFiles(let files, _) = self { files } else { outer?.sentFiles }
    }

    /// The temporary files of the call; nil if its payload does not go to a file.
    var temporaryFiles: TemporaryFiles? {
        if case .receivingFiles(let files, _) = self { files } else { outer?.temporaryFiles }
    }
}

/// A part of a call that can end before it has an output.
package protocol CallPart: AnyObject, Sendable {
    /// Whether nothing waits for the output of the part any more.
    var isAbandoned: Bool { get }

    /// The time until the limit of the part, negative if it is past; nil without a limit.
    var remainingTime: Duration? { get }

    /// The time limit as it was set; nil without one.
    var timeLimit: TimeLimit? { get }

    /// Whether several calls wait for the part, so that the limits around the call that began it do not count.
    var isOfSeveralCalls: Bool { get }
}
