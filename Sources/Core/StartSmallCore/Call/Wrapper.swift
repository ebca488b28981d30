/// A function from a connector to a connector, which adds behavior to each call.
///
/// ```swift
/// let impatient = Wrapper("impatient") { input, next in
///     await next(input.with { $0.headers["Prefer"] = "wait=1" })
/// }
/// ```
///
/// A wrapper can change the input and the output, and can call `next` once, many times or never.
public struct Wrapper: Sendable {
    /// Returns the connector inside of this wrapper, with the listeners of the connector.
    let wrap: @Sendable (Connector) -> Connector

    /// The name, as in source code: `retry`; nil for a wrapper without one.
    package let name: String?

    /// Creates a wrapper from a function that runs in each call.
    ///
    /// - Parameters:
    ///   - name: the name of the wrapper, by which descriptions and the rules of an order know it.
    ///   - around: returns the output of an input; calls `next` to continue towards the engine.
    public init(
        _ name: String? = nil,
        _ around: @escaping @Sendable (_ input: Input, _ next: Next) async -> Output
    ) {
        self.init(name, wrapping: { inner in inner.wrapped(name, by: around) })
    }

    /// Creates a wrapper from a function that runs once, when the wrapper is put around a connector.
    ///
    /// - Parameters:
    ///   - name: the name of the wrapper with all that it consists of; nil for the names of the wrappers that `change`
    ///     puts around the connector.
    ///   - change: returns the connector with its wrapper; creates the wrapper's state, if it keeps any.
    public init(_ name: String? = nil, wrapping change: @escaping @Sendable (Connector) -> Connector) {
        self.init(name: name) { connector in connector.changed(by: change, named: name) }
    }

    private init(name: String?, wrap: @escaping @Sendable (Connector) -> Connector) {
        (self.name, self.wrap) = (name, wrap)
    }

    /// Creates a wrapper of each request, next to the engine.
    ///
    /// ```swift
    /// let counting = Wrapper.streaming { input, next in
    ///     await next(input).mapBody { body in
    ///         body.map { bytes in
    ///             counts.append(bytes.count)
    ///             return bytes
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Whatever the ``Request/delivery`` of the call and the status, `next` returns when the head of a response has
    /// arrived, and the response has a ``Response/body``. Redirects, retries and all other wrappers are outside of
    /// it, wherever it stands among them; streaming wrappers keep their order among each other. A connector that is
    /// made by `Connector { … }` is an engine, also if it calls another connector.
    ///
    /// - Parameters:
    ///   - name: the name of the wrapper, by which descriptions and the rules of an order know it.
    ///   - around: returns the output of a request; calls `next` to continue towards the engine.
    public static func streaming(
        _ name: String? = nil,
        _ around: @escaping @Sendable (_ input: Input, _ next: Next) async -> Output
    ) -> Wrapper {
        Wrapper(name) { inner in inner.with(inner.handler.inserting(around), named: name) }
    }

    /// Returns a wrapper that consists of others, of which the first one is the outermost.
    ///
    /// ```swift
    /// connector.wrapped(by: .all(isVerbose ? [.log()] : []), .bearer(token))
    /// ```
    public static func all(_ wrappers: [Wrapper]) -> Wrapper {
        Wrapper(name: nil) { connector in wrappers.reversed().reduce(connector) { $1.wrap($0) } }
    }

    /// Returns this wrapper with another name.
    ///
    /// ```swift
    /// let signing = Wrapper.headers(.override, sign).named("signing")
    /// ```
    public func named(_ name: String) -> Wrapper {
        Wrapper(name, wrapping: wrap)
    }
}

extension Connector {
    /// Returns this connector changed by a wrapper, with the listeners and the options of this connector.
    fileprivate func changed(by change: (Connector) -> Connector, named name: String?) -> Connector {
        var plain = self
        (plain.listenerContext, plain.options) = (nil, [])
        var wrapped = change(plain)
        wrapped.options = options + wrapped.options
        if let listenerContext {
            let added = wrapped.listenerContext?.listener
            wrapped.listenerContext = listenerContext
            if let added { wrapped = wrapped.adding(added) }
        }
        // A wrapper without a name that consists of others has their names.
        let consistsOfOthers = name == nil && wrapped.layers.surround(layers)
        if !consistsOfOthers { wrapped.layers = layers.inside(of: name) }
        return wrapped
    }
}

/// The function that a wrapper calls: the next wrapper or connector on the way to the engine.
public struct Next: Sendable {
    @usableFromInline let handler: Connector.Handler

    /// The context of this call: its remaining time, its cancellation and its listeners.
    public let context: CallContext

    @inlinable
    init(handler: Connector.Handler, context: CallContext) {
        self.handler = handler
        self.context = context
    }

    /// Calls the next wrapper or connector.
    ///
    /// No engine is called once the call is cancelled: the output is then ``ConnectionError/cancelled``. Wrappers inside
    /// are called.
    @inlinable @inline(__always)
    public func callAsFunction(_ input: Input) async -> Output {
        await handler(input, context)
    }

    /// Returns this function with a changed context for the inside: `next.with { $0.followsRedirects = true }`.
    public func with(_ change: (inout CallContext) -> Void) -> Next {
        var context = context
        change(&context)
        return Next(handler: handler, context: context)
    }

    /// Returns this function inside of another one, as if that were one more wrapper.
    package func inside(_ around: @escaping @Sendable (Input, Next) async -> Output) -> Next {
        Next(handler: .wrapper(around, inner: handler), context: context)
    }

    /// Reports an event of the wrapper to the listeners of this call.
    ///
    /// Without a listener, the event is not even created; see `CallContext.report(_:)`.
    @inlinable
    public func report(_ event: @autoclosure () -> some ReportedEvent) {
        context.report(event())
    }
}

extension Next {
    /// Calls the next wrapper or connector with a request, or returns the error for which there is none.
    public func callAsFunction(_ input: Either<ConnectionError, Input>) async -> Output {
        switch input {
        case .left(let error): .noResponse(error)
        case .right(let input): await self(input)
        }
    }
}
