/// The time limits, the cancellations and the hooks that surround a part of a call, from the inside out.
///
/// It goes with the call from layer to layer, and not as a task local: that would also be seen by the tasks that listeners
/// and closures of an app start, which are no part of the call.
indirect enum CallScope: Sendable {
    /// The whole call, which only the cancellation of its task ends.
    case whole

    /// A part that ends early: by a time limit, or since its group was cancelled.
    ///
    /// - Parameters:
    ///   - isOver: whether nobody waits for the part any more.
    ///   - remainingTime: the time until that, negative when it is past; nil if there is no limit.
    ///   - within: what surrounds the part.
    case part(
        isOver: @Sendable () -> Bool,
        remainingTime: (@Sendable () -> Duration)?,
        within: CallScope
    )

    /// A part in which each request has a time limit until the head of its response.
    ///
    /// - Parameters:
    ///   - limit: the limit; nil where it counts already, for the one request inside.
    ///   - within: what surrounds the part.
    case limitedUntilHead(HeadLimit?, within: CallScope)

    /// A part whose wrapper hears of the heads of responses.
    case hearingHead(@Sendable (Response) -> Void, within: CallScope)

    /// Whether nobody waits for the output any more.
    var isOver: Bool {
        switch self {
        case .whole: false
        case .part(let isOver, _, let outer): isOver() || outer.isOver
        case .limitedUntilHead(_, let outer), .hearingHead(_, let outer): outer.isOver
        }
    }

    /// The remaining time of the innermost time limit; nil if there is none.
    var remainingTime: Duration? {
        switch self {
        case .whole: nil
        case .part(_, let remainingTime?, _): remainingTime()
        case .part(_, nil, let outer), .limitedUntilHead(_, let outer), .hearingHead(_, let outer): outer.remainingTime
        }
    }

    /// The time limit until the head for the requests inside; nil without one, and nil in it where it counts already.
    var headLimit: HeadLimit?? {
        switch self {
        case .whole: nil
        case .limitedUntilHead(let limit, _): .some(limit)
        case .part(_, _, let outer), .hearingHead(_, let outer): outer.headLimit
        }
    }

    /// Whether a wrapper hears of heads.
    var wantsHead: Bool {
        switch self {
        case .whole: false
        case .hearingHead: true
        case .part(_, _, let outer), .limitedUntilHead(_, let outer): outer.wantsHead
        }
    }

    /// Tells the wrappers of a head, from the inside out.
    func received(_ head: Response) {
        switch self {
        case .whole: return
        case .part(_, _, let outer), .limitedUntilHead(_, let outer): outer.received(head)
        case .hearingHead(let hear, let outer):
            hear(head)
            outer.received(head)
        }
    }
}
