public import Foundation
public import StartSmall

extension Wrapper {
    /// Writes each request and its response into a ``Cassette``.
    ///
    /// ```swift
    /// let recording = Connector.standard.wrapped(by: .record(to: file))
    /// ```
    ///
    /// The recording replaces the content that an earlier process left in the file. Exchanges are in the order of the
    /// requests. A call that ended without a response is written with its error, and with the part of a response that
    /// had arrived: a stream that its reader left, for example. The replay of a call that was cancelled before a
    /// response waits until it is cancelled, such as by a `.timeout`.
    ///
    /// An exchange is in the file before its call ends. Therefore nothing needs to be closed, and nothing is lost
    /// regardless of how the process ends: the file contains everything recorded until then, and is readable. Only if
    /// the machine itself fails, the system may not have written the file to the disk yet.
    ///
    /// A new exchange is appended without writing the earlier ones again. The whole file is written only if an exchange
    /// belongs before others: if its call started before one that ended sooner, if an old exchange is recorded again,
    /// or if a new secret occurs in earlier exchanges.
    ///
    /// Secrets are numbered in the order of the file: `<redacted-1>` is the same secret throughout a file.
    ///
    /// For a payload over the limit, the file contains only the size and the SHA-256, and no hash if the payload
    /// contains a secret. A request is matched by these; a response is replayed as an error with an explanation.
    ///
    /// A request with a `PayloadStream` is recorded without its payload, and replayed by
    /// ``RequestMatching/methodAndURL``.
    ///
    /// The payload of a file or a stream is also kept in memory, regardless of any limit for payloads in memory. All
    /// bytes that arrived are written, also those after the end of a stream (`until:`). The exchange of a stream is
    /// written at the end of its body: one that is discarded is written as cancelled, and blocks the thread that
    /// discards it until it is in the file.
    ///
    /// - Passes through: always.
    /// - Order: inside of wrappers that add credentials or a base URL, to record the transferred request; outside of
    ///   `.redirect`, to record its redirections.
    /// - Errors: `ConnectionError.unwritableDestination` if the file can't be written, if it is a device or otherwise
    ///   no regular file, or if another process that is still running has recorded to it, or another value of this
    ///   wrapper, whose exchanges would be lost; and `ConnectionError.malformedPayload` if a file of the request's
    ///   payload can't be read.
    /// - State: the file, shared by all connectors with the same value of this wrapper.
    ///
    /// - Parameters:
    ///   - file: the URL of the cassette.
    ///   - limit: the maximum length of a written payload, in bytes.
    ///   - scrubbing: the redaction of the cassette.
    ///   - now: returns the current time.
    public static func record(
        to file: URL,
        payloadsUpTo limit: Int = Cassette.defaultPayloadLimit,
        scrubbing: CassetteRedaction = .standard,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        let recorder = CassetteRecorder(file, scrubbing, NumberedSecrets(), payloadsUpTo: limit)
        return Wrapper("record") { input, next in
            next.context.isDryRun ? await next(input) : await recorder.record(input, next, now)
        }
    }
}

extension CassetteRecorder {
    /// Calls the inner connector, and writes the exchange.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - next: the inner connector.
    ///   - now: returns the current time.
    ///   - old: the index of the exchange to replace, among those from before this recording; nil to add one.
    ///   - isOmitting: whether a call that ended without a response is not written.
    /// - Returns: the output of the call, or the error if the file can't be written.
    func record(
        _ input: Input,
        _ next: Next,
        _ now: @escaping @Sendable () -> Date,
        replacing old: Int? = nil,
        omittingUnanswered isOmitting: Bool = false
    ) async -> Output {
        let number = takeNumber()
        let asked: Input
        do throws(ConnectionError) { asked = try input.asRecorded() } catch { return .noResponse(error) }
        let output = await next(input)
        let add = { @Sendable (exchange: Exchange) -> Int? in
            isOmitting && exchange.isUnanswered ? nil : self.add(exchange, number: number, replacing: old)
        }
        if let body = output.response?.body {
            return output.mapBody { _ in
                recorded(body, of: output) { add(Exchange(input: asked, response: $0, failure: $1, recorded: now())) }
            }
        }
        let exchange: Exchange
        switch output {
        case .hasResponse(let response):
            do throws(ConnectionError) {
                let whole = try await response.inMemory
                exchange = Exchange(input: asked, response: whole, recorded: now())
            } catch {
                return .noResponse(error)
            }
        case .noResponse(let error):
            let arrived = error.response ?? Exchange.nothing
            exchange = Exchange(input: asked, response: arrived, failure: RecordedFailure(error), recorded: now())
        }
        guard let version = add(exchange) else { return output }
        return await written(version).map(Output.noResponse) ?? output
    }

    /// Returns a body whose bytes are recorded when it ends, before its reader learns of the end.
    ///
    /// A reader that comes to the end, or to an error of the body, waits until the exchange is in the file, and learns
    /// that the file can't be written. At any other end, the thread waits that ends the body.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - output: the output that has the body.
    ///   - add: adds the response that arrived to the recording, and the reason why it is not complete; returns the
    ///     version to write, or nil for none.
    private func recorded(
        _ body: ResponseBody,
        of output: Output,
        _ add: @escaping @Sendable (Response, RecordedFailure?) -> Int?
    ) -> ResponseBody {
        var head = output.response ?? Exchange.nothing
        head.payload = Data()
        // Nil after the end.
        let arrived = Locked<Response?>(head)
        let end = { @Sendable (error: ConnectionError?, trailers: HTTPHeaders) -> Int? in
            guard var response = arrived.withLock({ $0.take() }) else { return nil }
            response.trailers = trailers
            return add(response, error.map { RecordedFailure($0) })
        }
        let recorded = body.around { inner async throws(ConnectionError) -> Data? in
            do throws(ConnectionError) {
                if let chunk = try await inner.next() {
                    arrived.withLock { $0?.payload += chunk }
                    return chunk
                }
            } catch {
                if let version = end(error, [:]), let failure = await written(version) { throw failure }
                throw error
            }
            if let version = end(nil, body.trailers), let failure = await written(version) { throw failure }
            return nil
        }
        recorded.onEnd { bodyEnd in
            let error: ConnectionError? =
                switch bodyEnd {
                case .complete: nil
                case .failed(let error): error
                case .discarded: .cancelled
                }
            if let version = end(error, [:]) { writeAtOnce(version) }
        }
        return recorded
    }
}

extension Response {
    /// The response with the bytes of its temporary file in memory.
    fileprivate var inMemory: Response {
        get async throws(ConnectionError) {
            guard case .file(let file) = content else { return self }
            var response = self
            response.payload = try await file.contents()
            return response
        }
    }
}
