import StartSmallSupport

/// The names of a connector's layers, and what its engine says about itself; a call reads none of it.
struct Layers: Sendable {
    /// The names of the wrappers, the outermost first.
    var wrappers: [String] = []
    var engine = "connector"

    /// Whether the engine decodes the payload of the response to a request; nil if the engine does not say.
    var decodesPayload: (@Sendable (Request) -> Bool?)?

    /// The name of a wrapper that has none.
    private static let unknown = "unknown"

    func inside(of name: String?) -> Layers {
        var layers = self
        layers.wrappers.insert(name ?? Self.unknown, at: 0)
        return layers
    }

    /// Whether these are the inner layers, inside of more wrappers.
    func surround(_ inner: Layers) -> Bool {
        wrappers.count > inner.wrappers.count && wrappers.suffix(inner.wrappers.count) == inner.wrappers[...]
            && engine == inner.engine
    }
}

extension Connector: CustomStringConvertible {
    /// The names of the wrappers, the outermost first; `unknown` for a wrapper without a name.
    public var wrappers: [String] { layers.wrappers }

    /// The wrappers, one on each line with its number, the outermost first; then the name of the engine.
    ///
    /// ```text
    /// 1. retry
    /// 2. bearer
    /// 3. redirect
    /// 4. limitPayload
    /// curl
    /// ```
    public var description: String {
        let lines = wrappers.enumerated().map { "\($0 + 1). \($1.onOneLine)" }
        return (lines + [layers.engine.onOneLine]).joined(separator: "\n")
    }

    /// Returns this connector with a name for its engine, which ``description`` displays.
    public func named(_ engine: String) -> Connector {
        var connector = self
        connector.layers.engine = engine
        return connector
    }

    /// Returns this connector with the information whether its engine decodes payloads in a content coding.
    ///
    /// A cache in a store that several engines share needs it: see ``decodesPayload(of:)``.
    ///
    /// - Parameter decodesPayload: returns whether the engine decodes the payload of the response to a request; nil if
    ///   that depends on the response.
    public func decodingPayloads(_ decodesPayload: @escaping @Sendable (Input) -> Bool?) -> Connector {
        var connector = self
        connector.layers.decodesPayload = decodesPayload
        return connector
    }

    /// Returns whether the engine decodes the payload of a response with `Content-Encoding`; nil if it does not say.
    ///
    /// The response itself does not tell: a decoded payload keeps the field as it came.
    ///
    /// - Parameter input: the request, with the `Accept-Encoding` that it has for the engine.
    public func decodesPayload(of input: Input) -> Bool? {
        layers.decodesPayload.flatMap { $0(input) }
    }
}

extension Connector {
    /// Runs the wrappers around a recorder in place of the engine.
    ///
    /// - Returns: the first request, if there is one, and the output.
    package func recorded(_ input: Input) async -> (request: Input?, output: Output) {
        if let error = input.delivery.rejection { return (nil, .noResponse(error)) }
        let recorder = DryRunRecorder()
        var context = CallContext(of: recorder)
        if hasCallValues { context.values = CallValues() }
        let output = await output(of: input, withOptionsIn: context, isCall: true)
        await context.values?.end()
        return (recorder.request, output)
    }
}

/// The recorder of the request that ends a dry run.
final class DryRunRecorder: Sendable {
    private let recorded = Locked<Input?>(nil)

    /// The first request; nil if no connector was called.
    var request: Input? { recorded.withLock { $0 } }

    /// Whether a request was recorded, so that no further one is made.
    var hasEnded: Bool { recorded.withLock { $0 != nil } }

    /// Returns the output of a connector that is not called, and records its first request.
    func output(for input: Input) -> Output {
        if !Task.isCancelled { recorded.withLock { if $0 == nil { $0 = input } } }
        return .noResponse(.cancelled)
    }
}
