public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation
public import StartSmallRetry
import Synchronization

extension Wrapper {
    /// Continues an interrupted download to a file, or an interrupted stream, with a request for the rest.
    ///
    /// `Range` requests the rest, and `If-Range` the whole if the server has another version by now (RFC 9110 13.1.5 and
    /// 14.2). The rest must be of the same URL, version and length.
    ///
    /// ```swift
    /// let app = Connector.standard(over: .engine).wrapped(by: .resumeDownloads())
    /// ```
    ///
    /// If it is not, or if there is no strong validator, a file starts over. A stream can't take its bytes back: its
    /// body then ends with the error that broke it, or with ``ConnectionError/connectionLost(_:)``.
    ///
    /// - Parameters:
    ///   - backoff: the delays before the requests; it counts the attempts since the last new byte.
    ///   - clock: the clock that measures the delays.
    ///   - random: generates uniformly random bits, for jitter.
    ///   - now: returns the current time, to evaluate dates that servers send.
    /// - Passes through: payloads in memory, methods other than GET, inputs that already have a `Range`, and streams
    ///   without a strong validator.
    /// - Order: outside of `.retry`, `.refreshToken` and `.redirect`, so that each request for the rest is retried, has
    ///   a fresh token, and is redirected anew. In a retry outside, each attempt begins with the first byte. A wrapper
    ///   inside that changes the bytes of a body removes the validator.
    /// - Events: ``Resuming`` before each delay; in ``Event/progress(_:)`` the bytes that arrived before count as
    ///   received.
    /// - Errors: ``ConnectionError/malformedResponse(_:)`` for a part that was not requested (RFC 9110 15.3.7), or for
    ///   a success without a version, such as 204, in place of the whole.
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
            let (whole, next) = (next, next.with { $0.isAttempt = true })
            switch input.delivery {
            case .memory: return await whole(input)
            case .stream:
                let output = await next(input)
                guard case .hasResponse(let response) = output, response.version != nil else { return output }
                let resumption = Resumption(response, isFile: false)
                return output.mapBody { Download(resumption, $0, input, next, pace).body() }
            case .file(let place):
                let stream = input.with { $0.delivery = .stream }
                let output = await next(stream)
                guard case .hasResponse(let response) = output, response.statusCode == .ok, let body = response.body
                else { return await output.delivered(as: input, next.context) }
                let resumption = Resumption(response, isFile: true)
                return await Download(resumption, body, stream, next, pace).inFile(beside: place)
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
    private struct State: Sendable {
        var resumption: Resumption

        /// The body that is read: the whole, or a rest.
        var body: ResponseBody

        var request: AbandonableCall?
        var isOver = false

        /// The body that the app reads; nil for a file.
        var outer: ResponseBody.Weak?
    }

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

        var error: ConnectionError {
            switch self {
            case .error(let error): error
            case .response(let response): .connectionLost(.wrongRange(response))
            }
        }
    }

    private let state: Mutex<State>

    /// The request, for a stream.
    private let input: Input
    private let next: Next
    private let pace: ResumptionPace

    init(_ resumption: Resumption, _ body: ResponseBody, _ input: Input, _ next: Next, _ pace: ResumptionPace) {
        state = Mutex(State(resumption: resumption, body: body))
        (self.input, self.next, self.pace) = (input, next, pace)
    }

    /// Returns a body that continues after a break, and ends what it reads from.
    func body() -> ResponseBody {
        let body = ResponseBody(
            pulling: { () async throws(ConnectionError) -> Data? in
                do throws(Failure) {
                    guard case .chunk(let data) = try await self.part(of: nil) else { return nil }
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

    func inFile(beside place: URL) async -> Output {
        var refusal: Response?
        do throws(ConnectionError) {
            let file = try await next.context.temporaryFiles.file(beside: place) { file async throws(ConnectionError) in
                do throws(Failure) { return try await self.part(of: file) } catch {
                    if case .response(let response) = error { refusal = response }
                    throw error.error
                }
            }
            let state = state.withLock { $0 }
            var response = state.resumption.head
            (response.content, response.trailers) = (.file(file), state.body.trailers)
            return .hasResponse(response)
        } catch {
            let state = state.withLock { $0 }
            state.body.interrupt(with: error)
            let (head, size) = (state.resumption.head, state.resumption.size)
            return refusal.map(Output.hasResponse) ?? .noResponse(error.keeping(head, delivering: size))
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
    private func part(of file: TemporaryFile?) async throws(Failure) -> TemporaryFiles.Part {
        while true {
            let body = state.withLock { $0.body }
            let failure: ConnectionError
            do throws(ConnectionError) {
                if let chunk = try await body.next() {
                    if let new = try await newBytes(of: chunk, file) {
                        if new.isEmpty { continue }
                        return .chunk(new)
                    }
                    failure = state.withLock { $0.resumption.refute() }
                    body.interrupt(with: failure)
                } else if let missing = state.withLock({ $0.resumption.failureAtEnd() }) {
                    failure = missing
                } else {
                    return .end
                }
            } catch {
                failure = error
            }
            switch try await resume(after: failure) {
            case .end: return .end
            case .restart: return .restart
            default: continue
            }
        }
    }

    /// Returns the bytes of a chunk that have not arrived before; nil if the chunk can't be one of this version.
    private func newBytes(of chunk: Data, _ file: TemporaryFile?) async throws(ConnectionError) -> Data? {
        guard let (known, start) = state.withLock({ $0.resumption.take(chunk.count) }) else { return nil }
        if known > 0, try await file?.hasBytes(chunk.prefix(known), at: start) != true { return nil }
        state.withLock { $0.resumption.keep() }
        return chunk.dropFirst(known)
    }

    // MARK: requests

    /// Sends requests, until there is a body to read, or nothing is missing.
    private func resume(after failure: ConnectionError) async throws(Failure) -> Resumption.Step {
        var output = Output.noResponse(failure)
        var step = state.withLock { $0.resumption.step(after: failure) }
        while true {
            switch step {
            case .read, .restart, .end: return step
            case .fail(let error): throw .error(error)
            case .requestWhole: (output, step) = await request(nil, after: nil)
            case .retry:
                guard let (missing, delay) = retry(after: output) else { throw Failure(output) }
                (output, step) = await request(missing, after: delay)
            }
        }
    }

    /// Returns the part to request after a failure, and the delay before; nil if there is no other attempt.
    private func retry(after output: Output) -> (missing: ReceivedPart?, delay: Duration)? {
        let (time, random, now) = (pace.time(), pace.random(), pace.now())
        guard RetryCondition.isTransient(output) else { return nil }
        let (resumption, attempt) = state.withLock { state -> (Resumption, RetryContext?) in
            if state.isOver { return (state.resumption, nil) }
            let attempt = state.resumption.attempt(after: output, at: time, randomBits: random, now: now)
            return (state.resumption, attempt)
        }
        guard let attempt, let delay = pace.backoff.delay(after: attempt, timeLeft: next.context.remainingTime) else {
            return nil
        }
        let failed = output.discard()
        next.report(Resuming(size: resumption.size, delay: delay, after: failed))
        return (resumption.missing, delay)
    }

    /// Requests the rest, or the whole, and returns the step after it; the end of the outer body abandons the request.
    private func request(_ missing: ReceivedPart?, after delay: Duration?) async -> (Output, Resumption.Step) {
        let call = AbandonableCall()
        let isOver = state.withLock { state in
            state.request = call
            return state.isOver
        }
        if isOver { return (.noResponse(.cancelled), .fail(.cancelled)) }
        let received = Locked(0)
        let next = next.with { context in
            context.changeEvents { event in
                guard case .progress(var progress) = event else { return event }
                progress.received = progress.received.behind(received.withLock { $0 })
                return .progress(progress)
            }
        }
        let rest = input.with { input in
            guard let missing else { return }
            input.headers["Range"] = missing.range
            input.headers["If-Range"] = missing.validator
        }
        let delayed = next.inside { [pace] input, next in
            if let delay {
                do { try await pace.sleep(delay) } catch { return .noResponse(.cancelled) }
            }
            return await next(input)
        }
        let output = await call.output(of: rest, delayed)
        let body = output.response?.body
        let (step, offset) = state.withLock { state -> (Resumption.Step, Int) in
            if state.isOver { return (.fail(.cancelled), 0) }
            let step = state.resumption.step(after: output, to: missing)
            if let body, step == .read || step == .restart { (state.body, state.request) = (body, nil) }
            return (step, state.resumption.offset)
        }
        received.withLock { $0 = offset }
        if let body, step == .read || step == .restart { endOuter(with: body) } else { body?.discard() }
        return (output, step)
    }
}
