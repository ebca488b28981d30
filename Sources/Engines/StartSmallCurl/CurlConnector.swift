#if CURL_ENGINE
    public import StartSmallCore
    public import StartSmallEngines
    import CCurl
    import StartSmallFoundation
    import Synchronization

    extension Connector {
        /// Creates a connector with the engine for Linux: libcurl, on its own thread.
        ///
        /// The thread begins with the first call, and ends with the connector, after the running calls. One thread uses
        /// at most one processor; ``Connector/spread(over:)`` says how to use more.
        ///
        /// A call that begins while none runs may begin on its caller's thread, which then sends the request and waits
        /// for nothing.
        ///
        /// Requests and responses are not changed: paths and header fields arrive as given, no redirect is followed, no
        /// cookie is kept. Header fields are added only if they are missing: `Host`, `Content-Length`,
        /// `Accept-Encoding`, `User-Agent`. A compressed payload is returned decompressed, with the header as it came.
        ///
        /// A request whose connection was closed before any response is sent again only if that is safe (RFC 9110
        /// 9.2.2).
        ///
        /// - Errors: ``ConnectionError/engineUnavailable(debugInfo:)`` if libcurl 7.81 or later can't be loaded, with
        ///   the name of the package to install; or if an option is unknown to libcurl, HTTP/3 is asked for and not
        ///   built in, a value or a file of the options is invalid, the process is a child (by `fork`) of the process
        ///   that made the connector, or the process runs its exit handlers.
        public static func curl(options: ConnectionOptions = ConnectionOptions()) -> Connector {
            let decodes = options.decompression == .automatic
            return connector(options, curlUnavailable: curlUnavailable).named("curl").decodingPayloads { input in
                decodes && !input.headers.asksOnlyForCodings(beyond: ConnectionOptions.knownCodings)
            }
        }

        /// Creates a connector with an engine, or one whose calls all fail.
        static func connector(_ options: ConnectionOptions, curlUnavailable reason: String?) -> Connector {
            if let reason { return unavailable("\(reason); install libcurl 7.81 or later (Debian: libcurl4)") }
            if let reason = options.rejectionReason { return unavailable(reason) }
            let lackedVersion = options.lacksHTTP3(features: ccurl_features(), version: ccurl_version())
            if let lackedVersion { return unavailable(lackedVersion) }
            let bypass = options.bypassRejection(environmentNamesProxy: ConnectionOptions.environmentNamesProxy)
            if let bypass { return unavailable(bypass) }
            if let connector = made(options) { return connector }
            let late = LazyConnector()
            return Connector { input, context in
                guard let connector = late.connector(made(options)) else {
                    return .noResponse(.engineUnavailable(debugInfo: "the system has no file descriptors left"))
                }
                return await connector.forward(input, context)
            }
        }

        /// Creates a connector with an engine, or returns nil if the system has no descriptors left.
        private static func made(_ options: ConnectionOptions) -> Connector? {
            guard let engine = CurlEngine(options) else { return nil }
            let lastID = Atomic<UInt64>(0)
            let forks = ccurl_forks()
            let owner = EngineLifetime {
                // After a fork, a lock may be held forever by a thread that does not exist in this process.
                if forks == ccurl_forks() { engine.send(.stop) }
            }
            let (version, certificatePaths) = (options.httpVersion, options.certificatePaths)
            return Connector { input, context in
                if forks != ccurl_forks() { return unavailable(afterFork: owner) }
                if ccurl_is_exiting() { return .noResponse(.engineUnavailable(debugInfo: CurlEngine.exiting)) }
                do throws(ConnectionError) {
                    let request = try ValidatedRequest(input)
                    try context.checkFiles(of: request)
                    if !certificatePaths.allSatisfy({ access($0, R_OK) == 0 }), let reason = options.unreadableFile {
                        return .noResponse(.engineUnavailable(debugInfo: reason))
                    }
                    if Task.isCancelled { return .noResponse(.cancelled) }
                    let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
                    let production = try await production(of: request) { engine.send(.produced(id)) }
                    let parameters = CallParameters(
                        id: id,
                        request: request,
                        production: production,
                        version: version,
                        payloadLimit: input.payloadLimit,
                        isLimitedUntilHead: context.isLimitedUntilHead,
                        followsRedirects: context.followsRedirects,
                        remainingTime: context.remainingTime
                    )
                    let takesParts = !input.staysInMemory
                    var opened: CurlChannel?
                    if !takesParts, !context.hasListeners {
                        let outcome = await withTaskCancellationHandler {
                            await withUnsafeContinuation { begin(CurlCall(parameters, reply: .once($0)), engine) }
                        } onCancel: {
                            engine.send(.cancel(id))
                        }
                        guard case .opened(let channel) = outcome else {
                            production?.end()
                            return outcome.output(payloadLimit: input.payloadLimit)
                        }
                        opened = channel
                        opened?.more = { engine.send(.more(id)) }
                    }
                    let output = await withTaskCancellationHandler { [opened] in
                        if let opened { return await opened.output(for: input, context) { engine.send(.cancel(id)) } }
                        let channel = CurlChannel(takesParts: takesParts, hasListeners: context.hasListeners) {
                            engine.send(.more(id))
                        }
                        begin(CurlCall(parameters, reply: .parts(channel)), engine)
                        return await channel.output(for: input, context) { engine.send(.cancel(id)) }
                    } onCancel: {
                        engine.send(.cancel(id))
                    }
                    // The server may send a response while the request is still being sent.
                    if let production { output.onEnd { _ in production.end() } }
                    return output
                } catch {
                    return .noResponse(error)
                }
            }
        }

        /// Returns the production of the stream of a request, whose end the caller must bring about; nil without one.
        ///
        /// - Throws: the error of a stream that should be empty: libcurl never asks for the bytes of an empty payload.
        private static func production(
            of request: ValidatedRequest,
            wake: @escaping @Sendable () -> Void
        ) async throws(ConnectionError) -> PayloadProduction? {
            guard let stream = request.stream else { return nil }
            if stream.length == 0, let failure = await stream.failureOfNothing() { throw failure }
            return PayloadProduction(stream) { _ in wake() }
        }

        private static func begin(_ call: CurlCall, _ engine: CurlEngine) {
            engine.start(call)
            // The cancellation handler may have run before there was a call to cancel.
            if Task.isCancelled { engine.send(.cancel(call.id)) }
        }

        /// The reason why libcurl can't be used, or nil if it can.
        static var curlUnavailable: String? {
            ccurl_unavailable().map { String(cString: $0) }
        }

        private static func unavailable(_ reason: String) -> Connector {
            Connector { _ in .noResponse(.engineUnavailable(debugInfo: reason)) }
        }

        private static func unavailable(afterFork _: borrowing EngineLifetime) -> Output {
            .noResponse(
                .engineUnavailable(
                    debugInfo: "a connector does not work in a forked process: create a new one after the fork"
                )
            )
        }
    }

    /// A connector that could not be made at first.
    ///
    /// A process may be out of descriptors for a while, and `.standard` is made only once.
    private struct LazyConnector: ~Copyable, Sendable {
        private let known = Mutex<Connector?>(nil)

        /// Returns the existing connector, or else a new one, if it can be made.
        func connector(_ make: @autoclosure () -> Connector?) -> Connector? {
            known.withLock { known in
                if known == nil { known = make() }
                return known
            }
        }
    }

    /// The lifetime of an engine: ends the thread when the connector, the only owner, is gone.
    private struct EngineLifetime: ~Copyable, Sendable {
        private let stop: @Sendable () -> Void

        init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

        deinit { stop() }
    }
#endif
