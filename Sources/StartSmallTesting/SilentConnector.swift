package import StartSmall

extension Connector {
    /// Connector that does not answer: it opens `begun` when it is called, and `ended` when it is cancelled, or the gate
    /// `until` which it waits is open.
    package static func silent(begun: Gate = Gate(), ended: Gate = Gate(), until gate: Gate = Gate()) -> Connector {
        Connector { _ in
            begun.open()
            await gate.wait()
            ended.open()
            return .noResponse(.cancelled)
        }
    }
}
