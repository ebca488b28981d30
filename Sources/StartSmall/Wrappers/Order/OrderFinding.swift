/// A pair of wrappers whose order has an unwanted effect, as ``Connector/check()`` finds it.
public struct OrderFinding: Hashable, Sendable {
    /// A wrapper in the stack of a connector.
    public struct Layer: Hashable, Sendable, CustomStringConvertible {
        /// The number of the wrapper in `Connector.description`: 1 for the outermost one.
        public var number: Int

        /// The name of the wrapper.
        public var name: String

        /// The name and the number: `retry (1)`.
        public var description: String { "\(name.onOneLine) (\(number))" }
    }

    /// The rule that the order violates.
    public var rule: OrderRule

    /// The outer one of the two wrappers.
    public var outer: Layer

    /// The inner one.
    public var inner: Layer

    /// The effect of the order, as a sentence.
    public var reason: String

    /// The names of all wrappers in a better order, the outermost first.
    ///
    /// In this order, the finding is gone, and there is no other new one. Nil if no order of these wrappers is better;
    /// the reason then says what to change.
    public var betterOrder: [String]?
}

extension OrderFinding: CustomStringConvertible {
    /// The two wrappers, the reason and the better order, on one line.
    public var description: String {
        let better = betterOrder.map { "; better: \($0.joined(separator: ", "))" } ?? ""
        return "\(inner) inside of \(outer): \(reason)\(better)".onOneLine
    }
}

extension Connector {
    /// Returns the pairs of wrappers whose order has an unwanted effect; empty if there are none.
    ///
    /// ```swift
    /// #expect(app.check() == [])
    /// ```
    ///
    /// The findings follow from the declarations of the wrappers (``WrapperDeclaration``), and not from their names, so
    /// that custom wrappers are checked as well. Nothing is claimed about a wrapper without a declaration.
    ///
    /// Nothing is called or sent: the check needs no call, and belongs into a test of the app.
    public func check() -> [OrderFinding] {
        let order = LayerOrder(stack.layers)
        return order.violations.map { violation in
            let (outer, inner) = (violation.outer, violation.inner)
            return OrderFinding(
                rule: violation.rule,
                outer: OrderFinding.Layer(number: outer + 1, name: order.layers[outer].name),
                inner: OrderFinding.Layer(number: inner + 1, name: order.layers[inner].name),
                reason: violation.reason,
                betterOrder: order.better(without: violation)?.layers.map(\.name)
            )
        }
    }
}
