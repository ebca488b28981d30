/// How an input becomes an output: an engine, a stub, or either of them in wrappers.
///
/// ```swift
/// let offline = Connector { _ in .noResponse(.cancelled) }
/// ```
///
/// A connector only connects: what a response means is not its business. It ends soon after its task is cancelled, and
/// never fails in another way than by returning ``Output/noResponse(_:)``.
public struct Connector: Sendable {
    /// What stands between the caller and the network, as data: an array of closures would cost a thunk for each.
    @usableFromInline
    indirect enum Step: Sendable {
        case engine(@Sendable (Input, EventReporter) async -> Output)
        case plain(@Sendable (Input) async -> Output)
        case layer(@Sendable (Input, Next) async -> Output, around: Step)

        @inlinable @inline(__always)
        func callAsFunction(_ input: Input, _ report: EventReporter) async -> Output {
            if !isLayer, report.hasHeadLimit { return await answerBeforeLimit(input, report) }
            if case .consumer(let consumer) = input.destination { return await deliver(input, to: consumer, report) }
            return await answer(input, report)
        }

        /// The output of this step; nothing is sent for a call that is cancelled.
        @inlinable @inline(__always)
        func answer(_ input: Input, _ report: EventReporter) async -> Output {
            switch self {
            case .engine(let connect):
                report.isCancelled ? .noResponse(.cancelled) : await connect(input, report.ofNextAttempt())
            case .plain(let connect): report.isCancelled ? .noResponse(.cancelled) : await connect(input)
            case .layer(let around, let step): await around(input, Next(step: step, report: report))
            }
        }

        /// Whether another step is inside.
        @inlinable var isLayer: Bool {
            if case .layer = self { true } else { false }
        }
    }

    @usableFromInline let step: Step

    /// Who hears of every call that goes through here.
    var audience: ListenerContext?

    init(step: Step) { self.step = step }

    /// Creates a connector that tells its listeners something of its own.
    public init(_ connect: @escaping @Sendable (Input, EventReporter) async -> Output) {
        self.init(step: .engine(connect))
    }

    /// Creates a connector.
    public init(_ connect: @escaping @Sendable (Input) async -> Output) {
        self.init(step: .plain(connect))
    }

    /// Calls this connector in the middle of a call, as a wrapper with state of its own does; listeners hear it all.
    ///
    /// An app calls ``WebAPI`` instead, where a call begins and ends.
    @inlinable
    public func connect(_ input: Input, _ report: EventReporter) async -> Output {
        await step(input, report)
    }

    /// This connector in wrappers: the first is the outermost, and sees the input first and the output last.
    ///
    /// The listeners of what is inside go on listening, whatever a wrapper does.
    public func wrapped(by wrappers: Wrapper...) -> Connector {
        wrapped(by: wrappers)
    }

    /// This connector in wrappers: the first is the outermost, and sees the input first and the output last.
    public func wrapped(by wrappers: [Wrapper]) -> Connector {
        wrappers.reversed().reduce(self) { connector, wrapper in wrapper.wrap(connector) }
    }

    /// The same with one more listener, who hears after those there are.
    func listened(by listener: Listener) -> Connector {
        var connector = self
        if let first = audience?.listener {
            connector.audience?.listener = first + listener
        } else {
            connector.audience = ListenerContext(listener)
        }
        return connector
    }
}
