import StartSmallCore
import Synchronization

/// A call whose payload is read as it arrives, by a reader that decides how the call ends.
struct OpenCall: Sendable {
    let head: Response
    let body: ResponseBody
    let ending: CallEnding
}

/// The end of an open call, which is reported once.
///
/// A body that breaks off ends the call at once, whether a task is reading or not. After a complete payload, the reader
/// ends the call; without a reader, the call is cancelled.
final class CallEnding: Sendable {
    private let context: CallContext
    private let state = Mutex<(output: Output?, isReported: Bool)>((nil, false))

    init(_ context: CallContext) { self.context = context }

    deinit { end(with: .noResponse(.cancelled)) }

    /// The head with its trailers, or the error that ended the body; nil until the body has ended.
    var output: Output? { state.withLock { $0.output } }

    /// Ends the call if its body has broken off.
    func bodyEnded(with output: Output) {
        state.withLock { $0.output = output }
        if case .noResponse = output { end(with: output) }
    }

    func end(with output: Output, _ event: Event? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        if isFirst { WebAPI.end(with: output, event, succeeded: event == .transformed, context) }
    }
}

extension WebAPI {
    /// Opens the response of a call for a reader, which decides how the call ends.
    ///
    /// - Parameters:
    ///   - input: the request, or the error for which it could not be built.
    ///   - refuse: returns the failure of a response that is not to be read, that response, and the event of the
    ///     failure; nil for a response whose body is to be read.
    static func open<Failure>(
        _ input: Either<ConnectionError, Input>,
        via connector: Connector,
        refusing refuse: (Response) async -> (failure: Failure, response: Response, event: Event)?
    ) async -> Fetched<Failure, OpenCall> {
        let context = begin(input, via: connector)
        var output: Output
        switch input {
        case .left(let error): output = .noResponse(error)
        case .right(let input):
            output = await self.output(for: input.with { $0.delivery = .stream }, via: connector, context)
        }
        if case .hasResponse(let response) = output, let refusal = await refuse(response) {
            await context.values?.end()
            if !Task.isCancelled {
                end(with: .hasResponse(refusal.response), refusal.event, succeeded: false, context)
                return .left(.right(refusal.failure))
            }
            output = .noResponse(.cancelled)
        }
        switch output {
        case .noResponse(let error):
            await context.values?.end()
            end(with: output, nil, succeeded: false, context)
            return .left(.left(error))
        case .hasResponse(let response):
            let ending = CallEnding(context)
            output.whenEnded { ending.bodyEnded(with: $0) }
            let body = response.body ?? ResponseBody(response.payload)
            return .right(OpenCall(head: response.head, body: body, ending: ending))
        }
    }
}
