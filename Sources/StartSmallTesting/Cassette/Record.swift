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
    /// A payload for a file or consumer is delivered as it arrives, and is also kept in memory, regardless of any limit
    /// for payloads in memory. All bytes that arrived are written, also those after the end of a stream (`until:`). A
    /// retry of such a call sends the whole request again.
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
        return Wrapper(.recording("record", scrubbing, shortCircuits: .refusal)) { input, next in
            next.context.isDryRun ? await next(input) : await recorder.record(input, next, now)
        }
    }
}

extension WrapperDeclaration {
    /// Returns the declaration of a wrapper that writes a cassette.
    ///
    /// - Parameters:
    ///   - name: the name of the wrapper.
    ///   - scrubbing: the redaction of the cassette.
    ///   - shortCircuits: the reason for which a call can end without a request.
    static func recording(
        _ name: String,
        _ scrubbing: CassetteRedaction,
        shortCircuits: ShortCircuit
    ) -> WrapperDeclaration {
        WrapperDeclaration(
            name,
            reads: [.url],
            changes: [.destination, .response],
            copies: [.method, .url, .queries, .headers, .payload, .response],
            redaction: scrubbing.redaction,
            shortCircuits: shortCircuits
        )
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
        _ now: @Sendable () -> Date,
        replacing old: Int? = nil,
        omittingUnanswered isOmitting: Bool = false
    ) async -> Output {
        let number = takeNumber()
        let asked: Input
        do throws(ConnectionError) { asked = try input.asRecorded() } catch { return .noResponse(error) }
        let parts = PartsOfPayload()
        var input = input
        if let consumer = input.destination.consumer { input.destination = .consumer(parts.kept(for: consumer)) }
        let output = await next(input)
        let exchange: Exchange
        switch output {
        case .hasResponse(let response):
            exchange = Exchange(input: asked, response: parts.completing(response), recorded: now())
        case .noResponse(let error):
            let arrived = parts.response ?? error.response ?? Exchange.nothing
            exchange = Exchange(input: asked, response: arrived, failure: RecordedFailure(error), recorded: now())
        }
        if isOmitting, exchange.isUnanswered { return output }
        return await add(exchange, number: number, replacing: old).map(Output.noResponse) ?? output
    }
}

/// The parts of a payload that arrived for a consumer, kept for the recording.
private struct PartsOfPayload: Sendable {
    private let parts = Recorder<PayloadConsumer.Part>()

    /// Returns a consumer that also keeps all parts that arrive for the given one.
    ///
    /// A part is kept before it is passed on: the consumer of a stream refuses the part in which the stream ends, and
    /// takes a part for as long as its reader wants.
    func kept(for consumer: PayloadConsumer) -> PayloadConsumer {
        consumer.wrapped(resuming: false) { part, isWanted, inner in
            if isWanted(), isKept(part, for: inner) { parts.append(part) }
            return await inner.receive(part, while: isWanted)
        }
    }

    /// Returns false for the head of another response after values of a stream, which can't start over.
    private func isKept(_ part: PayloadConsumer.Part, for consumer: PayloadConsumer) -> Bool {
        guard case .head = part else { return true }
        return consumer.isRestartable || parts.elements.isEmpty
    }

    /// The part of a response that arrived in the last attempt; nil if no head did.
    var response: Response? {
        guard let first = parts.elements.first, case .head(let head) = first else { return nil }
        return parts.elements.reduce(into: head) { response, part in
            switch part {
            // A head starts another attempt.
            case .head(let head): response = head
            case .chunk(let data): response.payload += data
            }
        }
    }

    /// Returns a response with the payload of the parts, unless the response already has a payload.
    func completing(_ response: Response) -> Response {
        guard response.payload.isEmpty, response.statusCode.isSuccess else { return response }
        var response = response
        for part in parts.elements {
            switch part {
            // A head starts another attempt.
            case .head: response.payload = Data()
            case .chunk(let data): response.payload += data
            }
        }
        return response
    }
}
