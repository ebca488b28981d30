import StartSmall
import StartSmallTesting

extension Connector {
    /// Answers when the gate opens, and does not care that it is cancelled.
    static func stubborn(until gate: Gate) -> Connector {
        Connector { _ in
            await Task.detached { await gate.wait() }.value
            return .hasResponse(Fixture.ok)
        }
    }

    /// Never answers by itself; opens `begun` when it is called, and `ended` when it is cancelled.
    static func silent(begun: Gate = Gate(), ended: Gate = Gate()) -> Connector {
        Connector { _ in
            begun.open()
            await Gate().wait()
            ended.open()
            return .noResponse(.cancelled)
        }
    }
}
