import StartSmall
import StartSmallTesting

extension Connector {
    /// Answers when the gate opens, and does not care that it is cancelled.
    static func stubborn(until gate: Latch) -> Connector {
        Connector { _ in
            await Task.detached { await gate.wait() }.value
            return .hasResponse(Fixture.ok)
        }
    }
}
