#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Connector {
    /// Creates a connector with the engine of Foundation: a dedicated `URLSession`, which ends with the connector.
    ///
    /// Header fields lose their order. Fields of one name are joined by `, ` in requests and responses, except for
    /// `Set-Cookie`, and their names may change their case, which has no meaning (RFC 9110 5.1 to 5.3). Fields are
    /// added: `Accept`, `Accept-Encoding`, `Accept-Language`, `User-Agent`, `Connection`. A compressed payload is
    /// returned decompressed, with the header as it came.
    ///
    /// A payload with a file is never in memory as a whole. On Linux, it is read while it is sent; elsewhere, it is
    /// first copied into ``ConnectionOptions/uploadFolder``, and sent from there.
    ///
    /// On Linux, this engine is only a fallback: trailers after a payload end the process, cancelling very many calls
    /// at once can stop all sessions, and the contract suite has a list of further known defects.
    ///
    /// If the options ask for something that the platform's `URLSession` can't do, and whose loss would be a security
    /// hole, each call ends with ``ConnectionError/engineUnavailable(debugInfo:)``, which names the option. On Linux,
    /// that is every proxy, certificate, pin and `minimumTLS: .tls1_3`. The guide of engines has the table.
    ///
    /// With a configuration for background transfers, each call ends with
    /// ``ConnectionError/engineUnavailable(debugInfo:)``: such a session raises an exception for a payload in memory,
    /// and continues without the process.
    ///
    /// - Parameters:
    ///   - configuration: the configuration, which is copied and not changed; its `protocolClasses` are used, so that
    ///     the session can be stubbed.
    ///   - options: the time limits, the proxy, and the features of the session that are enabled.
    public static func urlSession(
        configuration: URLSessionConfiguration = .ephemeral,
        options: ConnectionOptions = ConnectionOptions()
    ) -> Connector {
        if let refusal = ConnectionOptions.refusal(of: configuration) ?? options.refusal(over: .own) {
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

    /// Creates a connector with the engine of Foundation, over an existing session.
    ///
    /// The session must not be invalidated while it is in use.
    ///
    /// On Linux, a task of an existing session can't have a delegate that is asked about redirects. Therefore, the
    /// session's configuration is used for a new session there; its delegate, queue and connections are not used.
    ///
    /// Pins, certificates, a proxy and a newer TLS than the session's are refused on Apple platforms: the session may
    /// have opened its connections for other requests. Use the session's configuration instead.
    ///
    /// Responses are not stored in the session's cache unless the options ask for it. A session for background
    /// transfers is refused: each call ends with ``ConnectionError/engineUnavailable(debugInfo:)``.
    ///
    /// - Parameters:
    ///   - session: the session, or on Linux the source of the configuration to use.
    ///   - options: the time limits, and the features of the session that are enabled.
    public static func urlSession(
        _ session: URLSession,
        options: ConnectionOptions = ConnectionOptions()
    ) -> Connector {
        #if os(Linux) && !APPLE_BRANCH
            return urlSession(configuration: session.configuration, options: options)
        #else
            let kind = URLSessionKind.existing(session.configuration)
            if let refusal = ConnectionOptions.refusal(of: session.configuration) ?? options.refusal(over: kind) {
                return Connector { _ in .noResponse(refusal) }.named(sessionName)
            }
            let sessionDelegate = URLSessionSessionDelegate(options: options)
            return Connector { input, context in
                await output(for: input, context, options, sessionDelegate) { request, upload in
                    var request = request
                    if !options.usesCache { request.cachePolicy = .reloadIgnoringLocalCacheData }
                    let task = session.task(with: request, upload)
                    task.delegate = sessionDelegate
                    return task
                }
            }
            .named(sessionName)
            .decodingPayloads(decodes)
        #endif
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
            let request = URLRequest(
                wire,
                options: options,
                isLimitedUntilHead: context.isLimitedUntilHead,
                remainingTime: context.remainingTime
            )
            func send(_ upload: () -> URLSessionUpload?) async -> Output {
                for _ in 0..<attempts {
                    let event = await sessionDelegate.finalEvent(of: task(request, upload()), for: input, context)
                    if case .output(let output, _) = event { return output }
                    if !wire.isResendable || wire.stream?.isAvailable == false { break }
                }
                return .noResponse(.connectionLost(.closedBeforeResponse))
            }
            if let stream = wire.stream { return await upload(stream, send) }
            guard let source = wire.source else {
                return await send { wire.payload.flatMap { $0.isEmpty ? nil : .data($0) } }
            }
            return await upload(source, options, send)
        }
    }

    /// Sends a payload while it is produced, from its beginning for each attempt.
    private static func upload(
        _ stream: PayloadStream,
        _ send: (() -> URLSessionUpload?) async -> Output
    ) async -> Output {
        if stream.length == 0 {
            if let failure = await stream.failureOfNothing() { return .noResponse(failure) }
            return await send { nil }
        }
        var pipe: URLSessionProductionPipe?
        let output = await send {
            _ = pipe?.end()
            let next = URLSessionProductionPipe(stream)
            pipe = next
            return .production(next, length: stream.length)
        }
        return pipe.map { ended(output, with: $0.end) } ?? output
    }

    /// Returns the output of a call after its upload has ended; that of an open body ends with the body.
    ///
    /// - Parameters:
    ///   - output: the output of the call.
    ///   - end: ends the upload, and returns the reason why the payload could not be read, if it could not.
    private static func ended(_ output: Output, with end: @escaping @Sendable () -> ConnectionError?) -> Output {
        guard case .noResponse = output else {
            output.onEnd { _ in _ = end() }
            return output
        }
        let failure = end()
        return Task.isCancelled ? output : failure.map(Output.noResponse) ?? output
    }

    #if os(Linux) && !APPLE_BRANCH
        /// Sends a payload while it is read, from its beginning for each attempt.
        private static func upload(
            _ source: PayloadSource,
            _ options: ConnectionOptions,
            _ send: (() -> URLSessionUpload?) async -> Output
        ) async -> Output {
            var pipe = URLSessionPayloadPipe(source)
            if source.count == 0, let failure = pipe.failureOfNothing() { return .noResponse(failure) }
            let output = await send {
                _ = pipe.end()
                pipe = URLSessionPayloadPipe(source)
                return source.count == 0 ? nil : .stream(pipe, count: source.count)
            }
            return ended(output, with: pipe.end)
        }
    #else
        /// Sends a payload from a copy.
        private static func upload(
            _ source: PayloadSource,
            _ options: ConnectionOptions,
            _ send: (() -> URLSessionUpload?) async -> Output
        ) async -> Output {
            await URLSessionUploadFile.with(source, in: options.uploadFolder) { file in
                await send { source.count == 0 ? nil : .file(file) }
            }
        }
    #endif
}

/// A session that only its connector uses, and that ends with the connector, as no new task can follow.
private struct OwnedSession: ~Copyable, Sendable {
    let session: URLSession

    init(configuration: URLSessionConfiguration, sessionDelegate: URLSessionSessionDelegate) {
        session = URLSession(configuration: configuration, delegate: sessionDelegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }
}

extension URLSession {
    /// Creates a task that does not yet run.
    ///
    /// A payload is sent by an upload task: if it were in the request itself, Foundation on Linux would add a
    /// `Content-Type`.
    fileprivate func task(with request: URLRequest, _ upload: URLSessionUpload?) -> URLSessionTask {
        switch upload {
        case nil: dataTask(with: request)
        #if os(Linux) && !APPLE_BRANCH
            case .data(let data): uploadTask(with: request, from: data)
            case .stream(let pipe, let count): dataTask(with: request.carrying(pipe, count: count))
            case .production(let pipe, let length): dataTask(with: request.carrying(pipe, length: length))
        #else
            case .data(let data): uploadTask(with: request.withMediaType, from: data)
            case .file(let file): uploadTask(with: request.withMediaType, fromFile: file)
            case .production(let pipe, let length):
                URLSessionBoundStream(pipe: pipe).task(for: request.withMediaType, length: length) { request in
                    dataTask(with: request)
                }
        #endif
        }
    }
}

/// The payload that a task sends.
private enum URLSessionUpload {
    case data(Data)
    case production(URLSessionProductionPipe, length: Int?)
    #if os(Linux) && !APPLE_BRANCH
        case stream(URLSessionPayloadPipe, count: Int)
    #else
        case file(URL)
    #endif
}

extension ConnectionError.Cause {
    fileprivate static let closedBeforeResponse = ConnectionError.Cause(
        domain: NSURLErrorDomain,
        code: NSURLErrorNetworkConnectionLost,
        text: "the server closed a reused connection before it responded"
    )
}
