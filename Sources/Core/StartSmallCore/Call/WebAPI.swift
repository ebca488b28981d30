public import Dispatch
import StartSmallFoundation

/// The functions that call an API: the kit's one side effect, in which each call begins and ends.
///
/// Each function leaves the caller's actor once, so that no transform runs on the main actor. From there to the engine
/// and back, all runs in the task of the call; only a time limit adds a task, and the engine a thread.
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
        await connector.call(with: input, to: nil)
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
            await connector.call(with: input) { output in await deliver(output, to: block, on: queue) }
        }
    }

    @concurrent @discardableResult
    static func fetch<Failure, Value>(
        _ endpoint: Endpoint<Failure, Value>,
        via connector: Connector,
        to block: (@Sendable (Fetched<Failure, Value>) async -> Void)? = nil
    ) async -> Fetched<Failure, Value> {
        let context = begin(endpoint.input, via: connector)
        let fetched = await fetched(endpoint, via: connector, context)
        await end(with: fetched, succeeded: fetched.isRight, context, to: block)
        return fetched
    }

    /// Returns the value or the failure of an endpoint, or ``ConnectionError/cancelled`` if the task is cancelled.
    private static func fetched<Failure, Value>(
        _ endpoint: Endpoint<Failure, Value>,
        via connector: Connector,
        _ context: CallContext
    ) async -> Fetched<Failure, Value> {
        switch endpoint.input {
        case .left(let error):
            reportOutput(.noResponse(error), context)
            return .left(.left(error))
        case .right(var input):
            // A value needs the whole payload.
            if case .stream = input.delivery { input.delivery = .memory }
            let output = await output(for: input, via: connector, context)
            reportOutput(output, context)
            switch output {
            case .noResponse(let error): return .left(.left(error))
            case .hasResponse(let response):
                let (result, event) = endpoint.read(response)
                if let error = await placeFile(of: response, for: input, isAccepted: result.isRight) {
                    reportOutput(.noResponse(error), context)
                    return .left(.left(error))
                }
                context.reportLifecycle(event.withoutTransfer)
                return result.mapLeft(Either.right)
            }
        }
    }

    /// Returns the output of a connector, whose body may be open, or ``ConnectionError/cancelled``.
    @inline(__always)
    package static func output(for input: Input, via connector: Connector, _ context: CallContext) async -> Output {
        if !input.staysInMemory, let error = input.delivery.rejection { return .noResponse(error) }
        let output =
            if input.options.isEmpty, connector.options.isEmpty {
                await connector.handler.output(of: input, context)
            } else {
                await connector.output(of: input, withOptionsIn: context, isCall: true)
            }
        guard Task.isCancelled else { return output }
        output.discard()
        return .noResponse(.cancelled)
    }

    /// Moves the file of an accepted response to its place, if there is one.
    ///
    /// A cancellation is too late once the file is on the way to its place.
    ///
    /// - Returns: the error with which the call ends instead; nil without one.
    @inline(never)
    private static func placeFile(
        of response: Response,
        for input: Input,
        isAccepted: Bool
    ) async -> ConnectionError? {
        if Task.isCancelled { return .cancelled }
        guard isAccepted, case .file(let file) = response.content, case .file(let place) = input.delivery else {
            return nil
        }
        do throws(ConnectionError) { try await file.commit(to: place) } catch { return error }
        return nil
    }

    /// Begins a call, whose end ``end(with:_:succeeded:_:)`` reports.
    package static func begin(_ input: Either<ConnectionError, Input>, via connector: Connector) -> CallContext {
        switch input {
        case .left: begin(with: nil, via: connector, nil)
        case .right(let input): begin(with: input.fileValues, via: connector, input)
        }
    }

    @inline(__always)
    private static func begin(
        with values: CallValues?,
        via connector: Connector,
        _ input: @autoclosure () -> Input?
    ) -> CallContext {
        var context = CallContext(reportingTo: connector.listenerContext)
        if let values = values ?? (connector.hasCallValues ? CallValues() : nil) { context.values = values }
        context.reportLifecycle(.started(input()))
        return context
    }

    /// Makes a call from its beginning to its end; one with an open body ends with that body.
    ///
    /// What has an event, a request or a URL of its own is in other functions: their sizes are known at run time only,
    /// and a place for one is allocated in each call of the function.
    @inline(__always)
    fileprivate static func call(
        with input: Input,
        via connector: Connector,
        to block: (@Sendable (Output) async -> Void)?
    ) async -> Output {
        let context = begin(with: input.fileValues, via: connector, input)
        var output = await output(for: input, via: connector, context)
        if output.body != nil {
            await block?(output)
            return output.whenEnded { endBody(with: $0, context) }
        }
        if output.isOpen { output = await placed(output, for: input) }
        reportOutput(output, context)
        await end(with: output, succeeded: output.isResponse, context, to: block)
        return output
    }

    private static func endBody(with output: Output, _ context: CallContext) {
        end(with: output, nil, succeeded: output.isResponse, context)
    }

    /// Returns the output of a call when its file is in its place.
    @inline(never)
    private static func placed(_ output: Output, for input: Input) async -> Output {
        guard case .hasResponse(let response) = output else { return output }
        let error = await placeFile(of: response, for: input, isAccepted: true)
        return error.map { .noResponse($0) } ?? .hasResponse(response.withoutTransfer)
    }

    /// Ends a call, after the caller's block: a cancellation during the block makes a success `cancelled`.
    @inline(__always)
    private static func end<Value: Sendable>(
        with value: Value,
        succeeded: Bool,
        _ context: CallContext,
        to block: (@Sendable (Value) async -> Void)?
    ) async {
        if let values = context.values { await values.end() }
        guard let block else { return reportEnd(succeeded: succeeded, context) }
        let wasCancelled = Task.isCancelled
        await block(value)
        let isCancelled = succeeded && !wasCancelled && Task.isCancelled
        if isCancelled { context.reportLifecycle(.cancelled) }
        reportEnd(succeeded: succeeded && !isCancelled, context)
    }

    /// Ends a call whose body has ended: reports its output, what was made of its response, if anything, and the end.
    @inline(never)
    package static func end(with output: Output, _ event: Event?, succeeded: Bool, _ context: CallContext) {
        @Sendable func report() {
            reportOutput(output, context)
            if let event { context.reportLifecycle(event) }
            reportEnd(succeeded: succeeded, context)
        }
        guard let values = context.values else { return report() }
        values.end(then: report)
    }

    private static func reportOutput(_ output: Output, _ context: CallContext) {
        // Without this, each call would copy its output for nothing.
        guard context.hasListeners else { return }
        switch output {
        case .hasResponse(let response): context.reportLifecycle(.received(response.withoutTransfer))
        case .noResponse(.rejected(let response, let reason)):
            context.reportLifecycle(.received(response))
            context.reportLifecycle(.invalid(response, reason: reason))
        case .noResponse(.cancelled): context.reportLifecycle(.cancelled)
        case .noResponse(let error): context.reportLifecycle(.noResponse(error))
        }
    }

    private static func reportEnd(succeeded: Bool, _ context: CallContext) {
        context.reportLifecycle(succeeded ? .succeeded : .failed)
        context.reportLifecycle(.ended)
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
}

extension Connector {
    @concurrent @usableFromInline @discardableResult
    func call(with input: Input, to block: (@Sendable (Output) async -> Void)? = nil) async -> Output {
        await WebAPI.call(with: input, via: self, to: block)
    }
}

extension Request {
    /// The values of a call that has files, in its payload or for the payload of the response; nil for any other.
    fileprivate var fileValues: CallValues? {
        if case .file = delivery {
            let values = CallValues()
            // At the beginning: an abandoned attempt finds them, and no file is made after the end of the call.
            _ = values.value(TemporaryFiles.self)
            return values
        }
        switch methodAndPayload.payload?.content {
        case nil, .data?, .stream?: return nil
        case .file?, .assembled?: return CallValues()
        }
    }
}

extension Event {
    /// The event of a response that a transform has read, without its file.
    fileprivate var withoutTransfer: Event {
        switch self {
        case .rejected(let response): .rejected(response.withoutTransfer)
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
