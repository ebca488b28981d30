import StartSmallTesting

/// A clock on which nobody waits: each sleep moves it to its end.
struct HastyClock: Clock {
    private let hands = ManualClock()

    var now: ManualClock.Instant { hands.now }
    var minimumResolution: Duration { hands.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        hands.advance(by: now.duration(to: deadline))
    }
}
