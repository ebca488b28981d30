/// The pure decisions of a limit on whether the next call may start.
///
/// All times are relative to one start, and never go back.
protocol AdmissionGate: ExpiringState {
    /// Starts a call if the limit allows it now.
    ///
    /// - Returns: the number of the call among those that started, if the gate counts them; nil if it can't start now.
    mutating func admit(at now: Duration) -> UInt64?

    /// Ends a call that started, and returns the calls that have to decide anew.
    mutating func end(_ call: EndedCall, at now: Duration) -> AffectedCalls

    /// Returns the earliest time at which a call can start if others start before it; nil if it is unknown.
    func start(behind others: Int, at now: Duration) -> Duration?
}

/// The waiting calls whose decision may have changed.
enum AffectedCalls: Hashable, Sendable {
    /// The next one may be able to start earlier.
    case next

    /// None can start as early as before.
    case all
}

/// The facts about a call at its end, by which a gate changes.
struct EndedCall: Hashable, Sendable {
    /// The number of calls that the server still accepts, and the time until it accepts more.
    struct Quota: Hashable, Sendable {
        /// The name of the server's policy; empty if the server sends none.
        var policy = ""
        var remaining: Int
        var reset: Duration
    }

    var outcome = CallOutcome.unknown

    /// The time from the start to the end.
    var duration = Duration.zero

    /// The delay that the server requested; nil if it requested none.
    var requestedDelay: Duration?

    /// The quotas that the server reported.
    var quotas: [Quota] = []

    /// The number of the call, as ``AdmissionGate/admit(at:)`` returned it.
    var number: UInt64 = 0
}
