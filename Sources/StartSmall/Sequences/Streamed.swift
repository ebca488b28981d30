import Foundation
import Synchronization

/// The values of a response as they arrive; whoever iterates sets the pace.
///
/// Each element is a value, or why there is none. After a failure of the call itself nothing more comes; a part that
/// can't be read is a failure alone, and the next part comes after it. Each iteration makes a call of its own: it begins
/// when the first element is asked for, unless the task is cancelled by then, and is cancelled when its iterator goes away.
///
/// ```swift
/// for await errorOrLine in Endpoint.lines(.get("https://api.example.com/log"), via: .app) {
///     print(errorOrLine.right ?? "…")
/// }
/// ```
public struct Streamed<Problem: Decodable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
    /// A value, or why there is none.
    public typealias Element = Fetched<TransformError<Problem>, Value>

    /// The sequence itself never fails: failures are elements.
    public typealias Failure = Never

    /// Reads parts of the payload as values, and what is left when nil says that no more comes.
    typealias Reading = @Sendable (Data?) -> [Either<String, Value>]

    private let input: Either<ConnectionError, Input>
    private let connector: Connector
    private let objection: @Sendable (Response) -> String?
    private let startReading: @Sendable () -> Reading

    /// A head of which `objection` gives a reason ends the call, before any of the payload is read.
    init(
        _ input: Either<ConnectionError, Input>,
        via connector: Connector,
        refusing objection: @escaping @Sendable (Response) -> String? = { _ in nil },
        reading startReading: @escaping @Sendable () -> Reading
    ) {
        self.input = input
        self.connector = connector
        self.objection = objection
        self.startReading = startReading
    }

    /// Creates an iterator, whose call begins when the first element is asked for.
    public func makeAsyncIterator() -> Iterator {
        let handoff = Handoff<Element>()
        return Iterator(of: handoff) {
            Task { @concurrent in
                await run(into: handoff)
                handoff.finish()
            }
        }
    }

    /// The values of one call.
    public struct Iterator: AsyncIteratorProtocol {
        private let take: @Sendable () async -> Element?

        fileprivate init(of handoff: Handoff<Element>, _ begin: @escaping @Sendable () -> Task<Void, Never>) {
            let call = CancelledAtEnd()
            take = {
                if Task.isCancelled { call.cancel() }
                guard let task = call.task(begin) else { return nil }
                // At once, and not only when this task goes on: the call may be about to send another request.
                let element = await withTaskCancellationHandler {
                    await handoff.next()
                } onCancel: {
                    task.cancel()
                }
                if element == nil { call.cancel() }
                return element
            }
        }

        /// The next value, or nil if no more comes or the task is cancelled.
        public mutating func next() async -> Element? {
            await take()
        }
    }

    private func run(into handoff: Handoff<Element>) async {
        let read = startReading()
        let course = Mutex(Course())
        // Without the connector: where that records what it was asked, each would keep the other for ever.
        let receiver = Receiver(
            resumption: { nil },
            mayBeginAnew: { course.withLock { !$0.hasGiven } }
        ) { [objection] part, _ in
            switch part {
            case .head(let response):
                try course.withLock { try $0.begin(response) }
                if let reason = objection(response) { throw ConnectionError.rejected(response, reason: reason) }
            case .chunk(let data):
                let head = course.withLock { $0.give() }
                for value in read(data) where await !handoff.send(Self.element(of: value, head)) {
                    throw ConnectionError.cancelled
                }
            }
        }
        let endpoint = Endpoint<TransformError<Problem>, Response>(
            input.map { input in input.with { $0.destination = .receiver(receiver) } },
            transform: { response in response.empty().map { response } }
        )
        switch await endpoint.fetch(via: connector) {
        case .left(.left(.rejected(let response, let reason))) where objection(response) == reason:
            _ = await handoff.send(Self.element(of: .left(reason), response))
        case .left(let failure): _ = await handoff.send(.left(failure))
        case .right(let response):
            for value in read(nil) { _ = await handoff.send(Self.element(of: value, response)) }
        }
    }

    private static func element(of value: Either<String, Value>, _ response: Response) -> Element {
        value.mapLeft { .right(.malformedData(response, debugInfo: $0)) }
    }
}

/// How far one call has come: what was given can't be taken back, so that a second try may not follow on it.
private struct Course {
    private var head: Response?
    private(set) var hasGiven = false

    mutating func begin(_ head: Response) throws {
        if hasGiven { throw ConnectionError.connectionLost(.startedAnew) }
        self.head = head
    }

    /// The head of the response of which a chunk is about to be given; made up where a connector gave none.
    mutating func give() -> Response {
        hasGiven = true
        return head ?? Response(statusCode: .ok)
    }
}

/// The task of a call, which begins once, and is cancelled when nobody is left who wants anything of it.
private struct CancelledAtEnd: ~Copyable, Sendable {
    private enum State: Sendable {
        case waiting
        case running(Task<Void, Never>)
        case over
    }

    private let state = Mutex(State.waiting)

    /// The task, begun now if it was not yet; nil if it is over.
    func task(_ begin: () -> Task<Void, Never>) -> Task<Void, Never>? {
        state.withLock { state in
            switch state {
            case .over: return nil
            case .running(let task): return task
            case .waiting:
                let task = begin()
                state = .running(task)
                return task
            }
        }
    }

    /// Cancels the task, or has it never begin.
    func cancel() {
        let task: Task<Void, Never>? = state.withLock { state in
            defer { state = .over }
            return if case .running(let task) = state { task } else { nil }
        }
        task?.cancel()
    }

    deinit { cancel() }
}
