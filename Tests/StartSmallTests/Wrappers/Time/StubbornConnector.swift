import StartSmall
import StartSmallTesting

extension Connector {
    /// Answers when the latch opens, and ignores cancellation.
    static func stubborn(until latch: Latch) -> Connector {
        Connector { _ in
            await Task.detached { await latch.wait() }.value
            return .hasResponse(Fixture.ok)
        }
    }
}
