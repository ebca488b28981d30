public import StartSmallCore
public import StartSmallDiagnostics
import StartSmallSupport
public import Foundation

extension Wrapper {
    /// Writes each request and its response into a ``Cassette``.
    ///
    /// ```swift
    /// let recording = Connector.standard.wrapped(by: .record(to: file))
    /// ```
    ///
    /// The recording replaces the content that an earlier process left in the file; recorders of one process add to the
    /// file, whatever paths they use. Exchanges are in the order of the requests. A call that ended without a response
    /// is written with its error, and with the part of a response that had arrived: a stream that its reader left, for
    /// example. The replay of a call that was cancelled before a response waits until it is cancelled, such as by a
    /// `.timeout`.
    ///
    /// An exchange is in the file before its call ends: each time, the whole file is replaced atomically. Therefore
    /// nothing needs to be closed, and nothing is lost regardless of how the process ends. A file that another process
    /// or program has changed since the last write is not replaced.
    ///
    /// A payload over the limit, and one in which secrets can't be searched for, is described by its type and size, and
    /// so is a `PayloadStream`. Any payload matches it; a response is replayed as an error with an explanation.
    ///
    /// The payload of a file or a stream is also kept in memory, regardless of any limit for payloads in memory. All
    /// bytes that arrived are written, also those after the end of a stream (`until:`), with the sizes of their parts.
    /// The exchange of a stream is written at the end of its body: one that is discarded is written as cancelled, and
    /// blocks the thread that discards it until it is in the file.
    ///
    /// - Passes through: always.
    /// - Order: inside of wrappers that add credentials or a base URL, to record the transferred request; outside of
    ///   `.redirect`, to record its redirections.
    /// - Errors: `ConnectionError.unwritableDestination` if the file can't be written, if it is a HAR, a device or
    ///   otherwise no regular file, or if another process has changed it; and `ConnectionError.malformedPayload` if a file of the
    ///   request's payload can't be read.
    /// - State: the file, and in memory its exchanges, shared by all recorders of the process.
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
        let recorder = CassetteRecorder(file, scrubbing, payloadsUpTo: limit)
        return Wrapper("record") { input, next in
            next.context.isDryRun ? await next(input) : await recorder.record(input, next, now)
        }
    }
}

extension CassetteRecorder {
    /// A function that writes the recording, and returns the error if it can't be written.
    private typealias Write = @Sendable () -> ConnectionError?

    /// Calls the inner connector, and writes the exchange.
    ///
    /// - Parameters:
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
        let call = SharedCassette.takeNumber()
        let asked: Input
        do throws(ConnectionError) { asked = try input.asRecorded() } catch { return .noResponse(error) }
        let seat: SharedCassette.Seat
        switch await opened() {
        case .left(let error): return .noResponse(error)
        case .right(let opened): seat = opened
        }
        let output = await next(input)
        let add = { @Sendable (exchange: Exchange) -> Write? in
            isOmitting && exchange.isUnanswered ? nil : added(exchange, to: seat, call: call, replacing: old)
        }
        if let head = output.response?.head, output.response?.body != nil {
            let addBody = { @Sendable (body: RecordedBody) -> Write? in
                var response = head
                (response.payload, response.trailers) = (body.payload, body.trailers)
                let failure = body.error.map { RecordedFailure($0) }
                return add(
                    Exchange(input: asked, response: response, chunks: body.chunks, failure: failure, recorded: now())
                )
            }
            // A reader learns that the file can't be written; at any other end, the thread waits that ends the body.
            return output.mapBody { body in
                body.recorded { body async throws(ConnectionError) in
                    if let write = addBody(body), let failure = await SharedCassette.onDisk(write) { throw failure }
                } otherwise: { body in
                    if let write = addBody(body) { SharedCassette.onDiskAtOnce { _ = write() } }
                }
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
        guard let write = add(exchange) else { return output }
        return await SharedCassette.onDisk(write).map(Output.noResponse) ?? output
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
