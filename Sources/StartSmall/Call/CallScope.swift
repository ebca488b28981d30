/// The time limits and the cancellations that surround a part of a call, from the inside out.
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

    /// Whether nobody waits for the output any more.
    var isOver: Bool {
        switch self {
        case .whole: false
        case .part(let isOver, _, let outer): isOver() || outer.isOver
        }
    }

    /// The remaining time of the innermost time limit; nil if there is none.
    var remainingTime: Duration? {
        switch self {
        case .whole: nil
        case .part(_, let remainingTime?, _): remainingTime()
        case .part(_, nil, let outer): outer.remainingTime
        }
    }
}
