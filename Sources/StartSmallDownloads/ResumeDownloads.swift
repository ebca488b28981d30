public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation
import Synchronization

extension Wrapper {
    /// Continues an interrupted download to a file, or an interrupted stream, with a request for the rest.
    ///
    /// `Range` requests the rest, and `If-Range` requests the complete payload if the server has another version by now
    /// (RFC 9110 13.1.5 and 14.2). Only a strong entity tag identifies the version, or, without an entity tag, a
    /// `Last-Modified` at least a minute older than the response (RFC 9110 8.8.2.2). The rest must come from the same
    /// URL, begin at the requested position, and have the same validator and the same complete length, which must be
    /// known.
    ///
    /// A file starts over if the server has another version, sends another range, or says that there is no such range
    /// (416); and also if there was no validator, or the payload was compressed. A stream can't take its bytes back:
    /// the body then ends with the error that broke it, or with ``ConnectionError/connectionLost(_:)``.
    ///
    /// - Parameters:
    ///   - backoff: the delays before the requests; it counts the attempts since the last new byte.
    ///   - clock: the clock that measures the delays.
    ///   - random: generates uniformly random bits, for jitter.
    ///   - now: returns the current time, to evaluate dates that servers send.
    /// - Passes through: payloads in memory, methods other than GET, inputs that already have a `Range`, and streams
    ///   without a strong validator.
    /// - Order: outside of `.retry` and `.refreshToken`, so that each request for the rest is retried and has a fresh
    ///   token. In a retry outside, each attempt begins with the first byte. A wrapper inside that changes the bytes of
    ///   a body removes the validator.
    /// - Events: ``Event/custom(name:detail:)`` with the name `resuming` before each delay; in
    ///   ``Event/progress(_:)`` the bytes that arrived before count as received.
    /// - Errors: ``ConnectionError/malformedResponse(_:)`` for a part that was not requested (RFC 9110 15.3.7).
    ///   The last failure, if the backoff ends the attempts.
    public static func resumeDownloads(
        _ backoff: Backoff = .exponential(),
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        let pace = ResumptionPace(
            backoff: backoff,
            time: clock.timeSinceNow(),
            sleep: { try await clock.sleep(for: $0) },
            random: random,
            now: now
        )
        return Wrapper("resumeDownloads") { input, next in
            guard input.methodAndPayload.method == "GET", !input.headers.contains("Range"), !next.context.isDryRun
            else {
                return await next(input)
            }
            switch input.delivery {
            case .memory: return await next(input)
            case .stream:
                let output = await next(input)
                guard case .hasResponse(let response) = output, response.version != nil else { return output }
                return output.mapBody { Download(of: response, $0, input, next, pace).body() }
            case .file(let place):
                let stream = input.with { $0.delivery = .stream }
                let output = await next(stream)
                guard case .hasResponse(let response) = output, response.statusCode == .ok, let body = response.body
                else { return await output.delivered(as: input, next.context) }
                return await Download(of: response, body, stream, next, pace).inFile(beside: place)
            }
        }
    }
}

/// The delays of a wrapper, and its sources of time and randomness.
private struct ResumptionPace: Sendable {
    let backoff: Backoff
    let time: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    let random: @Sendable () -> UInt64
    let now: @Sendable () -> Date
}

/// A download that continues after a break; one task at a time reads it.
private final class Download: Sendable {
    fileprivate struct State: Sendable {
        /// The head of the version that is received.
        var head: Response

        /// The version that is received; nil if the download can only start over.
        var version: ReceivedPart?

        /// The body that is read: the whole, or a rest.
        var body: ResponseBody

        /// The head of the rest that is read; nil for the whole.
        var rest: Response?

        /// The position at which the body has to end; nil if it is not known.
        var end: Int?

        /// The complete length; nil if it is not known.
        var total: Int?

        /// The number of bytes that were received.
        var size = 0

        /// The largest number of bytes so far at a break: attempts count from the last new byte on.
        var furthest = -1
        var attempt = 1

        /// The time of the first of these attempts.
        var start = Duration.zero
        var request: AbandonableCall?
        var isOver = false

        /// The body that the app reads; nil for a file.
        var outer: ResponseBody.Weak?

        init(_ response: Response, _ body: ResponseBody) {
            (head, version, self.body) = (response.head, response.version, body)
            (end, total) = (response.wholeCount, response.wholeCount)
        }

        mutating func restart(_ response: Response, _ body: ResponseBody) {
            var new = State(response, body)
            (new.furthest, new.attempt, new.start) = (furthest, attempt, start)
            (new.request, new.outer) = (request, outer)
            self = new
        }
    }

    /// The reason why a download does not continue.
    private enum Failure: Error {
        case error(ConnectionError)

        /// The response to a request for the rest is no success: it is the response of the call.
        case response(Response)

        init(_ output: Output) {
            switch output {
            case .hasResponse(let response): self = .response(response)
            case .noResponse(let error): self = .error(error)
            }
        }

        /// The error at the end of a body.
        var error: ConnectionError {
            switch self {
            case .error(let error): error
            case .response(let response): .connectionLost(.wrongRange(response))
            }
        }
    }

    private let state: Mutex<State>
    private let input: Input
    private let next: Next
    private let pace: ResumptionPace

    /// Creates a download.
    ///
    /// - Parameters:
    ///   - response: the response, with status 200.
    ///   - input: the request, for a stream.
    init(of response: Response, _ body: ResponseBody, _ input: Input, _ next: Next, _ pace: ResumptionPace) {
        state = Mutex(State(response, body))
        (self.input, self.next, self.pace) = (input, next, pace)
    }

    /// Returns a body that continues after a break, and ends what it reads from.
    func body() -> ResponseBody {
        let body = ResponseBody(
            pulling: { () async throws(ConnectionError) -> Data? in
                do throws(Failure) {
                    guard case .chunk(let data) = try await self.part(isFile: false) else { return nil }
                    return data
                } catch {
                    throw error.error
                }
            },
            trailers: { self.state.withLock { $0.body }.trailers },
            inside: {
                let (body, request) = self.state.withLock { state in
                    state.isOver = true
                    return (state.body, state.request)
                }
                request?.abandon(.cancelled)
                return body
            }
        )
        let inner = state.withLock { state in
            state.outer = body.weak
            return state.body
        }
        endOuter(with: inner)
        return body
    }

    /// Returns the output of the download, with its payload in a file.
    func inFile(beside place: URL) async -> Output {
        var refusal: Response?
        do throws(ConnectionError) {
            let file = try await next.context.temporaryFiles.file(beside: place) { _ async throws(ConnectionError) in
                do throws(Failure) { return try await self.part(isFile: true) } catch {
                    if case .response(let response) = error { refusal = response }
                    throw error.error
                }
            }
            let state = state.withLock { $0 }
            var response = state.head.delivering(file.size)
            (response.content, response.trailers) = (.file(file), state.body.trailers)
            return .hasResponse(response)
        } catch {
            let state = state.withLock { $0 }
            state.body.interrupt(with: error)
            return refusal.map(Output.hasResponse) ?? .noResponse(error.keeping(state.head, delivering: state.size))
        }
    }

    /// Ends the outer body with the inner one, also while nobody reads, unless the download may continue.
    private func endOuter(with inner: ResponseBody) {
        guard let outer = state.withLock({ $0.outer }) else { return }
        inner.onEnd { end in
            switch end {
            case .complete: break
            case .failed(let error): if !error.isTransient { outer.interrupt(with: error) }
            case .discarded: outer.interrupt(with: .cancelled)
            }
        }
    }

    // MARK: reading

    /// Returns the next part, after a break that of another response.
    private func part(isFile: Bool) async throws(Failure) -> TemporaryFiles.Part {
        while true {
            let body = state.withLock { $0.body }
            var failure: ConnectionError
            do throws(ConnectionError) {
                if let chunk = try await body.next() {
                    if count(chunk) { return .chunk(chunk) }
                    failure = .malformedResponse(.wrongRange(state.withLock { $0.rest ?? $0.head }))
                    body.interrupt(with: failure)
                } else if let missing = missing() {
                    failure = missing
                } else {
                    return .end
                }
            } catch {
                failure = error
            }
            // All bytes have arrived, whatever broke after them.
            if failure.isTransient, state.withLock({ $0.size == $0.total }) { return .end }
            if try await resume(after: failure, isFile: isFile) { return .restart }
        }
    }

    /// Counts a chunk; false if the body has more bytes than it may have.
    private func count(_ chunk: Data) -> Bool {
        state.withLock { state in
            if let end = state.end, end - state.size < chunk.count {
                // Bytes of such a response can't be trusted at all.
                state.version = nil
                return false
            }
            state.size += chunk.count
            return true
        }
    }

    /// The error of a body that has ended before the payload was complete; nil if the payload is complete.
    private func missing() -> ConnectionError? {
        let state = state.withLock { $0 }
        guard let total = state.total, state.size < total else { return nil }
        return .connectionLost(.shortRange(state.rest ?? state.head, size: state.size, total: total))
    }

    // MARK: requests

    /// Requests the rest, or the whole, until there is a body to read.
    ///
    /// - Returns: whether the download starts over.
    private func resume(after failure: ConnectionError, isFile: Bool) async throws(Failure) -> Bool {
        var output = Output.noResponse(failure)
        // A rest that does not fit is no failure of the server: the whole is requested at once, and once.
        var isWrongRest = isFile && state.withLock { $0.rest != nil && $0.version == nil }
        while true {
            var delay: Duration?
            if !isWrongRest {
                delay = self.delay(after: output)
                guard let delay else { throw Failure(output) }
                let (size, reason) = (state.withLock { $0.size }, output.connectionError?.description ?? "\(output)")
                next.report(.custom(name: "resuming", detail: "at \(size) bytes in \(delay), after \(reason)"))
            }
            isWrongRest = false
            let missing = state.withLock { $0.missing }
            let received = Locked(0)
            output = await request(missing, after: delay) { received.withLock { $0 } }
            if missing != nil, output.response?.statusCode == .rangeNotSatisfiable {
                isWrongRest = true
            } else if case .hasResponse(let response) = output, let body = response.body {
                if let missing, response.statusCode == .partialContent {
                    if response.completes(missing) {
                        received.withLock { $0 = missing.offset }
                        try read(body) { state in
                            (state.rest, state.end) = (response.head, response.contentRange?.end)
                            state.total = missing.total ?? response.contentRange?.total
                            state.version?.total = state.total
                        }
                        return false
                    }
                    isWrongRest = true
                } else if response.statusCode == .partialContent {
                    body.discard()
                    throw .error(.malformedResponse(.wrongRange(response.head)))
                } else if isFile {
                    try read(body) { $0.restart(response, body) }
                    return true
                } else if missing == nil, response.isSameVersion(as: state.withLock { $0.version }) {
                    try read(body) { state in
                        state.end = response.wholeCount ?? state.end
                        state.total = state.end
                        state.version?.total = state.total
                    }
                    return false
                } else {
                    isWrongRest = true
                }
                body.discard()
            }
            guard isWrongRest else { continue }
            // A stream can't take its bytes back.
            guard isFile else {
                throw .error(.connectionLost(.wrongRange(output.response?.head ?? state.withLock { $0.head })))
            }
            state.withLock { $0.version = nil }
        }
    }

    /// Returns the delay before another attempt; nil if there is none.
    private func delay(after output: Output) -> Duration? {
        let (time, random, now) = (pace.time(), pace.random(), pace.now())
        guard RetryCondition.isTransient(output) else { return nil }
        let attempt: RetryContext? = state.withLock { state in
            if state.isOver { return nil }
            if state.size > state.furthest {
                (state.furthest, state.attempt, state.start) = (state.size, 1, time)
            }
            defer { state.attempt += 1 }
            let elapsed = time - state.start
            return RetryContext(number: state.attempt, output: output, elapsed: elapsed, randomBits: random, now: now)
        }
        guard let attempt, let delay = pace.backoff(attempt) else { return nil }
        if let timeLeft = next.context.remainingTime, delay >= timeLeft { return nil }
        return min(max(delay, .zero), .maximumWait)
    }

    /// Returns the output of a request for the rest, or for the whole; the end of the outer body abandons it.
    ///
    /// - Parameters:
    ///   - missing: the rest; nil for the whole.
    ///   - delay: the delay before the request; nil for none.
    ///   - received: returns the number of bytes before those of the response, for progress.
    private func request(
        _ missing: ReceivedPart?,
        after delay: Duration?,
        behind received: @escaping @Sendable () -> Int
    ) async -> Output {
        let call = AbandonableCall()
        let isOver = state.withLock { state in
            state.request = call
            return state.isOver
        }
        if isOver { return .noResponse(.cancelled) }
        let context = next.context.changingEvents { event in
            guard case .progress(var progress) = event else { return event }
            progress.received = progress.received.behind(received())
            return .progress(progress)
        }
        let delayed: @Sendable (Input, Next) async -> Output = { [pace] input, next in
            if let delay {
                do { try await pace.sleep(delay) } catch { return .noResponse(.cancelled) }
            }
            return await next(input)
        }
        let rest = input.with { input in
            guard let missing else { return }
            input.headers["Range"] = missing.range
            input.headers["If-Range"] = missing.validator
        }
        return await call.output(of: rest, Next(handler: .wrapper(delayed, inner: next.handler), context: context))
    }

    /// Reads another body from now on, unless the outer one has ended meanwhile.
    private func read(_ body: ResponseBody, _ change: (inout State) -> Void) throws(Failure) {
        let isOver = state.withLock { state in
            state.request = nil
            if state.isOver { return true }
            state.body = body
            change(&state)
            return false
        }
        if isOver {
            body.discard()
            throw .error(.cancelled)
        }
        endOuter(with: body)
    }
}

extension Download.State {
    /// The rest to request; nil if the whole has to be requested.
    fileprivate var missing: ReceivedPart? {
        guard var version, size > 0 else { return nil }
        version.offset = size
        return version
    }
}

extension Response {
    /// The version of the payload, with which its rest can be requested; nil if it can't.
    fileprivate var version: ReceivedPart? {
        guard statusCode == .ok, let validator = rangeValidator else { return nil }
        return ReceivedPart(offset: 0, validator: validator, total: wholeCount, url: called.requested?.url)
    }

    /// Returns whether this 206 is the requested rest.
    fileprivate func completes(_ missing: ReceivedPart) -> Bool {
        called.requested.map { $0.range == missing.range } != false && continues(missing)
    }

    /// Returns whether this whole payload is of a version.
    fileprivate func isSameVersion(as received: ReceivedPart?) -> Bool {
        guard let received, let version, version.validator == received.validator, version.url == received.url
        else { return false }
        return version.total == nil || received.total == nil || version.total == received.total
    }
}
