public import StartSmallCore
import StartSmallSupport

extension Connector {
    /// Returns a connector that gives each call to that one of several connectors which runs the fewest calls.
    ///
    /// An engine over libcurl has one thread, which uses at most one processor: two engines use two.
    ///
    /// ```swift
    /// let engine = Connector.spread(over: [.curl(), .curl()])
    /// ```
    ///
    /// Of several connectors with the fewest calls, the first one gets the call: while one call runs at a time, all of
    /// them use the connections of one engine. A call runs until its output has arrived, and an open ``Response/body``
    /// has ended. Each engine has limits of its own for its connections: two engines open up to twice as many.
    ///
    /// - Parameter connectors: the connectors, whose listeners are not called.
    /// - Errors: ``ConnectionError/engineUnavailable(debugInfo:)`` without a connector.
    public static func spread(over connectors: [Connector]) -> Connector {
        let running = Locked(connectors.map { _ in 0 })
        let spread = Connector { input, context in
            let next = running.withLock { counts in
                let fewest = counts.indices.min { counts[$0] < counts[$1] }
                if let fewest { counts[fewest] += 1 }
                return fewest
            }
            guard let next else { return .noResponse(.engineUnavailable(debugInfo: "spread over no connector")) }
            return await connectors[next].forward(input, context).onEnd { _ in running.withLock { $0[next] -= 1 } }
        }
        return spread.sharingCallValues(with: connectors).named("spread").decodingPayloads { input in
            let answers = Set(connectors.map { $0.decodesPayload(of: input) })
            return answers.count == 1 ? answers.first ?? nil : nil
        }
    }
}
