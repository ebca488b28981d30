import Foundation
import Synchronization

extension Wrapper {
    /// Wrapper that has a server go on where a download to a file broke off, when the call is tried again.
    ///
    /// What was already written is not sent again: `Range` asks for the rest, and `If-Range` for all of it if it is
    /// another version by now (RFC 9110 13.1.5 and 14.2). Only a strong entity tag is good enough for that, or, without
    /// any, a `Last-Modified` at least a minute older than the response (RFC 9110 8.8.2.2); without one, or with a payload
    /// that came compressed, the file is written anew.
    ///
    /// The rest must come from the same URL, begin where it was asked to, have the same validator, and the same complete
    /// length, which must be known. A server that sends another one, or says that there is no such rest (416), is asked for
    /// all.
    ///
    /// - Unchanged when: nothing was written yet, or the input has a `Range` of its own.
    /// - Order: inside of what tries again.
    /// - Reports: nothing of its own; in ``Event/progress(_:)`` what was already written counts as received.
    /// - Fails with: ``ConnectionError/connectionLost(_:)`` if the server sends less than the rest (RFC 9110 15.3.7); what
    ///   tries again asks for what is still missing.
    public static func resumeDownloads() -> Wrapper {
        Wrapper { input, next in
            guard !input.headers.contains("Range"), let consumer = input.destination.consumer,
                let asked = consumer.resumption()
            else { return await next(input) }
            let rest = Mutex(RangeContinuation(asked: asked))
            let judging = consumer.wrapped { part, isWanted, consumer in
                if let rejectionReason = rest.withLock({ $0.rejectionReason(to: part) }) { return rejectionReason }
                return await consumer.receive(part, while: isWanted)
            }
            let report = next.report.changing { event in rest.withLock { $0.counted(event) } }
            let output = await Next(step: next.step, report: report)(input.asking(for: asked, to: judging))
            guard let decision = rest.withLock({ $0.decision(on: output) }) else { return await next(input) }
            return decision
        }
    }
}

extension Input {
    /// The same, but for the rest alone.
    fileprivate func asking(for rest: Resumption, to consumer: PayloadConsumer) -> Input {
        with {
            $0.headers.set("Range", to: rest.range)
            $0.headers.set("If-Range", to: rest.validator)
            $0.destination = .consumer(consumer)
        }
    }
}

/// What comes where the rest of a download was asked for.
private struct RangeContinuation: Sendable {
    let asked: Resumption

    /// The head of what came in parts, once it did.
    private var head: Response?

    /// How many bytes came in parts.
    private var count = 0

    /// Whether a part of something else came.
    private var isUnfit = false

    init(asked: Resumption) { self.asked = asked }

    /// What ends the attempt before a part is taken that does not fit.
    mutating func rejectionReason(to part: PayloadConsumer.Part) -> ConnectionError? {
        switch part {
        case .chunk(let data):
            count += data.count
            // More than the part that its head says: nothing of it can be trusted.
            if let head, let range = head.contentRange, asked.offset + count > range.end {
                isUnfit = true
                return .malformedResponse(.wrongRange(head))
            }
        case .head(let response):
            (head, count, isUnfit) = (response, 0, !fits(response))
            if isUnfit { return .malformedResponse(.wrongRange(response)) }
        }
        return nil
    }

    /// An event of the attempt, as it is for the whole download.
    func counted(_ event: Event) -> Event {
        guard case .progress(var progress) = event, head?.statusCode == .partialContent, !isUnfit else { return event }
        progress.received = progress.received.behind(asked.offset)
        return .progress(progress)
    }

    /// What comes of the attempt; nil if all is to be asked for.
    func decision(on output: Output) -> Output? {
        if case .noResponse(.cancelled) = output { return output }
        if isUnfit { return nil }
        guard let response = output.response else { return output }
        // From a connector that gives no parts, or answers after those that broke off, all of it comes here.
        let (head, count) = response.payload.isEmpty ? (head ?? response, count) : (response, response.payload.count)
        if response.statusCode == .rangeNotSatisfiable || !fits(head) { return nil }
        guard let range = head.contentRange else { return output }
        let (size, total) = (asked.offset + count, asked.total ?? range.total ?? range.end)
        if size > range.end { return nil }
        return size == total ? output : .noResponse(.connectionLost(.shortRange(head, size: size, total: total)))
    }

    /// Whether a response is no part at all, or the one that was asked for.
    private func fits(_ response: Response) -> Bool {
        response.statusCode != .partialContent || response.goesOn(from: asked)
    }
}
