/// The time limits, cancellations and hooks around a part of a call, from the inside out.
///
/// The scope is passed from layer to layer, and is not a task local: the tasks that listeners and closures of an app
/// start would inherit that, but are no part of the call.
indirect enum CallScope: Sendable {
    /// The whole call, which ends early only if its task is cancelled.
    case whole

    /// A part that can end early, by a time limit or because its `CallGroup` was cancelled.
    ///
    /// - Parameters:
    ///   - isOver: whether nothing waits for the part any more.
    ///   - remainingTime: the time until the limit, negative if it is past; nil without a limit.
    ///   - within: the scope around the part.
    case part(
        isOver: @Sendable () -> Bool,
        remainingTime: (@Sendable () -> Duration)?,
        within: CallScope
    )

    /// A part in which each request has a time limit until the head of its response.
    ///
    /// - Parameters:
    ///   - limit: the limit; nil for the one request whose limit has begun.
    ///   - within: the scope around the part.
    case limitedUntilHead(HeadLimit?, within: CallScope)

    /// A part whose wrapper observes the heads of responses.
    case observingHead(@Sendable (Response) -> Void, within: CallScope)

    /// Whether nothing waits for the output any more.
    var isOver: Bool {
        switch self {
        case .whole: false
        case .part(let isOver, _, let outer): isOver() || outer.isOver
        case .limitedUntilHead(_, let outer), .observingHead(_, let outer): outer.isOver
        }
    }

    /// The remaining time of the innermost time limit; nil if there is none.
    var remainingTime: Duration? {
        switch self {
        case .whole: nil
        case .part(_, let remainingTime?, _): remainingTime()
        case .part(_, nil, let outer), .limitedUntilHead(_, let outer), .observingHead(_, let outer):
            outer.remainingTime
        }
    }

    /// The time limit until the head of a response, as it applies to a part of a call.
    enum HeadLimitStatus: Sendable {
        /// No limit.
        case none

        /// Each request inside has this limit, from its start on.
        case notBegun(HeadLimit)

        /// The part is one request, and its limit has begun.
        case begun
    }

    /// The time limit until the head for the requests inside.
    var headLimit: HeadLimitStatus {
        switch self {
        case .whole: .none
        case .limitedUntilHead(let limit?, _): .notBegun(limit)
        case .limitedUntilHead(nil, _): .begun
        case .part(_, _, let outer), .observingHead(_, let outer): outer.headLimit
        }
    }

    /// Whether a wrapper observes the heads of responses.
    var wantsHead: Bool {
        switch self {
        case .whole: false
        case .observingHead: true
        case .part(_, _, let outer), .limitedUntilHead(_, let outer): outer.wantsHead
        }
    }

    /// Passes a head to the wrappers, from the inside out.
    func received(_ head: Response) {
        switch self {
        case .whole: return
        case .part(_, _, let outer), .limitedUntilHead(_, let outer): outer.received(head)
        case .observingHead(let observe, let outer):
            observe(head)
            outer.received(head)
        }
    }
}
