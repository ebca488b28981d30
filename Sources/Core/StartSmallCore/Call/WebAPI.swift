public import Dispatch
import StartSmallFoundation

/// The functions that call an API: the kit's one side effect, in which each call begins and ends.
///
/// Each function leaves the caller's actor once, so that no transform runs on the main actor.
public enum WebAPI {
    /// Calls an API and returns its output.
    ///
    /// If the task is cancelled before the call ends, the output is ``ConnectionError/cancelled``, unless the payload
    /// is on the way to its file by then (``Delivery/file(_:)``). A call with ``Delivery/stream`` returns a
    /// response with an open ``Response/body``, and ends when that body ends.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - connector: the connector of the call.
    /// - Returns: the response, or the error that explains why there is none.
    @inlinable
    public static func call(with input: Input, via connector: Connector) async -> Output {
        await connector.call(with: input)
    }

    /// Calls an API and passes its output to a block.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - connector: the connector of the call.
    ///   - queue: the queue of the block; nil for any thread.
    ///   - block: receives the output, once.
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    public static func call(
        with input: Input,
        via connector: Connector,
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Output) -> Void
    ) -> Task<Void, Never> {
        Task { @concurrent in
            if case .stream = input.delivery {
                return _ = await opened(input, via: connector, to: block, on: queue)
            }
            let context = begin(input, via: connector)
            let output = await output(for: input, via: connector, context)
            await end(with: output, succeeded: output.isResponse, context, to: block, on: queue)
        }
    }

    @concurrent
    static func fetch<Failure, Value>(
        _ endpoint: Endpoint<Failure, Value>,
        via connector: Connector
    ) async -> Fetched<Failure, Value> {
        let context = begin(endpoint.input.right, via: connector)
        let fetched = await fetched(endpoint, via: connector, context)
        end(succeeded: fetched.isRight, context)
        return fetched
    }

    static func fetch<Failure, Value>(
        _ endpoint: Endpoint<Failure, Value>,
        via connector: Connector,
        on queue: DispatchQueue?,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        Task { @concurrent in
            let context = begin(endpoint.input.right, via: connector)
            let fetched = await fetched(endpoint, via: connector, context)
            await end(with: fetched, succeeded: fetched.isRight, context, to: block, on: queue)
        }
    }

    /// Returns the output of a connector, or ``ConnectionError/cancelled`` if the task is cancelled.
    @inline(__always)
    fileprivate static func output(for input: Input, via connector: Connector, _ context: CallContext) async -> Output {
        // A connector without wrappers checks this itself.
        if !connector.handler.isEngine, Task.isCancelled { return cancelled(context) }
        if case .file(let place) = input.delivery {
            let output = await filed(input, at: place, via: connector, context)
            reportOutput(output, context)
            return output
        }
        var output = await connector.handler.output(for: input, context.sendingFiles(of: input))
        // An engine of the app's own may open a body for any request.
        if output.isOpen {
            let isEngine = connector.handler.isEngine
            output = await isEngine ? output.collected(as: input, context) : output.delivered(as: input, context)
        }
        if Task.isCancelled { return cancelled(context) }
        reportOutput(output, context)
        return output
    }

    private static func reportOutput(_ output: Output, _ context: CallContext) {
        // Without this, each call would copy its output for nothing.
        guard context.hasListeners else { return }
        switch output {
        case .hasResponse(let response): context.reportLifecycle(.received(response))
        case .noResponse(.rejected(let response, let reason)):
            context.reportLifecycle(.received(response))
            context.reportLifecycle(.invalid(response, reason: reason))
        case .noResponse(.cancelled): context.reportLifecycle(.cancelled)
        case .noResponse(let error): context.reportLifecycle(.noResponse(error))
        }
    }

    /// Makes a call whose payload is read as it arrives, and which ends with its body.
    @inline(never)
    fileprivate static func opened(
        _ input: Input,
        via connector: Connector,
        to block: (@Sendable (Output) -> Void)? = nil,
        on queue: DispatchQueue? = nil
    ) async -> Output {
        let context = begin(input, via: connector)
        let output = await delivered(input, via: connector, context)
        if let block { await deliver(output, to: block, on: queue) }
        return output.whenEnded { ended in
            reportOutput(ended, context)
            end(succeeded: ended.isResponse, context)
        }
    }

    /// Begins a call, whose end ``end(with:_:_:)`` reports.
    package static func begin(_ input: Input?, via connector: Connector) -> CallContext {
        let context = CallContext(reportingTo: connector.listenerContext)
        context.reportLifecycle(.started(input))
        return context
    }

    /// Returns the output of a connector whose payload goes to a file, when the file is in its place or removed.
    @inline(never)
    private static func filed(
        _ input: Input,
        at place: URL,
        via connector: Connector,
        _ context: CallContext,
        accepting accepts: (Response) -> Bool = { _ in true }
    ) async -> Output {
        let files = TemporaryFiles()
        var output = await delivered(input, via: connector, context.receiving(files))
        if case .hasResponse(let response) = output {
            let isAccepted = accepts(response)
            do throws(ConnectionError) {
                // A cancellation is too late once the file is on the way to its place.
                if Task.isCancelled { throw .cancelled }
                if isAccepted, case .file(let file) = response.content { try await file.commit(to: place) }
                output = .hasResponse(response.withoutTransfer)
            } catch {
                output = .noResponse(error)
            }
        }
        await files.end()
        return output
    }

    /// Returns the output of a connector, whose body may be open, or ``ConnectionError/cancelled``.
    package static func delivered(_ input: Input, via connector: Connector, _ context: CallContext) async -> Output {
        if Task.isCancelled { return .noResponse(.cancelled) }
        if let error = input.delivery.rejection { return .noResponse(error) }
        let output = await connector.handler(input, context.sendingFiles(of: input))
        guard Task.isCancelled else { return output }
        output.discard()
        return .noResponse(.cancelled)
    }

    private static func cancelled(_ context: CallContext) -> Output {
        context.reportLifecycle(.cancelled)
        return .noResponse(.cancelled)
    }

    /// Returns the value or the failure of an endpoint, or ``ConnectionError/cancelled`` if the task is cancelled.
    private static func fetched<Failure, Value>(
        _ endpoint: Endpoint<Failure, Value>,
        via connector: Connector,
        _ context: CallContext
    ) async -> Fetched<Failure, Value> {
        switch endpoint.input {
        case .left(let error):
            context.reportLifecycle(.noResponse(error))
            return .left(.left(error))
        case .right(var input):
            // A value needs the whole payload.
            if case .stream = input.delivery { input.delivery = .memory }
            if case .file(let place) = input.delivery {
                return await fetchedFile(input, at: place, endpoint, via: connector, context)
            }
            switch await output(for: input, via: connector, context) {
            case .hasResponse(let response):
                let (result, event) = endpoint.read(response)
                if Task.isCancelled {
                    context.reportLifecycle(.cancelled)
                    return .left(.left(.cancelled))
                }
                context.reportLifecycle(event)
                return result.mapLeft(Either.right)
            case .noResponse(let error): return .left(.left(error))
            }
        }
    }

    /// Returns the value or the failure of an endpoint whose payload goes to a file.
    @inline(never)
    private static func fetchedFile<Failure, Value>(
        _ input: Input,
        at place: URL,
        _ endpoint: Endpoint<Failure, Value>,
        via connector: Connector,
        _ context: CallContext
    ) async -> Fetched<Failure, Value> {
        var read: (result: Either<Failure, Value>, event: Event)?
        let output = await filed(input, at: place, via: connector, context) { response in
            reportOutput(.hasResponse(response.withoutTransfer), context)
            let (result, event) = endpoint.read(response)
            read = (result, event)
            return result.isRight
        }
        guard case .hasResponse = output, let (result, event) = read else {
            reportOutput(output, context)
            return .left(.left(output.connectionError ?? .cancelled))
        }
        context.reportLifecycle(event.withoutTransfer)
        return result.mapLeft(Either.right)
    }

    /// Calls a block, on a queue if there is one, and returns after the block: the call does not end before.
    static func deliver<Value: Sendable>(
        _ value: Value,
        to block: @escaping @Sendable (Value) -> Void,
        on queue: DispatchQueue?
    ) async {
        guard let queue else { return block(value) }
        await withCheckedContinuation { continuation in
            queue.async {
                block(value)
                continuation.resume()
            }
        }
    }

    /// Runs the caller's block, then ends the call; a cancellation during the block makes a success `cancelled`.
    private static func end<Value: Sendable>(
        with value: Value,
        succeeded: Bool,
        _ context: CallContext,
        to block: @escaping @Sendable (Value) -> Void,
        on queue: DispatchQueue?
    ) async {
        let wasCancelled = Task.isCancelled
        await deliver(value, to: block, on: queue)
        let isCancelled = succeeded && !wasCancelled && Task.isCancelled
        if isCancelled { context.reportLifecycle(.cancelled) }
        end(succeeded: succeeded && !isCancelled, context)
    }

    /// Reports the output of a call, the event of what was made of its response, if there is one, and the end.
    package static func end(with output: Output, _ event: Event?, _ context: CallContext) {
        reportOutput(output, context)
        if let event { context.reportLifecycle(event) }
        end(succeeded: event == .transformed, context)
    }

    fileprivate static func end(succeeded: Bool, _ context: CallContext) {
        context.reportLifecycle(succeeded ? .succeeded : .failed)
        context.reportLifecycle(.ended)
    }
}

extension Connector {
    @concurrent @usableFromInline
    func call(with input: Input) async -> Output {
        if case .stream = input.delivery { return await WebAPI.opened(input, via: self) }
        let context = WebAPI.begin(input, via: self)
        let output = await WebAPI.output(for: input, via: self, context)
        WebAPI.end(succeeded: output.isResponse, context)
        return output
    }
}

extension Event {
    /// The event of a response that a transform has read, without its file.
    fileprivate var withoutTransfer: Event {
        switch self {
        case .refused(let response): .refused(response.withoutTransfer)
        case .malformed(let response, let info): .malformed(response.withoutTransfer, debugInfo: info)
        case .invalid(let response, let reason): .invalid(response.withoutTransfer, reason: reason)
        default: self
        }
    }
}

extension Either {
    fileprivate var isRight: Bool {
        if case .right = self { true } else { false }
    }
}

extension Output {
    fileprivate var isResponse: Bool {
        if case .hasResponse = self { true } else { false }
    }
}
