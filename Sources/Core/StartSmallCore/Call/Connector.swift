/// A function from a request to its output: an engine, a stub, or a connector inside of wrappers.
///
/// ```swift
/// let offline = Connector { _ in .noResponse(.cancelled) }
/// ```
///
/// A connector does not interpret responses: endpoints do. It returns soon after its task is cancelled. Its only way to
/// fail is to return ``Output/noResponse(_:)``.
public struct Connector: Sendable {
    /// The functions between the caller and the network, as data.
    ///
    /// An enum, and neither an array of functions nor functions that call each other: a function in an array is called
    /// through a reabstraction thunk, and one around another would be one more function to suspend in, for each layer of
    /// each call.
    @usableFromInline
    package indirect enum Handler: Sendable {
        case engine(Engine)

        /// The inside of a streaming wrapper, all of whose responses have a body.
        case opened(Engine.Function)

        /// The function of a wrapper around an inner handler.
        case wrapper(@Sendable (Input, Next) async -> Output, inner: Handler)

        /// Returns the output of this handler, in the form that the request asks for.
        ///
        /// Inlined, so that a wrapper that calls the next one costs one function call.
        @inlinable @inline(__always)
        func callAsFunction(_ input: Input, _ context: CallContext) async -> Output {
            guard case .wrapper(let function, let inner) = self else { return await innermost(input, context) }
            let output = await function(input, Next(handler: inner, context: context))
            return output.isOpen || !input.staysInMemory ? await output.delivered(as: input, context) : output
        }

        @usableFromInline @inline(never)
        func innermost(_ input: Input, _ context: CallContext) async -> Output {
            await output(of: input, context)
        }

        /// Returns the output of this handler, where ``WebAPI`` enters it.
        ///
        /// No wrapper is called for a task that is cancelled; an engine checks that itself. Inlined, so that a connector
        /// without wrappers costs one function call.
        @inline(__always)
        func output(of input: Input, _ context: CallContext) async -> Output {
            switch self {
            case .engine(let engine): await engine.output(of: input, context)
            case .opened(let function): await function(input, context)
            case .wrapper: Task.isCancelled ? .noResponse(.cancelled) : await self(input, context)
            }
        }

        /// Returns this handler with a streaming wrapper around its engine, and around the streaming wrappers of that.
        func inserting(_ function: @escaping @Sendable (Input, Next) async -> Output) -> Handler {
            switch self {
            case .engine(let engine): .engine(engine.wrapped(by: function))
            case .opened: self
            case .wrapper(let outer, let inner): .wrapper(outer, inner: inner.inserting(function))
            }
        }

        /// The engine; nil in the inside of a streaming wrapper.
        var engine: Engine? {
            switch self {
            case .engine(let engine): engine
            case .opened: nil
            case .wrapper(_, let inner): inner.engine
            }
        }
    }

    @usableFromInline let handler: Handler

    /// The listener of every call through this connector, and the generator of call IDs.
    var listenerContext: ListenerContext?

    /// The names of the wrappers and of the engine; a call does not read them.
    var layers = Layers()

    /// The options of calls that do not choose their own, of which the last one of a kind counts.
    var options: [CallOption] = []

    /// Whether a wrapper has a value of each call.
    var hasCallValues = false

    private init(handler: Handler) { self.handler = handler }

    /// Creates a connector that reports events to the listeners of its call.
    ///
    /// - Parameter connect: returns the output of a request; reports events with the context of the call.
    public init(_ connect: @escaping @Sendable (Input, CallContext) async -> Output) {
        self.init(handler: .engine(Engine(.reporting(connect))))
    }

    /// Creates a connector.
    public init(_ connect: @escaping @Sendable (Input) async -> Output) {
        self.init(handler: .engine(Engine(.plain(connect))))
    }

    /// Calls this connector in the middle of a call, for example from a wrapper that keeps state.
    ///
    /// Listeners receive all events of the connector. An app calls ``WebAPI`` instead, where a call begins and ends.
    /// Values of each call (``CallValue``) are those of the current call; if that has none, each use of this function
    /// has its own, which end with its output: see ``sharingCallValues(with:)``.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - context: the context of the current call.
    public func connect(_ input: Input, _ context: CallContext) async -> Output {
        guard hasCallValues, context.values == nil else {
            if options.isEmpty, input.options.isEmpty { return await handler(input, context) }
            return await output(of: input, withOptionsIn: context, isCall: false)
        }
        var context = context
        let values = CallValues()
        context.values = values
        return await values.ended(by: await output(of: input, withOptionsIn: context, isCall: false))
    }

    /// Returns this connector as one that calls other connectors: its calls then have the values that those need.
    ///
    /// - Parameter others: the connectors that it calls by ``connect(_:_:)``.
    public func sharingCallValues(with others: [Connector]) -> Connector {
        var connector = self
        connector.hasCallValues = hasCallValues || others.contains(where: \.hasCallValues)
        return connector
    }

    /// Calls this connector in the place of another engine.
    ///
    /// The response of an engine is returned as it comes: a streaming wrapper around the other engine gets it when its
    /// head has arrived, whatever its status.
    package func forward(_ input: Input, _ context: CallContext) async -> Output {
        if case .engine(let engine) = handler, !engine.isStreaming, options.isEmpty {
            return await engine.connect(input, context)
        }
        return await connect(input, context)
    }

    /// Returns this connector with another handler.
    func with(_ handler: Handler, named name: String?) -> Connector {
        var connector = Connector(handler: handler)
        connector.listenerContext = listenerContext
        connector.options = options
        connector.layers = layers.inside(of: name)
        connector.hasCallValues = hasCallValues
        return connector
    }

    /// Returns this connector inside of the function of a wrapper.
    func wrapped(_ name: String?, by around: @escaping @Sendable (Input, Next) async -> Output) -> Connector {
        with(.wrapper(around, inner: handler), named: name)
    }

    /// Returns this connector inside of wrappers.
    ///
    /// The first wrapper is the outermost: it sees the input first and the output last. The listeners of this connector
    /// stay, for any wrapper. ``Wrapper/all(_:)`` takes the wrappers of an array.
    public func wrapped(by wrappers: Wrapper...) -> Connector {
        Wrapper.all(wrappers).wrap(self)
    }

    /// Returns this connector with one more listener, which is called after the existing ones.
    func adding(_ listener: Listener) -> Connector {
        var connector = self
        if let first = listenerContext?.listener {
            connector.listenerContext?.listener = first + listener
        } else {
            connector.listenerContext = ListenerContext(listener)
        }
        return connector
    }
}
