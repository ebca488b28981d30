package import StartSmallSupport
import StartSmallFoundation

extension Response {
    /// The size up to which the payload of a refused response is kept: 64 KiB.
    ///
    /// A description of a problem (RFC 9457) has a few KB.
    static let refusedPayloadLimit = 64 << 10

    /// The time for which the payload of a refused response is read: 1 second.
    ///
    /// A server sends a description of a problem together with the head. A second is more than a round trip over a
    /// satellite, and the caller of an endless or silent payload does not wait much longer for the error.
    static let refusedPayloadTime = Duration.seconds(1)

    /// Returns the response with what arrives of its body within a size and a time; the rest is discarded.
    ///
    /// A response without a body is returned as it is.
    package func keepingRefusedPayload(
        upTo limit: Int = refusedPayloadLimit,
        within time: Duration = refusedPayloadTime,
        timers: TimerScheduler = TimerScheduler(clock: ContinuousClock())
    ) async -> Response {
        guard let body else { return self }
        var kept = head
        // The end of a body whose rest is not wanted, as wrappers inside see it.
        let stopTimer = timers.interrupt(body, with: .cancelled, after: time)
        while let chunk = try? await body.next(), kept.append(chunk, upTo: limit) {}
        stopTimer()
        body.discard()
        kept.trailers = body.trailers
        return kept
    }

    /// Appends a chunk to the payload in memory, up to a size; returns whether all of the chunk fits.
    @inline(never)
    mutating func append(_ chunk: Data, upTo limit: Int) -> Bool {
        let room = limit - payload.count
        payload += chunk.prefix(room)
        return chunk.count <= room
    }
}
