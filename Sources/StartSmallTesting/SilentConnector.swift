package import StartSmall

extension Connector {
    /// Connector that never answers by itself: it opens `begun` when it is called, and `ended` when it is cancelled.
    package static func silent(begun: Gate = Gate(), ended: Gate = Gate()) -> Connector {
        Connector { _ in
            begun.open()
            await Gate().wait()
            ended.open()
            return .noResponse(.cancelled)
        }
    }
}
