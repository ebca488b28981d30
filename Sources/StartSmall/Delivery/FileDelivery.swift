import Dispatch
import Foundation
import Synchronization

/// The delivery of a call's payload to a file, which appears only if the call succeeds.
///
/// If the call is retried, the bytes written so far are kept if the server continues after them, and are overwritten if
/// not. If the disk fails, the call fails, and nothing more is written.
struct FileDelivery: Sendable {
    /// The consumer of the parts of the response.
    let consumer: PayloadConsumer

    /// The function that moves the file to its place, or removes it, and returns the first error, if any.
    let finish: @Sendable (_ isComplete: Bool) async -> ConnectionError?

    init(to place: URL) {
        let resumeState = ResumeState()
        let state = Mutex(State(place: place, resumeState: resumeState))
        // A disk can block a thread for long. Threads of Swift's concurrency pool must not be blocked.
        let disk = DispatchQueue(label: "StartSmall.file")
        let change = { @Sendable (change: @escaping @Sendable (inout State) throws -> Void) async -> ConnectionError? in
            await withCheckedContinuation { done in
                disk.async {
                    let failure = state.withLock { $0.change(change) }
                    done.resume(returning: failure)
                }
            }
        }
        consumer = PayloadConsumer(resumption: { resumeState.request() }) { part, isWanted in
            if let failure = await change({ if isWanted() { try $0.take(part) } }) { throw failure }
        }
        finish = { isComplete in await change { try $0.finish(isComplete) } }
    }
}

/// The offset and version from which a download can resume.
///
/// This state is separate from the file, so that reading it does not wait for the disk.
private struct ResumeState: Sendable {
    private typealias Resumptions = (possible: Resumption?, requested: Resumption?)

    private let resumptions = Locked<Resumptions>((nil, nil))

    /// Returns the resumption to request, and remembers it as requested.
    func request() -> Resumption? {
        resumptions.withLock { resumptions in
            resumptions.requested = resumptions.possible
            return resumptions.requested
        }
    }

    /// The resumption that was requested last.
    var requested: Resumption? {
        resumptions.withLock { $0.requested }
    }

    /// Sets the resumption that can be requested from now on.
    func allow(_ possible: Resumption?) {
        resumptions.withLock { $0.possible = possible }
    }
}

/// A part of a payload, as a server sent it in a response with a range.
private struct RangePart: Sendable {
    let head: Response

    /// The size of the file at the end of this part.
    let end: Int

    /// The size of the complete file.
    let total: Int
}

private struct State {
    let place: URL
    let resumeState: ResumeState
    var file: PartialFile?

    /// The version of the resource that is being written, for a resumption at the end of the file.
    var version: Resumption?

    /// The last part that resumed the file, or that was requested as a range; nil if the whole payload was sent.
    var rangePart: RangePart?
    var failure: ConnectionError?
    var isOver = false

    /// The resumption that is possible now; nil if the download can't be resumed.
    private var resumption: Resumption? {
        guard failure == nil, var version, let size = file?.size, size > 0 else { return nil }
        version.offset = size
        return version
    }

    /// Changes the file, unless a change failed before.
    mutating func change(_ change: (inout State) throws -> Void) -> ConnectionError? {
        defer { resumeState.allow(resumption) }
        do {
            if failure == nil { try change(&self) }
        } catch {
            file?.discard()
            file = nil
            let text = "\(place.lastPathComponent.onOneLine): \(SystemErrorText.text(of: error))"
            failure = error as? ConnectionError ?? .unwritableDestination(debugInfo: text)
        }
        return failure
    }

    mutating func take(_ part: PayloadConsumer.Part) throws {
        if isOver { throw ConnectionError.cancelled }
        switch part {
        case .head(let response): try begin(response)
        case .chunk(let data):
            if let rangePart, let size = file?.size, size + data.count > rangePart.end {
                throw ConnectionError.malformedResponse(.wrongRange(rangePart.head))
            }
            try file?.append(data)
        }
    }

    /// Continues the file at the offset of the response, or starts it over.
    private mutating func begin(_ response: Response) throws {
        let attempt = response.called.attempt
        if response.statusCode == .partialContent {
            if let requested = resumeState.requested { return try resume(with: response, from: requested) }
            // An unrequested part would replace a complete file.
            guard let requested = attempt?.range, response.isPart(of: requested) else {
                throw ConnectionError.malformedResponse(.wrongRange(response))
            }
        }
        if file == nil { file = try PartialFile(beside: place) } else { try file?.cut(to: 0) }
        rangePart = response.contentRange.map { range in
            RangePart(head: response, end: range.end - range.start, total: range.end - range.start)
        }
        version = nil
        guard response.statusCode == .ok, let validator = response.rangeValidator else { return }
        version = Resumption(offset: 0, validator: validator, total: response.wholeCount, url: attempt?.url)
    }

    private mutating func resume(with response: Response, from requested: Resumption) throws {
        let isRequested = response.called.attempt.map { $0.range == requested.range } != false
        guard isRequested, response.continues(from: requested), let range = response.contentRange,
            let total = requested.total ?? range.total
        else { throw ConnectionError.malformedResponse(.wrongRange(response)) }
        // An abandoned attempt, or a retry at a later offset, can have written more since the rest was requested.
        try file?.cut(to: requested.offset)
        rangePart = RangePart(head: response, end: range.end, total: total)
        version?.total = total
    }

    /// Ends the delivery; later parts are rejected, which an abandoned engine can still send.
    mutating func finish(_ isComplete: Bool) throws {
        isOver = true
        if isComplete {
            if let size = file?.size, let rangePart, size != rangePart.total {
                throw ConnectionError.connectionLost(.shortRange(rangePart.head, size: size, total: rangePart.total))
            }
            let finished = try file ?? PartialFile(beside: place)
            // The state keeps the file until it is in its place, so that any earlier error removes it.
            file = finished
            try finished.commit()
        } else {
            file?.discard()
        }
        file = nil
    }
}
