/// A time limit as the caller of a wrapper has set it, for the error of a call that reaches it.
package enum TimeLimit: Equatable, Sendable {
    case duration(Duration)
    case deadline

    /// The cause of the error, which names the limit that was set, not the time that was left of it.
    package var cause: ConnectionError.Cause {
        switch self {
        case .duration(let limit): .timeIsOver(limit: limit)
        case .deadline: .deadlineIsOver
        }
    }
}
