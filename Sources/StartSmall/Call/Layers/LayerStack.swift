/// The layers of a connector, from the outside in: the declarations of its wrappers, and the name of its engine.
///
/// The stack is created when a connector is made or wrapped, and is never read in a call. It is a class, so that its
/// identity shows whether a wrapper has returned the connector that it got.
final class LayerStack: Sendable {
    /// A wrapper in a stack.
    struct Layer: Sendable {
        /// The declaration; nil if the wrapper is unknown.
        var declaration: WrapperDeclaration?

        /// The name of the connector to which the layer belongs, with which it was made; nil if there is none.
        var unit: String?

        /// The displayed name.
        var name: String { declaration?.name ?? Self.unknown }

        private static let unknown = "unknown"
    }

    /// The outermost layer; nil for an engine.
    let layer: Layer?

    /// The layers inside; nil for an engine.
    let inside: LayerStack?

    /// The name of the engine.
    let engine: String

    /// Whether the engine decodes the payload of the response to a request; nil if the engine does not say.
    let decodesPayload: (@Sendable (Request) -> Bool?)?

    /// The name of a connector that has no other.
    static let defaultEngine = "connector"

    /// Creates the stack of an engine.
    init(engine: String = defaultEngine, decodesPayload: (@Sendable (Request) -> Bool?)? = nil) {
        (layer, inside, self.engine, self.decodesPayload) = (nil, nil, engine, decodesPayload)
    }

    /// Creates a stack with a layer around another stack.
    ///
    /// - Parameters:
    ///   - layer: the outermost layer.
    ///   - inside: the layers inside.
    init(_ layer: Layer, around inside: LayerStack) {
        (self.layer, self.inside, engine, decodesPayload) = (layer, inside, inside.engine, inside.decodesPayload)
    }

    /// The layers, the outermost first.
    var layers: [Layer] {
        var layers: [Layer] = []
        var stack = self
        while let layer = stack.layer, let inside = stack.inside {
            layers.append(layer)
            stack = inside
        }
        return layers
    }

    /// Returns the stack of a connector that a wrapper returned for this one.
    ///
    /// - Parameters:
    ///   - declaration: the declaration of the wrapper; nil if there is none.
    ///   - returned: the stack of the returned connector.
    func wrapped(by declaration: WrapperDeclaration?, returning returned: LayerStack) -> LayerStack {
        // An undeclared wrapper that consists of others has their declarations.
        if declaration == nil, returned.contains(self) { return returned }
        return LayerStack(Layer(declaration: declaration), around: self)
    }

    private func contains(_ other: LayerStack) -> Bool {
        var stack = self
        while stack !== other {
            guard let inside = stack.inside else { return false }
            stack = inside
        }
        return true
    }
}

extension Connector: CustomStringConvertible {
    /// The wrappers, one on each line with its number, the outermost first; then the name of the engine.
    ///
    /// ```text
    /// 1. retry(attempts ≤ 3)
    /// 2. bearer
    /// 3. redirect(limit 20), in Connector.standard
    /// 4. limitPayload(64 MiB), in Connector.standard
    /// 5. resumeDownloads, in Connector.standard
    /// curl
    /// ```
    ///
    /// A wrapper without a ``WrapperDeclaration`` is `unknown`. Credentials are not displayed.
    public var description: String {
        let lines = stack.layers.enumerated().map { index, layer in
            let unit = layer.unit.map { ", in \($0)" } ?? ""
            return "\(index + 1). \(layer.declaration?.description ?? layer.name)\(unit)"
        }
        return (lines + [stack.engine.onOneLine]).joined(separator: "\n")
    }

    /// Returns this connector with a name for its engine, which ``description`` displays.
    public func named(_ engine: String) -> Connector {
        with(LayerStack(engine: engine, decodesPayload: stack.decodesPayload))
    }

    /// Returns this connector with the information whether its engine decodes payloads in a content coding.
    ///
    /// A cache in a store that several engines share needs it: see ``decodesPayload(of:)``.
    ///
    /// - Parameter decodesPayload: returns whether the engine decodes the payload of the response to a request; nil if
    ///   that depends on the response.
    public func decodingPayloads(_ decodesPayload: @escaping @Sendable (Input) -> Bool?) -> Connector {
        with(LayerStack(engine: stack.engine, decodesPayload: decodesPayload))
    }

    /// Returns whether the engine decodes the payload of a response with `Content-Encoding`; nil if it does not say.
    ///
    /// The response itself does not tell: a decoded payload keeps the field as it came.
    ///
    /// - Parameter input: the request, with the `Accept-Encoding` that it has for the engine.
    public func decodesPayload(of input: Input) -> Bool? {
        stack.decodesPayload.flatMap { $0(input) }
    }

    /// Returns this connector with another innermost part of its stack.
    private func with(_ engine: LayerStack) -> Connector {
        var connector = self
        connector.stack = stack.layers.reversed().reduce(engine) { LayerStack($1, around: $0) }
        return connector
    }

    /// Returns this connector with its outermost layers marked as parts of a connector of the kit.
    ///
    /// - Parameters:
    ///   - count: the number of layers.
    ///   - unit: the name of that connector.
    func marking(_ count: Int, as unit: String) -> Connector {
        var (connector, inside, layers) = (self, stack, [LayerStack.Layer]())
        while layers.count < count, let layer = inside.layer, let next = inside.inside {
            layers.append(LayerStack.Layer(declaration: layer.declaration, unit: unit))
            inside = next
        }
        // The layers inside stay the same objects, by which an undeclared wrapper recognizes them.
        connector.stack = layers.reversed().reduce(inside) { LayerStack($1, around: $0) }
        return connector
    }
}
