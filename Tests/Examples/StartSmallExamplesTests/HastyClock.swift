import StartSmallTesting

/// A clock whose sleeps return at once and advance it to their deadlines.
struct HastyClock: Clock {
    private let hands = ManualClock()

    var now: ManualClock.Instant { hands.now }
    var minimumResolution: Duration { hands.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        hands.advance(by: now.duration(to: deadline))
    }
}
