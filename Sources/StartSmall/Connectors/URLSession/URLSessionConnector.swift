#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Connector {
    /// The engine of Foundation: a `URLSession` of its own, which ends with the connector.
    ///
    /// Header fields lose their order, those of one name are joined by `, ` on the way out and in, `Set-Cookie`
    /// excepted, and their names may change their case, which means nothing (RFC 9110 5.1 to 5.3). Fields are added:
    /// `Accept`, `Accept-Encoding`, `Accept-Language`, `User-Agent`, `Connection`. A payload that came compressed is
    /// given decompressed, with the header as it came.
    ///
    /// A payload with a file in it is never in memory as a whole: on Linux it is read while it is sent, elsewhere it is
    /// copied into ``ConnectionOptions/uploadFolder`` first, and sent from there.
    ///
    /// On Linux this is a fall-back: there, trailers after a payload end the process, cancelling very many calls at
    /// once can stop all sessions, and more that the contract suite's list of known defects tells.
    ///
    /// Where the options ask for what the platform's `URLSession` can't do, and whose loss would be a security hole,
    /// each call ends with ``ConnectionError/engineUnavailable(debugInfo:)``, which names the option: on Linux, that is
    /// every proxy, certificate, pin and `minimumTLS: .tls1_3`. The guide of engines has the table.
    ///
    /// With a configuration for background transfers, each call ends with
    /// ``ConnectionError/engineUnavailable(debugInfo:)``: such a session raises an exception for a payload in memory,
    /// and goes on without the process.
    ///
    /// - Parameters:
    ///   - configuration: is copied, and not changed; its `protocolClasses` work, so that it can be stubbed.
    ///   - options: time limits, proxy, certificates, and what the session does on its own.
    public static func urlSession(
        configuration: URLSessionConfiguration = .ephemeral,
        options: ConnectionOptions = ConnectionOptions()
    ) -> Connector {
        if let refusal = ConnectionOptions.refusal(of: configuration) ?? options.refusal(over: .own) {
            return Connector { _ in .noResponse(refusal) }
        }
        let relay = URLSessionSessionDelegate(options: options)
        let owner = OwnedSession(configuration: options.applied(to: configuration), relay: relay)
        return Connector { input, report in
            await answer(to: input, report, options, relay) { request, upload in
                owner.session.task(with: request, upload)
            }
        }
    }

    /// The engine of Foundation, over a session that someone else owns, and must not invalidate while it is in use.
    ///
    /// On Linux a task of someone else's session can't have a delegate that is asked about redirects: there the
    /// session's configuration is used for a session of its own, and its delegate, queue and connections are not.
    ///
    /// Pins, certificates, a proxy and a newer TLS than the session's are refused on Apple platforms: the session may
    /// have opened its connections for others. Give its configuration instead.
    ///
    /// Responses are not stored in the session's cache unless the options ask for it. A session for background
    /// transfers is refused: each call ends with ``ConnectionError/engineUnavailable(debugInfo:)``.
    ///
    /// - Parameters:
    ///   - session: the session, or on Linux the owner of the configuration to use.
    ///   - options: time limits, and what the session does on its own.
    public static func urlSession(
        _ session: URLSession,
        options: ConnectionOptions = ConnectionOptions()
    ) -> Connector {
        #if os(Linux) && !APPLE_BRANCH
            return urlSession(configuration: session.configuration, options: options)
        #else
            let kind = URLSessionKind.given(session.configuration)
            if let refusal = ConnectionOptions.refusal(of: session.configuration) ?? options.refusal(over: kind) {
                return Connector { _ in .noResponse(refusal) }
            }
            let relay = URLSessionSessionDelegate(options: options)
            return Connector { input, report in
                await answer(to: input, report, options, relay) { request, upload in
                    var request = request
                    if !options.usesCache { request.cachePolicy = .reloadIgnoringLocalCacheData }
                    let task = session.task(with: request, upload)
                    task.delegate = relay
                    return task
                }
            }
        #endif
    }

    /// How often a request is sent that finds its connection closed: `httpMaximumConnectionsPerHost` and some.
    private static let attempts = 8

    private static func answer(
        to input: Input,
        _ report: EventReporter,
        _ options: ConnectionOptions,
        _ relay: URLSessionSessionDelegate,
        _ task: (URLRequest, URLSessionUpload?) -> URLSessionTask
    ) async -> Output {
        switch ValidatedRequest.from(input) {
        case .left(let error): return .noResponse(error)
        case .right(let wire):
            if Task.isCancelled { return .noResponse(.cancelled) }
            if let reason = options.unreadableFile { return .noResponse(.engineUnavailable(debugInfo: reason)) }
            let request = URLRequest(wire, options: options, isLimitedUntilHead: report.isLimitedUntilHead)
            func send(_ upload: () -> URLSessionUpload?) async -> Output {
                for _ in 0..<attempts {
                    let answer = await relay.answer(of: task(request, upload()), to: input, report)
                    if case .output(let output, _) = answer { return output }
                    if !wire.mayBeSentAnew { break }
                }
                return .noResponse(.connectionLost(.closedBeforeAnswer))
            }
            guard let source = wire.source else {
                return await send { wire.body.flatMap { $0.isEmpty ? nil : .data($0) } }
            }
            return await upload(source, options, send)
        }
    }

    #if os(Linux) && !APPLE_BRANCH
        /// Sends a payload while it is read: for each attempt from its beginning.
        private static func upload(
            _ source: PayloadSource,
            _ options: ConnectionOptions,
            _ send: (() -> URLSessionUpload?) async -> Output
        ) async -> Output {
            var feed = URLSessionPayloadPipe(source)
            if source.count == 0, let failure = feed.failureOfNothing() { return .noResponse(failure) }
            let output = await send {
                _ = feed.end()
                feed = URLSessionPayloadPipe(source)
                return source.count == 0 ? nil : .stream(feed, count: source.count)
            }
            let failure = feed.end()
            if case .noResponse(let error) = output, error != .cancelled, let failure { return .noResponse(failure) }
            return output
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

/// A session that is of no use to anyone else: no new task can come when the connector is gone, so it ends.
private struct OwnedSession: ~Copyable, Sendable {
    let session: URLSession

    init(configuration: URLSessionConfiguration, relay: URLSessionSessionDelegate) {
        session = URLSession(configuration: configuration, delegate: relay, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }
}

extension URLSession {
    /// A task that is not yet running.
    ///
    /// A payload goes into an upload task: in the request itself, Foundation on Linux adds a `Content-Type` to it.
    fileprivate func task(with request: URLRequest, _ upload: URLSessionUpload?) -> URLSessionTask {
        switch upload {
        case nil: dataTask(with: request)
        #if os(Linux) && !APPLE_BRANCH
            case .data(let data): uploadTask(with: request, from: data)
            case .stream(let feed, let count): dataTask(with: request.carrying(feed, count: count))
        #else
            case .data(let data): uploadTask(with: request.withMediaType, from: data)
            case .file(let file): uploadTask(with: request.withMediaType, fromFile: file)
        #endif
        }
    }
}

/// What a task sends, if it is anything at all.
private enum URLSessionUpload {
    case data(Data)
    #if os(Linux) && !APPLE_BRANCH
        case stream(URLSessionPayloadPipe, count: Int)
    #else
        case file(URL)
    #endif
}

extension ConnectionError.Cause {
    fileprivate static let closedBeforeAnswer = ConnectionError.Cause(
        domain: NSURLErrorDomain,
        code: NSURLErrorNetworkConnectionLost,
        text: "the server closed a connection that was used again, before it answered"
    )
}
