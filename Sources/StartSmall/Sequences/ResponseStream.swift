import Synchronization

/// The values of a response as they arrive, with backpressure from the consumer.
///
/// ```swift
/// for await errorOrLine in Endpoint.lines(.get("https://api.example.com/log")).stream(via: .app) {
///     print(errorOrLine.right ?? "…")
/// }
/// ```
///
/// Each element is a value, or the error for which there is none; the sequence itself never throws. A part that can't
/// be read is a single failed element, and the next part follows. After a failure of the call itself, the sequence
/// ends.
///
/// | The sequence ends | its last element | the call |
/// | --- | --- | --- |
/// | when the server ends the response | a value | succeeds |
/// | when the condition of the stream ends it (`until:`) | the value before | succeeds |
/// | when a value is a problem (``StreamEndpoint/failing(with:)``) | the problem | fails |
/// | when the call fails | the failure | fails |
/// | when the consumer's task is cancelled | ``ConnectionError/cancelled`` | is cancelled |
///
/// Each iteration makes its own call. The call begins when the first element is requested, unless the task is cancelled
/// by then, and is cancelled when its iterator is destroyed before the end.
public struct ResponseStream<Problem: Decodable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
    private let endpoint: StreamEndpoint<Problem, Value>
    private let connector: Connector

    init(_ endpoint: StreamEndpoint<Problem, Value>, via connector: Connector) {
        (self.endpoint, self.connector) = (endpoint, connector)
    }

    /// Creates an iterator, whose call begins when the first element is requested.
    public func makeAsyncIterator() -> Iterator {
        let channel = RendezvousChannel<StreamStep<Element>>()
        return Iterator(of: channel) {
            Task { @concurrent in
                await endpoint.run(via: connector, into: channel)
                channel.finish()
            }
        }
    }

    /// An iterator over the values of one call.
    public struct Iterator: AsyncIteratorProtocol {
        private let take: @Sendable () async -> Element?

        fileprivate init(
            of channel: RendezvousChannel<StreamStep<Element>>,
            _ begin: @escaping @Sendable () -> Task<Void, Never>
        ) {
            let call = CancelledAtEnd()
            take = {
                if Task.isCancelled { return call.cancel() ? .left(.left(.cancelled)) : nil }
                guard let task = call.task(begin) else { return nil }
                // The task is cancelled at once, not only when this task resumes: the call may be about to send another
                // request.
                let step = await withTaskCancellationHandler {
                    await channel.next()
                } onCancel: {
                    task.cancel()
                }
                if case .element(let element) = step { return element }
                let isFirstEnd = call.cancel()
                switch step {
                case .element(let element), .last(let element): return element
                case .end: return nil
                // The channel is closed without an end: the consumer's task was cancelled.
                case nil: return isFirstEnd ? .left(.left(.cancelled)) : nil
                }
            }
        }

        /// Returns the next value, or the error for which there is none; nil at the end.
        public mutating func next() async -> Fetched<TransformError<Problem>, Value>? {
            await take()
        }
    }
}

/// A step of a stream's call, as passed to the consumer.
enum StreamStep<Element: Sendable>: Sendable {
    /// An element, after which others may follow.
    case element(Element)

    /// The failure of the call.
    case last(Element)

    /// The end of a call that succeeded.
    case end
}

/// The task of a call, which begins once, and is cancelled when its last owner is destroyed.
private struct CancelledAtEnd: ~Copyable, Sendable {
    private enum State: Sendable {
        case waiting
        case running(Task<Void, Never>)
        case over
    }

    private let state = Mutex(State.waiting)

    /// Returns the task, and begins it if it has not begun yet; nil if it is over.
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

    /// Cancels the task, or prevents its beginning; returns false if it was over before.
    @discardableResult
    func cancel() -> Bool {
        let (isFirst, task): (Bool, Task<Void, Never>?) = state.withLock { state in
            defer { state = .over }
            switch state {
            case .over: return (false, nil)
            case .waiting: return (true, nil)
            case .running(let task): return (true, task)
            }
        }
        task?.cancel()
        return isFirst
    }

    deinit { cancel() }
}
