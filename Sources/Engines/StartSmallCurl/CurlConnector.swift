#if CURL_ENGINE
    public import StartSmallCore
    public import StartSmallEngines
    import StartSmallSupport
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
            // A process may be out of descriptors for a while, and `.standard` is made only once.
            let late = Locked<Connector?>(nil)
            return Connector { input, context in
                let connector = late.withLock { known in
                    known = known ?? made(options)
                    return known
                }
                if let connector { return await connector.forward(input, context) }
                return .noResponse(.engineUnavailable(debugInfo: "the system has no file descriptors left"))
            }
        }

        /// Creates a connector with an engine, or returns nil if the system has no descriptors left.
        private static func made(_ options: ConnectionOptions) -> Connector? {
            guard let engine = OwnedEngine(options) else { return nil }
            return Connector { input, context in await engine.output(of: input, context) }
        }

        /// The reason why libcurl can't be used, or nil if it can.
        static var curlUnavailable: String? {
            ccurl_unavailable().map { String(cString: $0) }
        }

        private static func unavailable(_ reason: String) -> Connector {
            Connector { _ in .noResponse(.engineUnavailable(debugInfo: reason)) }
        }
    }

    /// An engine that ends its thread when the connector, the only owner, is gone.
    private final class OwnedEngine: Sendable {
        private let engine: CurlEngine
        private let options: ConnectionOptions
        private let certificatePaths: [String]
        private let lastID = Atomic<UInt64>(0)
        private let forks = ccurl_forks()

        init?(_ options: ConnectionOptions) {
            guard let engine = CurlEngine(options) else { return nil }
            (self.engine, self.options, certificatePaths) = (engine, options, options.certificatePaths)
        }

        // After a fork, a lock may be held forever by a thread that does not exist in this process.
        deinit { if forks == ccurl_forks() { engine.send(.stop) } }

        /// Returns the output of a call.
        func output(of input: Input, _ context: CallContext) async -> Output {
            do throws(ConnectionError) {
                if let reason = unavailability { throw .engineUnavailable(debugInfo: reason) }
                let request = try ValidatedRequest(input)
                try context.checkFiles(of: request)
                if let reason = unreadableFile { throw .engineUnavailable(debugInfo: reason) }
                if Task.isCancelled { throw .cancelled }
                let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
                let production = try await production(of: request, id)
                let outcome = await outcome(id, input, context) { reply in
                    CurlCall(
                        id: id,
                        request: request,
                        production: production,
                        version: self.options.httpVersion,
                        payloadLimit: input.payloadLimit,
                        isLimitedUntilHead: context.isLimitedUntilHead,
                        followsRedirects: context.followsRedirects,
                        remainingTime: context.remainingTime,
                        reply: reply
                    )
                }
                guard case .opened(let channel) = outcome else {
                    production?.end()
                    return outcome.output(at: input.calledURL, payloadLimit: input.payloadLimit)
                }
                let output = await output(of: channel, id, input, context)
                // The server may send a response while the request is still being sent.
                if let production { output.onEnd { _ in production.end() } }
                return output
            } catch {
                return .noResponse(error)
            }
        }

        /// The reason why no call can be made in this process any more; nil if calls can be made.
        private var unavailability: String? {
            if forks != ccurl_forks() {
                return "a connector does not work in a forked process: create a new one after the fork"
            }
            return ccurl_is_exiting() ? CurlEngine.exiting : nil
        }

        /// The reason why a file of the options can't be read, as it may have changed; nil if all can be read.
        private var unreadableFile: String? {
            certificatePaths.allSatisfy { access($0, R_OK) == 0 } ? nil : options.unreadableFile
        }

        /// Returns the production of the stream of a request, whose end the caller must bring about; nil without one.
        ///
        /// - Throws: the error of a stream that should be empty: libcurl never asks for the bytes of an empty payload.
        private func production(
            of request: ValidatedRequest,
            _ id: UInt64
        ) async throws(ConnectionError) -> PayloadProduction? {
            guard let stream = request.stream else { return nil }
            if stream.length == 0, let failure = await stream.failureOfNothing() { throw failure }
            return PayloadProduction(stream) { [engine] in engine.send(.produced(id)) }
        }

        /// Begins a call, and waits for its outcome.
        ///
        /// With a listener, and with a payload for a file or a stream, it returns the channel of its response at once.
        private func outcome(
            _ id: UInt64,
            _ input: Input,
            _ context: CallContext,
            _ makeCall: @Sendable (CurlReply) -> CurlCall
        ) async -> CurlOutcome {
            if !input.staysInMemory || context.hasListeners {
                let channel = CurlChannel(takesParts: !input.staysInMemory, hasListeners: context.hasListeners)
                engine.start(makeCall(.parts(channel)))
                return .opened(channel)
            }
            return await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    engine.start(makeCall(.once(continuation)))
                    // The cancellation handler may have run before there was a call to cancel.
                    if Task.isCancelled { engine.send(.cancel(id)) }
                }
            } onCancel: {
                engine.send(.cancel(id))
            }
        }

        /// Returns the output of a call whose response arrives through a channel.
        private func output(
            of channel: CurlChannel,
            _ id: UInt64,
            _ input: Input,
            _ context: CallContext
        ) async -> Output {
            var channel = channel
            channel.more = { [engine] in engine.send(.more(id)) }
            return await withTaskCancellationHandler { [channel, engine] in
                await channel.output(for: input, context) { engine.send(.cancel(id)) }
            } onCancel: {
                engine.send(.cancel(id))
            }
        }
    }
#endif
