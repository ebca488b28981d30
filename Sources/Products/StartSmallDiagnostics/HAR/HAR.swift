public import StartSmallCore
import StartSmallSupport
import Dispatch
public import StartSmallFoundation

extension Wrapper {
    /// Writes each network request and its response into an HTTP Archive (HAR 1.2), which browsers and proxies open.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .har(to: file))
    /// ```
    ///
    /// Each redirect and each attempt is an entry of its own, with the phases that the engine has measured for it, also
    /// if attempts run at the same time; without exactly one measurement, with the times of `clock`.
    ///
    /// The file is redacted as a cassette is. A payload over the limit, or one that can't be searched for secrets, is
    /// described by a comment. What is written stays: a secret without a name or a known form, which only a later
    /// exchange names, is not removed from the entries before. Read the file before you share it.
    ///
    /// An entry is written at the end of its response, by one `write` over the closing brackets, so that the file can be
    /// opened whenever the process ends. Only a process that is killed within this call can leave a torn entry, which
    /// the next process removes; a power failure can lose more. A file of an earlier process is continued. At a limit,
    /// it becomes `NAME.previous.har`, in place of an earlier one, and a new file begins.
    ///
    /// - Passes through: always. A payload passes as it is read, and up to the limit of it is kept in memory.
    /// - Order: any, since the wrapper is next to the engine; inside of other streaming wrappers.
    /// - Events: ``HAREntryLost`` for an entry that can't be written, such as one to a file that another process or
    ///   program writes. No call fails for this reason. The call of a stream that its reader leaves (`until:`) has
    ///   ended then, so that such an entry is lost without an event.
    /// - State: the file and the last secrets, shared by all recorders of the process.
    ///
    /// - Parameters:
    ///   - file: the URL of the file; its folder is created.
    ///   - limits: the maximum sizes of a payload and of the file.
    ///   - scrubbing: the redaction, as of a cassette.
    ///   - clock: the clock that measures requests whose engine does not.
    ///   - now: returns the current time.
    public static func har(
        to file: URL,
        limits: HARLimits = HARLimits(),
        scrubbing: CassetteRedaction = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper(
            "har",
            wrapping: { connector in
                let recorder = HARRecorder(file: file, limits: limits, scrubbing: scrubbing, now: now)
                let recording = Wrapper.streaming { input, next in
                    if next.context.isDryRun { return await next(input) }
                    return await recorder.record(input, next, since: clock.timeSinceNow())
                }
                // Engines measure for listeners only.
                return connector.wrapped(by: recording, .listen(to: Listener { (_: Event) in }))
            }
        )
    }
}

/// The maximum sizes of a HAR and of the payloads in it.
public struct HARLimits: Hashable, Sendable {
    /// The maximum number of bytes of a payload; a longer one is described by its type and size.
    public let payload: Int

    /// The maximum number of entries.
    public let entries: Int

    /// The maximum size of the file in bytes; a single entry may exceed it.
    public let bytes: Int

    /// The default limit of a payload: 64 KiB, which also each open request takes in memory.
    public static let defaultPayload = 64 * 1024

    /// The default number of entries: 1,000, more than a person reads.
    public static let defaultEntries = 1_000

    /// The default size of the file: 16 MiB, 16 KiB for each entry; with the previous file, a device gives up 32 MiB.
    public static let defaultBytes = 16 * 1024 * 1024

    /// Creates limits.
    public init(payload: Int = defaultPayload, entries: Int = defaultEntries, bytes: Int = defaultBytes) {
        (self.payload, self.entries, self.bytes) = (max(0, payload), max(1, entries), max(1, bytes))
    }
}

/// The event of a request that is not in the HAR.
public struct HAREntryLost: ReportedEvent, CustomStringConvertible {
    /// The name of the file and the error, without credentials.
    public let description: String

    /// The name of the event.
    public var name: String { "harEntryLost" }
}

private struct HARRecorder: Sendable {
    let file: URL
    let limits: HARLimits
    let scrubbing: CassetteRedaction
    let now: @Sendable () -> Date

    /// Sends a request, and writes its entry when its response has ended.
    func record(_ input: Input, _ next: Next, since time: @escaping @Sendable () -> Duration) async -> Output {
        let began = now()
        // Events reach this function from the request inside only, whatever else the call does.
        let measured = Locked<[RequestTimings]>([])
        let inside = next.with { context in
            context.changeEvents { event in
                if case .timings(let timings) = event { measured.withLock { $0.append(timings) } }
                return event
            }
        }
        let output = await inside(input)
        let (head, response) = (time(), output.response?.head ?? output.connectionError?.response)
        let ended = { @Sendable (body: RecordedBody) in
            let only = measured.withLock { $0.count == 1 ? $0[0] : nil }
            return HAREntry(
                input: input,
                head: response,
                body: body,
                began: began,
                measured: only,
                times: (head, time())
            )
        }
        guard output.response?.body != nil else {
            let error = output.connectionError
            await add(ended(RecordedBody(error?.response?.payload, upTo: limits.payload, endedBy: error)), next)
            return output
        }
        return output.mapBody { body in
            body.recorded(upTo: limits.payload) { body async throws(ConnectionError) in
                await add(ended(body), next)
            } otherwise: { body in
                let entry = ended(body)
                // The call ends with its body, and has no events after that.
                HARFiles.disk.async { _ = HARFiles.add(entry, to: file, limits, scrubbing) }
            }
        }
    }

    private func add(_ entry: HAREntry, _ next: Next) async {
        let lost = await withCheckedContinuation { done in
            HARFiles.disk.async { done.resume(returning: HARFiles.add(entry, to: file, limits, scrubbing)) }
        }
        if let lost { next.report(lost) }
    }
}
