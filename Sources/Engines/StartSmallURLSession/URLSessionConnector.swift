public import StartSmallCore
public import StartSmallEngines

extension Connector {
    /// Creates a connector with the engine of Foundation: a dedicated `URLSession`, which ends with the connector.
    ///
    /// Header fields lose their order. Fields of one name are joined by `, ` in requests and responses, except for
    /// `Set-Cookie`, and their names may change their case, which has no meaning (RFC 9110 5.1 to 5.3). Fields are
    /// added: `Accept`, `Accept-Encoding`, `Accept-Language`, `User-Agent`, `Connection`. A compressed payload is
    /// returned decompressed, with the header as it came.
    ///
    /// On Linux, use this engine only where libcurl can't be: trailers after a payload end the process, cancelling very
    /// many calls at once can stop all sessions, and most errors are ``ConnectionError/other(_:)``. The guide of
    /// engines lists the defects.
    ///
    /// Each call ends with ``ConnectionError/engineUnavailable(debugInfo:)`` if the options ask for something that the
    /// platform's `URLSession` can't do, and whose loss would be a security hole, or with a configuration for background
    /// transfers. The guide of engines has the table.
    ///
    /// - Parameters:
    ///   - configuration: the configuration, which is copied and not changed; its `protocolClasses` are used, so that
    ///     the session can be stubbed.
    ///   - options: the time limits, the proxy, and the features of the session that are enabled.
    public static func urlSession(
        configuration: URLSessionConfiguration = .ephemeral,
        options: ConnectionOptions = ConnectionOptions()
    ) -> Connector {
        let ofSession = ConnectionOptions.refusal(ofSessionNamed: configuration.identifier)
        if let refusal = ofSession ?? options.refusal(over: .current) {
            return Connector { _ in .noResponse(refusal) }.named(sessionName)
        }
        let sessionDelegate = URLSessionSessionDelegate(options: options)
        let owner = OwnedSession(configuration: options.applied(to: configuration), sessionDelegate: sessionDelegate)
        return Connector { input, context in
            await output(for: input, context, options, sessionDelegate) { request, upload in
                owner.session.task(with: request, upload)
            }
        }
        .named(sessionName)
        .decodingPayloads(decodes)
    }

    /// Returns whether the session decodes the payload of a response.
    ///
    /// A request of its own codings may get one that the session does not know, and then returns as it came.
    private static let decodes = { @Sendable (input: Input) -> Bool? in
        input.headers.contains("Accept-Encoding") ? nil : true
    }

    /// The name of the engine in descriptions.
    private static let sessionName = "urlSession"

    /// The largest number of attempts for a request that finds its connection closed.
    ///
    /// The number is a few more than `httpMaximumConnectionsPerHost`.
    private static let attempts = 8

    private static func output(
        for input: Input,
        _ context: CallContext,
        _ options: ConnectionOptions,
        _ sessionDelegate: URLSessionSessionDelegate,
        _ task: (URLRequest, URLSessionUpload?) -> URLSessionTask
    ) async -> Output {
        switch ValidatedRequest.from(input) {
        case .left(let error): return .noResponse(error)
        case .right(let wire):
            do throws(ConnectionError) { try context.checkFiles(of: wire) } catch { return .noResponse(error) }
            if Task.isCancelled { return .noResponse(.cancelled) }
            if let reason = options.unreadableFile { return .noResponse(.engineUnavailable(debugInfo: reason)) }
            let request = URLRequest(wire, options: options)
            let stream = wire.stream ?? wire.source?.stream
            if stream?.length == 0, let failure = await stream?.failureOfNothing() { return .noResponse(failure) }
            var pipe: URLSessionPayloadPipe?
            func upload() -> URLSessionUpload? {
                guard let stream else { return wire.payload.flatMap { $0.isEmpty ? nil : .data($0) } }
                if stream.length == 0 { return nil }
                _ = pipe?.end()
                let next = URLSessionPayloadPipe(stream)
                pipe = next
                return .stream(next, length: stream.length)
            }
            let reason = "the server closed a reused connection before it responded"
            let lost = ConnectionError.Cause(ofSession: NSURLErrorNetworkConnectionLost, reason)
            var output = Output.noResponse(.connectionLost(lost))
            for _ in 0..<attempts {
                let event = await sessionDelegate.finalEvent(of: task(request, upload()), for: input, context)
                if case .output(let last, _) = event {
                    output = last
                    break
                }
                if !wire.isResendable || stream?.isAvailable == false { break }
            }
            return pipe.map { ended(output, $0) } ?? output
        }
    }

    /// Returns the output of a call after its upload has ended; that of an open body ends with the body.
    private static func ended(_ output: Output, _ pipe: URLSessionPayloadPipe) -> Output {
        guard case .noResponse = output else {
            output.onEnd { _ in _ = pipe.end() }
            return output
        }
        let failure = pipe.end()
        return Task.isCancelled ? output : failure.map(Output.noResponse) ?? output
    }
}

/// A session that only its connector uses, and that ends with the connector, as no new task can follow.
private struct OwnedSession: ~Copyable, Sendable {
    let session: URLSession

    init(configuration: URLSessionConfiguration, sessionDelegate: URLSessionSessionDelegate) {
        session = URLSession(configuration: configuration, delegate: sessionDelegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }
}
