/// A function from a request to its output: an engine, a stub, or a connector inside of wrappers.
///
/// ```swift
/// let offline = Connector { _ in .noResponse(.cancelled) }
/// ```
///
/// A connector does not interpret responses: endpoints do. It returns soon after its task is cancelled. Its only way to
/// fail is to return ``Output/noResponse(_:)``.
public struct Connector: Sendable {
    /// The layers between the caller and the network, as data.
    ///
    /// The layers are cases with functions, and not an array of functions: a function that is stored in an array of a
    /// function type is called through a reabstraction thunk, which each layer of each call would have to run.
    @usableFromInline
    indirect enum Step: Sendable {
        /// A connector that reports events.
        case engine(@Sendable (Input, EventReporter) async -> Output)

        /// A connector that reports no events.
        case plain(@Sendable (Input) async -> Output)

        /// The function of a wrapper around an inner step.
        case wrapper(@Sendable (Input, Next) async -> Output, inner: Step)

        @inlinable @inline(__always)
        func callAsFunction(_ input: Input, _ report: EventReporter) async -> Output {
            if !isWrapper, report.hasHeadLimit { return await outputWithinHeadLimit(for: input, report) }
            if case .consumer(let consumer) = input.destination { return await deliver(input, to: consumer, report) }
            return await output(for: input, report)
        }

        /// Returns the output of this step; nothing is sent for a call that is cancelled.
        @inlinable @inline(__always)
        func output(for input: Input, _ report: EventReporter) async -> Output {
            switch self {
            case .engine(let connect):
                report.isCancelled ? .noResponse(.cancelled) : await connect(input, report.ofNextAttempt())
            case .plain(let connect): report.isCancelled ? .noResponse(.cancelled) : await connect(input)
            case .wrapper(let function, let inner): await function(input, Next(step: inner, report: report))
            }
        }

        /// Whether another step is inside.
        @inlinable var isWrapper: Bool {
            if case .wrapper = self { true } else { false }
        }
    }

    @usableFromInline let step: Step

    /// The listener of every call through this connector, and the generator of call IDs.
    var listenerContext: ListenerContext?

    init(step: Step) { self.step = step }

    /// Creates a connector that reports events to the listeners of its call.
    ///
    /// - Parameter connect: returns the output of a request; reports events with the reporter.
    public init(_ connect: @escaping @Sendable (Input, EventReporter) async -> Output) {
        self.init(step: .engine(connect))
    }

    /// Creates a connector.
    ///
    /// - Parameter connect: returns the output of a request.
    public init(_ connect: @escaping @Sendable (Input) async -> Output) {
        self.init(step: .plain(connect))
    }

    /// Calls this connector in the middle of a call, for example from a wrapper that keeps state.
    ///
    /// Listeners receive all events of the connector. An app calls ``WebAPI`` instead, where a call begins and ends.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - report: the reporter of the current call.
    @inlinable
    public func connect(_ input: Input, _ report: EventReporter) async -> Output {
        await step(input, report)
    }

    /// Returns this connector inside of wrappers.
    ///
    /// The first wrapper is the outermost: it sees the input first and the output last. The listeners of this connector
    /// stay, for any wrapper.
    public func wrapped(by wrappers: Wrapper...) -> Connector {
        wrapped(by: wrappers)
    }

    /// Returns this connector inside of wrappers.
    ///
    /// The first wrapper is the outermost: it sees the input first and the output last. The listeners of this connector
    /// stay, for any wrapper.
    public func wrapped(by wrappers: [Wrapper]) -> Connector {
        wrappers.reversed().reduce(self) { connector, wrapper in wrapper.wrap(connector) }
    }

    /// Returns this connector with one more listener, which is called after the existing ones.
    func listened(by listener: Listener) -> Connector {
        var connector = self
        if let first = listenerContext?.listener {
            connector.listenerContext?.listener = first + listener
        } else {
            connector.listenerContext = ListenerContext(listener)
        }
        return connector
    }
}
