#if CURL_ENGINE
    import StartSmallCore
    import StartSmallSupport
    import StartSmallFoundation

    /// The reply channel of a call: the engine's thread replies once, or in parts.
    enum CurlReply: Sendable {
        /// One reply, with the outcome of the call, or with the channel of a payload outside of 2xx.
        ///
        /// The continuation is unsafe, as the check would allocate memory for each call: the engine replies to each
        /// call exactly once, since a call is removed from its queue or from the running calls when it is replied to.
        case once(UnsafeContinuation<CurlOutcome, Never>)

        /// Several replies: the parts of the response, the events for listeners, and the outcome.
        case parts(CurlChannel)

        var takesParts: Bool { if case .parts(let channel) = self { channel.takesParts } else { false } }
        var hasListeners: Bool { if case .parts(let channel) = self { channel.hasListeners } else { false } }

        /// Reports that the call is over, with the last events for listeners; nothing may be sent after this.
        func end(_ outcome: CurlOutcome, _ events: [Event] = []) {
            switch self {
            case .once(let continuation): continuation.resume(returning: outcome)
            case .parts(let channel): channel.send(.end(outcome, events))
            }
        }
    }

    /// The outcome of a transfer, as the thread of the engine passes it on.
    ///
    /// The outcome is raw, so that the caller parses it and no other transfer is held up.
    enum CurlOutcome: Sendable {
        /// libcurl is done, with this result.
        case ended(TransferResult)

        /// The rest comes through this channel: all of a reply in parts, at once; or, for one reply, the response of an
        /// error whose head has arrived, and whose payload has limits of its own.
        case opened(CurlChannel)

        case cancelled

        /// The engine can't make the call at all.
        case refused(String)

        /// Removes and returns the last chunk of a payload in parts; nil if there is none.
        mutating func takeRest() -> Data? {
            guard case .ended(var transferResult) = self, let rest = transferResult.takeRest() else { return nil }
            self = .ended(transferResult)
            return rest
        }

        /// Returns the output of a call to a URL.
        func output(at url: URL?, payloadLimit: Int?) -> Output {
            switch self {
            case .ended(let transferResult): transferResult.output(at: url, payloadLimit: payloadLimit)
            case .cancelled, .opened: .noResponse(.cancelled)
            case .refused(let reason): .noResponse(.engineUnavailable(debugInfo: reason))
            }
        }
    }

    /// The events from the engine's thread for the task of one call; at most one chunk waits to be taken.
    ///
    /// A newer progress replaces an older one that was not taken.
    ///
    /// The thread never waits: it asks whether there is room, and keeps a chunk to itself if there is none. The task
    /// that takes the chunk in the way then asks for more.
    struct CurlChannel: Sendable {
        enum ChannelEvent: Sendable {
            case head(TransferResult)
            case chunk(Data)
            case progress(TransferProgress)
            case end(CurlOutcome, [Event])
        }

        /// The events that were not taken yet, at most one of each kind.
        private struct State {
            var head: TransferResult?
            var chunk: Data?
            var progress: TransferProgress?
            var end: (outcome: CurlOutcome, events: [Event])?
            var receiver: CheckedContinuation<ChannelEvent, Never>?

            /// Whether the engine's thread keeps a chunk, since there was no room for it.
            var isWithheld = false

            mutating func keep(_ channelEvent: ChannelEvent) {
                switch channelEvent {
                case .head(let head): self.head = head
                case .chunk(let chunk): self.chunk = chunk
                case .progress(let progress): self.progress = progress
                case .end(let outcome, let events): end = (outcome, events)
                }
            }

            mutating func takeNext() -> ChannelEvent? {
                if let head = head.take() { return .head(head) }
                if let progress = progress.take() { return .progress(progress) }
                if let chunk = chunk.take() { return .chunk(chunk) }
                return end.take().map { .end($0.outcome, $0.events) }
            }
        }

        let takesParts: Bool
        let hasListeners: Bool

        /// Asks the engine's thread for the chunk that was withheld.
        var more: @Sendable () -> Void = {}
        private let state = Locked(State())

        /// Changes the state, and runs the returned work outside of the lock: no continuation is resumed under it.
        private func change(_ body: (inout sending State) -> sending @Sendable () -> Void) {
            state.withLock(body)()
        }

        /// Whether there is room for a chunk; if not, the task will ask for it when there is.
        func hasRoom() -> Bool {
            state.withLock { state in
                state.isWithheld = state.chunk != nil
                return !state.isWithheld
            }
        }

        /// Sends an event to the task; progress that was not taken yet is replaced.
        func send(_ channelEvent: ChannelEvent) {
            change { state in
                if let receiver = state.receiver {
                    state.receiver = nil
                    return { receiver.resume(returning: channelEvent) }
                }
                state.keep(channelEvent)
                return {}
            }
        }

        /// Returns the next event; the end comes last and is certain, so that there is nothing else to wait for.
        func next() async -> ChannelEvent {
            await withCheckedContinuation { continuation in
                change { state in
                    guard let channelEvent = state.takeNext() else {
                        state.receiver = continuation
                        return {}
                    }
                    let asksForMore = state.isWithheld && state.chunk == nil
                    if asksForMore { state.isWithheld = false }
                    return { [more] in
                        continuation.resume(returning: channelEvent)
                        if asksForMore { more() }
                    }
                }
            }
        }
    }

    extension CurlChannel {
        /// Returns the output of a call: at the head of a response in parts, with an open body, or else at the end.
        ///
        /// Listeners are called here, in the call's own task, and while the body is read, in the reader's task, so that
        /// none of them can hold up another call.
        func output(
            for input: Input,
            _ context: CallContext,
            stop: @escaping @Sendable () -> Void
        ) async -> Output {
            let (url, payloadLimit) = (input.calledURL, input.payloadLimit)
            while true {
                switch await next() {
                case .head(let transferResult):
                    guard !Task.isCancelled, var head = transferResult.response else { continue }
                    // The whole of a short response, with its trailers, may have arrived at once.
                    (head.url, head.trailers) = (url, [:])
                    head.content = .body(body(of: url, payloadLimit: payloadLimit, context, stop))
                    return .hasResponse(head)
                // A part of a cancelled call.
                case .chunk: continue
                case .progress(let progress): context.report(.progress(progress))
                case .end(let outcome, let events):
                    for event in events { context.report(event.called(at: url)) }
                    return Task.isCancelled
                        ? .noResponse(.cancelled) : outcome.output(at: url, payloadLimit: payloadLimit)
                }
            }
        }

        private func body(
            of url: URL,
            payloadLimit: Int?,
            _ context: CallContext,
            _ stop: @escaping @Sendable () -> Void
        ) -> ResponseBody {
            // Known before the last chunk is taken.
            let output = Locked<Output?>(nil)
            return ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    while true {
                        switch output.withLock({ $0 }) {
                        case .hasResponse?: return nil
                        case .noResponse(let error)?: throw error
                        case nil: break
                        }
                        switch await next() {
                        case .head: continue
                        case .chunk(let data): return data
                        case .progress(let progress): context.report(.progress(progress))
                        case .end(var outcome, let events):
                            let rest = outcome.takeRest()
                            for event in events { context.report(event) }
                            let final = outcome.output(at: url, payloadLimit: payloadLimit)
                            output.withLock { $0 = final }
                            if let rest { return rest }
                        }
                    }
                },
                trailers: { output.withLock { $0?.response?.trailers ?? [:] } },
                abort: stop
            )
        }
    }

    extension Event {
        /// Returns the event with the URL of its response, which the thread of the engine does not know.
        fileprivate func called(at url: URL) -> Event {
            guard case .receivedHead(var head) = self else { return self }
            head.url = url
            return .receivedHead(head)
        }
    }
#endif
