/// A part of the simulated time, with its own behavior of the service.
enum Phase: String, CaseIterable {
    case healthy, slow, rejecting, dead, recovering, healthyAgain = "healthy again"

    /// The length of each phase in seconds.
    static let seconds = 20

    /// The length of the simulation in seconds.
    static var totalSeconds: Int { allCases.count * seconds }

    /// Returns the phase at a time.
    static func at(_ time: Duration) -> Phase {
        let index = Int(time / .seconds(seconds))
        return allCases[min(max(index, 0), allCases.count - 1)]
    }
}
