/// An order of layers, the violations in it, and the search for a better order.
struct LayerOrder: Sendable {
    /// A violation of a rule by two layers, with their indices.
    struct Violation: Sendable {
        let rule: OrderRule
        let outer: Int
        let inner: Int
        let reason: String
    }

    /// The layers, the outermost first.
    let layers: [LayerStack.Layer]

    /// The identity of each layer, which stays when it is moved.
    private let ids: [Int]

    init(_ layers: [LayerStack.Layer]) {
        self.init(layers, ids: Array(layers.indices))
    }

    private init(_ layers: [LayerStack.Layer], ids: [Int]) {
        (self.layers, self.ids) = (layers, ids)
    }

    /// All violations, from the outside in.
    var violations: [Violation] {
        layers.indices.flatMap { outer in
            layers.indices.suffix(from: outer + 1).flatMap { inner in violations(outer, inner) }
        }
    }

    private func violations(_ outer: Int, _ inner: Int) -> [Violation] {
        guard let outerDeclaration = layers[outer].declaration, let innerDeclaration = layers[inner].declaration else {
            return []
        }
        return OrderRule.allCases.compactMap { rule in
            rule.reason(outerDeclaration, innerDeclaration).map { reason in
                Violation(rule: rule, outer: outer, inner: inner, reason: reason)
            }
        }
    }

    /// A violation, regardless of the positions of its layers.
    private struct Identity: Hashable {
        let rule: OrderRule
        let outer: Int
        let inner: Int
    }

    private var identities: Set<Identity> {
        Set(violations.map { Identity(rule: $0.rule, outer: ids[$0.outer], inner: ids[$0.inner]) })
    }

    /// Returns an order without a violation, and without new ones; nil if none is found.
    ///
    /// Of the orders in which one of the two layers is moved past the other one, or both are exchanged, it is the one
    /// with the fewest violations, and of those the one with the shortest move.
    func better(without violation: Violation) -> LayerOrder? {
        let now = identities
        let gone = Identity(rule: violation.rule, outer: ids[violation.outer], inner: ids[violation.inner])
        var best: (order: LayerOrder, count: Int)?
        for move in violation.rule.moves {
            for order in orders(move, violation) {
                let then = order.identities
                guard then.isSubset(of: now), !then.contains(gone), then.count < best?.count ?? .max else { continue }
                best = (order, then.count)
            }
        }
        return best?.order
    }

    /// Returns the orders after a move, the shortest move first.
    private func orders(_ move: OrderRule.Move, _ violation: Violation) -> [LayerOrder] {
        let (outer, inner) = (violation.outer, violation.inner)
        return switch move {
        case .both: isMovable(outer) && isMovable(inner) ? [exchanging(outer, inner)] : []
        case .inner:
            isMovable(inner) ? (0...outer).reversed().filter(isBoundary).map { moving(inner, to: $0) } : []
        case .outer:
            isMovable(outer)
                ? (inner + 1...layers.count).filter(isBoundary).map { moving(outer, to: $0) } : []
        }
    }

    /// Whether a layer can be moved alone, since it is no part of a connector of the kit.
    private func isMovable(_ index: Int) -> Bool { layers[index].unit == nil }

    /// Whether a layer can be inserted before an index, since it is not within a connector of the kit.
    private func isBoundary(_ index: Int) -> Bool {
        guard index > 0, index < layers.count, let unit = layers[index].unit else { return true }
        return layers[index - 1].unit != unit
    }

    private func moving(_ index: Int, to target: Int) -> LayerOrder {
        var order = Array(zip(layers, ids))
        let layer = order.remove(at: index)
        order.insert(layer, at: target > index ? target - 1 : target)
        return LayerOrder(order.map(\.0), ids: order.map(\.1))
    }

    private func exchanging(_ index: Int, _ other: Int) -> LayerOrder {
        var (layers, ids) = (layers, ids)
        layers.swapAt(index, other)
        ids.swapAt(index, other)
        return LayerOrder(layers, ids: ids)
    }
}
