import Foundation
import Synchronization

extension Wrapper {
    /// Resumes an interrupted download to a file when the call is retried.
    ///
    /// Bytes that were already written are not requested again. `Range` requests the rest, and `If-Range` requests the
    /// complete payload if the server has another version by now (RFC 9110 13.1.5 and 14.2). Only a strong entity tag
    /// identifies the version, or, without an entity tag, a `Last-Modified` at least a minute older than the response
    /// (RFC 9110 8.8.2.2). Without such a validator, or with a compressed payload, the file is written again from the
    /// start.
    ///
    /// The rest must come from the same URL, begin at the requested position, and have the same validator and the same
    /// complete length, which must be known. If a server sends another range, or says that there is no such range
    /// (416), the complete payload is requested.
    ///
    /// - Passes through: calls for which nothing was written yet, and inputs that already have a `Range`.
    /// - Order: inside of `.retry`.
    /// - Events: none of its own; in ``Event/progress(_:)`` the bytes that were already written count as received.
    /// - Errors: ``ConnectionError/connectionLost(_:)`` if the server sends less than the rest (RFC 9110 15.3.7); the
    ///   next retry requests the missing bytes.
    public static func resumeDownloads() -> Wrapper {
        Wrapper(
            WrapperDeclaration(
                "resumeDownloads",
                changes: [.header("Range"), .header("If-Range"), .destination, .response],
                repeats: .changed,
                unit: .attempt
            )
        ) { input, next in
            guard !input.headers.contains("Range"), let consumer = input.destination.consumer,
                let resumption = consumer.resumption()
            else { return await next(input) }
            let continuation = Mutex(RangeContinuation(of: resumption))
            let validating = consumer.wrapped { part, isWanted, consumer in
                if let rejection = continuation.withLock({ $0.rejection(of: part) }) { return rejection }
                return await consumer.receive(part, while: isWanted)
            }
            let context = next.context.changingEvents { event in continuation.withLock { $0.counted(event) } }
            let counting = Next(handler: next.handler, context: context)
            let output = await counting(input.requesting(resumption, to: validating))
            guard let decision = continuation.withLock({ $0.decision(on: output) }) else { return await next(input) }
            return decision
        }
    }
}

extension Input {
    /// Returns a copy that requests only the rest of the payload.
    fileprivate func requesting(_ resumption: Resumption, to consumer: PayloadConsumer) -> Input {
        with {
            $0.headers["Range"] = resumption.range
            $0.headers["If-Range"] = resumption.validator
            $0.destination = .consumer(consumer)
        }
    }
}

/// The state of an attempt that requests the rest of a download.
private struct RangeContinuation: Sendable {
    let resumption: Resumption

    /// The response head that was received in parts; nil before it arrives.
    private var head: Response?

    /// The number of payload bytes that were received in parts.
    private var count = 0

    /// Whether a part of another payload was received.
    private var isMismatch = false

    init(of resumption: Resumption) { self.resumption = resumption }

    /// Returns the error that ends the attempt before a part that does not fit is consumed.
    mutating func rejection(of part: PayloadConsumer.Part) -> ConnectionError? {
        switch part {
        case .chunk(let data):
            count += data.count
            // A payload longer than the range in its head can't be trusted at all.
            if let head, let range = head.contentRange, resumption.offset + count > range.end {
                isMismatch = true
                return .malformedResponse(.wrongRange(head))
            }
        case .head(let response):
            (head, count, isMismatch) = (response, 0, !fits(response))
            if isMismatch { return .malformedResponse(.wrongRange(response)) }
        }
        return nil
    }

    /// Returns an event of the attempt with the byte counts of the whole download.
    func counted(_ event: Event) -> Event {
        guard case .progress(var progress) = event, head?.statusCode == .partialContent, !isMismatch
        else { return event }
        progress.received = progress.received.behind(resumption.offset)
        return .progress(progress)
    }

    /// Returns the output of the attempt; nil if the complete payload is to be requested.
    func decision(on output: Output) -> Output? {
        if case .noResponse(.cancelled) = output { return output }
        if isMismatch || output.response?.statusCode == .rangeNotSatisfiable { return nil }
        guard case .hasResponse(let response) = output else { return output }
        // A connector that delivers no parts, or that answers after delivered parts were interrupted, returns the whole
        // payload here.
        let (head, count) = response.payload.isEmpty ? (head ?? response, count) : (response, response.payload.count)
        if !fits(head) { return nil }
        guard let range = head.contentRange else { return output }
        let (size, total) = (resumption.offset + count, resumption.total ?? range.total ?? range.end)
        if size > range.end { return nil }
        return size == total ? output : .noResponse(.connectionLost(.shortRange(head, size: size, total: total)))
    }

    /// Returns whether a response is not partial, or is the requested part.
    private func fits(_ response: Response) -> Bool {
        response.statusCode != .partialContent || response.continues(from: resumption)
    }
}
