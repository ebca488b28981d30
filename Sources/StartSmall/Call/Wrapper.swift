/// A function from a connector to a connector, which adds behavior to each call.
///
/// ```swift
/// let impatient = Wrapper { input, next in
///     await next(input.with { $0.headers["Prefer"] = "wait=1" })
/// }
/// ```
///
/// A wrapper can change the input and the output, and can call `next` once, many times or never.
public struct Wrapper: Sendable {
    private let change: @Sendable (Connector) -> Connector

    /// Creates a wrapper from a function that runs in each call.
    ///
    /// - Parameter around: returns the output of an input; calls `next` to continue towards the engine.
    public init(_ around: @escaping @Sendable (_ input: Input, _ next: Next) async -> Output) {
        self.init(wrapping: { Connector(step: .wrapper(around, inner: $0.step)) })
    }

    /// Creates a wrapper from a function that runs once, when the wrapper is put around a connector.
    ///
    /// - Parameter change: returns the connector with its wrapper; creates the wrapper's state, if it keeps any.
    public init(wrapping change: @escaping @Sendable (Connector) -> Connector) {
        self.change = change
    }

    /// Returns the connector inside of this wrapper, with the listeners of the connector.
    func wrap(_ connector: Connector) -> Connector {
        var silent = connector
        silent.listenerContext = nil
        var wrapped = change(silent)
        if let listenerContext = connector.listenerContext {
            let added = wrapped.listenerContext?.listener
            wrapped.listenerContext = listenerContext
            if let added { wrapped = wrapped.listened(by: added) }
        }
        return wrapped
    }
}

/// The function that a wrapper calls: the next layer on the way to the engine.
public struct Next: Sendable {
    @usableFromInline let step: Connector.Step

    /// The reporter of the wrapper's events to the listeners of this call, which also has the call's remaining time.
    public let report: EventReporter

    @inlinable
    init(step: Connector.Step, report: EventReporter) {
        self.step = step
        self.report = report
    }

    /// Calls the next layer.
    ///
    /// No connector is called once the call is cancelled: the output is then ``ConnectionError/cancelled``.
    @inlinable
    public func callAsFunction(_ input: Input) async -> Output {
        await step(input, report)
    }
}
