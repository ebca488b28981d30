public import StartSmallCore

/// A pair of wrappers whose order has an unwanted effect, as `Connector.check(by:)` finds it.
public struct OrderFinding: Hashable, Sendable {
    /// The name of the outer wrapper.
    public var outer: String

    /// The name of the inner wrapper.
    public var inner: String

    /// The effect of the order.
    public var reason: String
}

extension OrderFinding: CustomStringConvertible {
    /// The two wrappers and the reason: `idempotencyKey inside of retry: each attempt gets another key, …`.
    public var description: String { "\(inner) inside of \(outer): \(reason)" }
}

extension Connector {
    /// Returns the pairs of wrappers whose order has an unwanted effect; empty if there are none.
    ///
    /// ```swift
    /// #expect(app.check() == [])
    /// ```
    ///
    /// The names of the wrappers decide, and nothing else: nothing is called or sent. A wrapper that no rule names may
    /// be at any position.
    ///
    /// - Parameter rules: the rules on the order of wrappers; add those on custom wrappers to `OrderRule.all`.
    public func check(by rules: [OrderRule] = OrderRule.all) -> [OrderFinding] {
        wrappers.indices.flatMap { index in
            wrappers[(index + 1)...].flatMap { inner in
                let outer = wrappers[index]
                return rules.filter { $0.outer.contains(outer) && $0.inner.contains(inner) }.map {
                    OrderFinding(outer: outer, inner: inner, reason: $0.reason)
                }
            }
        }
    }
}
