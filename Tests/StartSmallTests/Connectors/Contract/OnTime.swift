import Testing

/// How long after its limit a call may end: what a round of an engine and a turn of Swift's pool may take.
private let lateness = Duration.milliseconds(300)

/// Expects `body` to never take less than a limit, and no longer than a little more.
///
/// The machine may have other things to do, and then nothing ends on time; so one of several tries has to.
func expectOnTime(
    _ limit: Duration,
    tries: Int = 10,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws {
    var fastest = Duration.seconds(3600)
    for _ in 0..<tries where fastest > limit + lateness {
        let took = try await SuspendingClock().measure(body)
        #expect(took >= limit, sourceLocation: sourceLocation)
        fastest = min(fastest, took)
    }
    #expect(fastest <= limit + lateness, sourceLocation: sourceLocation)
}
