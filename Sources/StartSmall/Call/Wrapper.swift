/// What is done around a connector: a function from a connector to a connector.
///
/// ```swift
/// let impatient = Wrapper { input, next in
///     await next(input.with { $0.headers.set("Prefer", to: "wait=1") })
/// }
/// ```
///
/// A wrapper may change the input, call `next` once, many times or never, and change the output.
public struct Wrapper: Sendable {
    private let change: @Sendable (Connector) -> Connector

    /// Creates a wrapper from what is done in each call.
    public init(_ around: @escaping @Sendable (_ input: Input, _ next: Next) async -> Output) {
        self.init(wrapping: { Connector(step: .layer(around, around: $0.step)) })
    }

    /// Creates a wrapper from what is done once, when it is put around a connector; state of its own is made here.
    public init(wrapping change: @escaping @Sendable (Connector) -> Connector) {
        self.change = change
    }

    /// The connector in this wrapper, with the listeners it had.
    func wrap(_ connector: Connector) -> Connector {
        var silent = connector
        silent.audience = nil
        var wrapped = change(silent)
        if let audience = connector.audience {
            let added = wrapped.audience?.listener
            wrapped.audience = audience
            if let added { wrapped = wrapped.listened(by: added) }
        }
        return wrapped
    }
}

/// What a wrapper is around: the next function on the way to the engine.
public struct Next: Sendable {
    @usableFromInline let step: Connector.Step

    /// Tells the listeners of this call what the wrapper does.
    public let report: EventReporter

    @inlinable
    init(step: Connector.Step, report: EventReporter) {
        self.step = step
        self.report = report
    }

    /// The time that the call has left, by the innermost time limit around; negative when it is past, nil without a limit.
    public var remainingTime: Duration? { report.remainingTime }

    /// Calls the next function.
    ///
    /// No connector is called once the call is cancelled: the output is ``ConnectionError/cancelled`` then.
    @inlinable
    public func callAsFunction(_ input: Input) async -> Output {
        await step(input, report)
    }
}
