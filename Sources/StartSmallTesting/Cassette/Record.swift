public import Foundation
public import StartSmall

extension Wrapper {
    /// Wrapper that writes each request and its response into a ``Cassette``.
    ///
    /// ```swift
    /// let recording = Connector.standard.wrapped(by: .record(to: file))
    /// ```
    ///
    /// Whatever was in the file is replaced. Exchanges stand in it in the order in which they were asked for. Nothing is
    /// written of a call without a response.
    ///
    /// An exchange is in the file before its call ends. So there is nothing to close, and nothing is lost however the process
    /// ends: what was recorded until then is there, and can be read. Only where the machine itself goes down, the system may
    /// not have written it to the disk yet.
    ///
    /// It is put behind those that are there, without these being written again. The whole file is written only where an
    /// exchange belongs before others: a call was asked for before one that ended sooner, an old one is recorded anew, or a
    /// secret is told that stands in earlier ones.
    ///
    /// Secrets are numbered in the order in which they stand in the file: `<redacted-1>` is the same secret throughout a file.
    ///
    /// Of a payload that is too long, the file has the size and the SHA-256 alone, and no hash where a secret was found in it.
    /// A request is matched by these; a response is replayed as an error that says so.
    ///
    /// A payload for a file or receiver goes there as it arrives, and is kept in memory beside that, whatever limit there is
    /// for payloads in memory. Where such a call is tried again, all is sent again.
    ///
    /// - Unchanged when: always.
    /// - Order: inside of what adds credentials or a base URL, to record what goes over the wire; outside of
    ///   `.redirect`, to record where it led.
    /// - Fails with: `ConnectionError.unwritableDestination` if the file can't be written, if it is a device or anything else
    ///   that is no regular file, or if another process has recorded to it and has not ended; and
    ///   `ConnectionError.malformedPayload` if a file of the request's payload can't be read.
    /// - State: the file, one for all connectors in the same value of this wrapper.
    /// - Parameters:
    ///   - file: the cassette.
    ///   - limit: the longest payload that is written, in bytes.
    ///   - scrubbing: what is replaced.
    ///   - now: the time of day.
    public static func record(
        to file: URL,
        payloadsUpTo limit: Int = Cassette.defaultPayloadLimit,
        scrubbing: CassetteRedaction = .standard,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        let tape = CassetteRecorder(file, scrubbing, NumberedSecrets(), payloadsUpTo: limit)
        return Wrapper { input, next in await tape.record(input, next, now) }
    }
}

extension CassetteRecorder {
    /// Calls what is inside, and writes what comes of it.
    func record(
        _ input: Input,
        _ next: Next,
        _ now: @Sendable () -> Date,
        replacing old: Int? = nil
    ) async -> Output {
        let number = takeNumber()
        let asked: Input
        do throws(ConnectionError) { asked = try input.asRecorded() } catch { return .noResponse(error) }
        let parts = PartsOfPayload()
        var input = input
        if let consumer = input.destination.consumer { input.destination = .consumer(parts.kept(for: consumer)) }
        let output = await next(input)
        guard case .hasResponse(let response) = output else { return output }
        let exchange = Exchange(input: asked, response: parts.completing(response), recorded: now())
        return await add(exchange, number: number, replacing: old).map(Output.noResponse) ?? output
    }
}

/// What a receiver was given of a payload, to be kept beside that.
private struct PartsOfPayload: Sendable {
    private let parts = Recorder<PayloadConsumer.Part>()

    /// The same receiver, from which all parts are kept that it takes.
    func kept(for consumer: PayloadConsumer) -> PayloadConsumer {
        consumer.wrapped(resuming: false) { part, isWanted, inner in
            if let failure = await inner.receive(part, while: isWanted) { return failure }
            parts.append(part)
            return nil
        }
    }

    /// A response with the payload that came in parts, unless it came whole.
    func completing(_ response: Response) -> Response {
        guard response.payload.isEmpty, response.statusCode.isSuccess else { return response }
        var response = response
        for part in parts.elements {
            switch part {
            // The beginning of another try.
            case .head: response.payload = Data()
            case .chunk(let data): response.payload += data
            }
        }
        return response
    }
}
