import Synchronization

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
    /// The handlers are cases with functions, and not an array of functions: a function that is stored in an array of a
    /// function type is called through a reabstraction thunk, which each handler of each call would have to run.
    @usableFromInline
    package indirect enum Handler: Sendable {
        /// A connector that reports events.
        case reporting(@Sendable (Input, CallContext) async -> Output)

        /// A connector that reports no events.
        case plain(@Sendable (Input) async -> Output)

        /// The function of a wrapper around an inner handler.
        case wrapper(@Sendable (Input, Next) async -> Output, inner: Handler)

        /// The function of a streaming wrapper around an engine, or around another such wrapper.
        ///
        /// - Parameter id: a number of this wrapper, which differs from that of any other one.
        case streaming(@Sendable (Input, Next) async -> Output, inner: Handler, id: UInt64)

        /// A handler inside of a streaming wrapper, all of whose responses have a body.
        case opened(Handler)

        /// Returns the output of this handler.
        ///
        /// Inlined, so that a wrapper that calls the next one costs one function call.
        @inlinable @inline(__always)
        func callAsFunction(_ input: Input, _ context: CallContext) async -> Output {
            guard case .wrapper(let function, let inner) = self, input.staysInMemory else {
                return await delivered(input, context)
            }
            let output = await function(input, Next(handler: inner, context: context))
            return output.isOpen ? await output.delivered(as: input, context) : output
        }

        /// Returns the output of this handler; nothing is sent for a call that is cancelled.
        @inline(__always)
        func output(for input: Input, _ context: CallContext) async -> Output {
            switch self {
            case .reporting(let connect):
                if context.isCancelled { return .noResponse(.cancelled) }
                context.noteRequest()
                return context.noting(await connect(input, context.ofNextAttempt()))
            case .plain(let connect):
                if context.isCancelled { return .noResponse(.cancelled) }
                context.noteRequest()
                return context.noting(await connect(input))
            case .wrapper(let function, let inner):
                return await function(input, Next(handler: inner, context: context))
            case .streaming, .opened: return await delivered(input, context)
            }
        }

        /// Whether no other handler is inside.
        var isEngine: Bool {
            switch self {
            case .reporting, .plain: true
            case .wrapper, .streaming, .opened: false
            }
        }
    }

    @usableFromInline let handler: Handler

    /// The listener of every call through this connector, and the generator of call IDs.
    var listenerContext: ListenerContext?

    /// The names of the wrappers and of the engine; a call does not read them.
    var layers: Layers

    init(handler: Handler, layers: Layers = Layers()) {
        (self.handler, self.layers) = (handler, layers)
    }

    /// Creates a connector that reports events to the listeners of its call.
    ///
    /// - Parameter connect: returns the output of a request; reports events with the context of the call.
    public init(_ connect: @escaping @Sendable (Input, CallContext) async -> Output) {
        self.init(handler: .reporting(connect))
    }

    /// Creates a connector.
    public init(_ connect: @escaping @Sendable (Input) async -> Output) {
        self.init(handler: .plain(connect))
    }

    /// Calls this connector in the middle of a call, for example from a wrapper that keeps state.
    ///
    /// Listeners receive all events of the connector. An app calls ``WebAPI`` instead, where a call begins and ends.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - context: the context of the current call.
    public func connect(_ input: Input, _ context: CallContext) async -> Output {
        await handler(input, context)
    }

    /// Calls this connector in the place of another engine.
    ///
    /// The response of an engine is returned as it comes: a streaming wrapper around the other engine gets it when its
    /// head has arrived, whatever its status.
    package func forward(_ input: Input, _ context: CallContext) async -> Output {
        switch handler {
        case .reporting(let connect): await connect(input, context)
        case .plain(let connect): await connect(input)
        case .wrapper, .streaming, .opened: await handler(input, context)
        }
    }

    /// Returns this connector inside of wrappers.
    ///
    /// The first wrapper is the outermost: it sees the input first and the output last. The listeners of this connector
    /// stay, for any wrapper. ``Wrapper/all(_:)`` takes the wrappers of an array.
    public func wrapped(by wrappers: Wrapper...) -> Connector {
        Wrapper.all(wrappers).wrap(self)
    }

    /// Returns this connector with a streaming wrapper, whose function runs next to the engine.
    package func streaming(
        _ name: String? = nil,
        _ around: @escaping @Sendable (Input, Next) async -> Output
    ) -> Connector {
        Connector(handler: handler.inserting(around), layers: layers.inside(of: name))
    }

    /// Returns this connector with one more listener, which is called after the existing ones.
    package func adding(_ listener: Listener) -> Connector {
        var connector = self
        if let first = listenerContext?.listener {
            connector.listenerContext?.listener = first + listener
        } else {
            connector.listenerContext = ListenerContext(listener)
        }
        return connector
    }
}

extension Connector {
    /// Returns a connector that gives each call to the next of several connectors, in turn.
    ///
    /// An engine over libcurl has one thread, which uses at most one processor: two engines use two.
    ///
    /// ```swift
    /// let engine = Connector.spread(over: [.curl(), .curl()])
    /// ```
    ///
    /// Each engine has connections of its own, and limits of its own for them: two engines open up to twice as many.
    ///
    /// - Parameter connectors: the connectors, whose listeners are not called.
    /// - Errors: ``ConnectionError/engineUnavailable(debugInfo:)`` without a connector.
    public static func spread(over connectors: [Connector]) -> Connector {
        let turns = Atomic<UInt64>(0)
        let spread = Connector { input, context in
            if connectors.isEmpty { return .noResponse(.engineUnavailable(debugInfo: "spread over no connector")) }
            let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
            return await connectors[Int(turn % UInt64(connectors.count))].forward(input, context)
        }
        return spread.named("spread").decodingPayloads { input in
            let answers = Set(connectors.map { $0.decodesPayload(of: input) })
            return answers.count == 1 ? answers.first ?? nil : nil
        }
    }
}
