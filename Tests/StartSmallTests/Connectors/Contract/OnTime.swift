import Testing

/// The permitted delay after the limit of a call: a round of an engine and a turn of Swift's thread pool.
private let lateness = Duration.milliseconds(300)

/// Expects `body` to never take less than a limit, and no longer than the limit plus `lateness`.
///
/// Other load on the machine can delay `body`; so one of several tries has to end on time.
func expectOnTime(
    _ limit: Duration,
    lateness: Duration = lateness,
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
